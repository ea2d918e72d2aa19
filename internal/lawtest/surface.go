package lawtest

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A surface is what some files of a package export: one text for each constant,
// variable, function, type, field and method, with its type but without the names
// of parameters.
type surface struct {
	items   map[string]bool
	types   map[string]*ast.TypeSpec
	methods map[string][]*ast.FuncDecl // by the receiver's type
}

// surfaceOf reads the surface. It changes files.
func surfaceOf(files []*ast.File) map[string]bool {
	s := &surface{map[string]bool{}, map[string]*ast.TypeSpec{}, map[string][]*ast.FuncDecl{}}
	for _, f := range files {
		dropParameterNames(f)
		for _, decl := range f.Decls {
			s.declare(decl)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.types)) {
		if ast.IsExported(name) {
			s.addType(name, s.types[name])
		}
	}
	return s.items
}

func (s *surface) add(parts ...string) { s.items[strings.Join(parts, " ")] = true }

func (s *surface) declare(decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		s.declareFunc(d)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.types[spec.Name.Name] = spec
			case *ast.ValueSpec:
				s.declareValues(d.Tok, spec)
			}
		}
	}
}

func (s *surface) declareFunc(d *ast.FuncDecl) {
	switch {
	case d.Recv != nil:
		owner := receiver(d)
		s.methods[owner] = append(s.methods[owner], d)
	case d.Name.IsExported():
		s.add("func", d.Name.Name+typeParams(d.Type.TypeParams)+signature(d.Type))
	}
}

func (s *surface) declareValues(kind token.Token, spec *ast.ValueSpec) {
	for _, name := range spec.Names {
		if !name.IsExported() {
			continue
		}
		if spec.Type == nil {
			s.add(kind.String(), name.Name)
			continue
		}
		s.add(kind.String(), name.Name, types.ExprString(spec.Type))
	}
}

func (s *surface) addType(name string, spec *ast.TypeSpec) {
	head := name + typeParams(spec.TypeParams)
	if spec.Assign.IsValid() {
		head += " ="
	}
	switch t := spec.Type.(type) {
	case *ast.StructType:
		s.add("type", head, "struct")
	case *ast.InterfaceType:
		s.add("type", head, "interface")
	default:
		s.add("type", head, types.ExprString(t))
	}
	s.addMembers(name, name, map[string]bool{})
}

// addMembers adds the fields and methods that owner has by itself or by embedding
// the unexported type from, whose own name may differ between systems.
func (s *surface) addMembers(owner, from string, seen map[string]bool) {
	if seen[from] {
		return
	}
	seen[from] = true
	for _, m := range s.methods[from] {
		if m.Name.IsExported() {
			s.add("method", owner+"."+m.Name.Name+signature(m.Type))
		}
	}
	spec := s.types[from]
	if spec == nil {
		return
	}
	switch t := spec.Type.(type) {
	case *ast.StructType:
		s.addFields(owner, "field", t.Fields, seen)
	case *ast.InterfaceType:
		s.addFields(owner, "method", t.Methods, seen)
	case *ast.Ident:
		s.addHidden(owner, t, seen)
	}
}

func (s *surface) addFields(owner, kind string, fields *ast.FieldList, seen map[string]bool) {
	for _, f := range fields.List {
		for _, name := range f.Names {
			if name.IsExported() {
				s.add(kind, owner+"."+name.Name, types.ExprString(f.Type))
			}
		}
		if len(f.Names) > 0 {
			continue
		}
		if hidden := embedded(f.Type); hidden != nil && !hidden.IsExported() && s.types[hidden.Name] != nil {
			s.addMembers(owner, hidden.Name, seen)
			continue
		}
		s.add("embedded", owner, types.ExprString(f.Type))
	}
}

// addHidden follows a type that is made from an unexported one of the package.
func (s *surface) addHidden(owner string, from *ast.Ident, seen map[string]bool) {
	if !from.IsExported() {
		s.addMembers(owner, from.Name, seen)
	}
}

package lawtest

import (
	"go/ast"
	"go/types"
	"strings"
)

// embedded returns the name in an embedded field T, *T or T[...], nil for one of
// another package.
func embedded(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.StarExpr:
		return embedded(e.X)
	case *ast.IndexExpr:
		return embedded(e.X)
	case *ast.IndexListExpr:
		return embedded(e.X)
	case *ast.ParenExpr:
		return embedded(e.X)
	}
	return nil
}

// receiver returns the name of the type that d is a method of.
func receiver(d *ast.FuncDecl) string {
	if name := embedded(d.Recv.List[0].Type); name != nil {
		return name.Name
	}
	return ""
}

// signature returns a function's type without the word func.
func signature(f *ast.FuncType) string { return strings.TrimPrefix(types.ExprString(f), "func") }

func typeParams(list *ast.FieldList) string {
	if list == nil {
		return ""
	}
	var all []string
	for _, f := range list.List {
		for _, name := range f.Names {
			all = append(all, name.Name+" "+types.ExprString(f.Type))
		}
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// dropParameterNames replaces each parameter by its type: the names are no part
// of what callers depend on.
func dropParameterNames(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		if t, ok := n.(*ast.FuncType); ok {
			t.Params, t.Results = unnamed(t.Params), unnamed(t.Results)
		}
		return true
	})
}

func unnamed(list *ast.FieldList) *ast.FieldList {
	if list == nil {
		return nil
	}
	bare := &ast.FieldList{}
	for _, f := range list.List {
		for range max(1, len(f.Names)) {
			bare.List = append(bare.List, &ast.Field{Type: f.Type})
		}
	}
	return bare
}

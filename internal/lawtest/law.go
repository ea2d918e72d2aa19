package lawtest

import (
	"fmt"
	"slices"
	"strings"
)

// A Law is one rule about the module's source.
type Law struct {
	// Number is its number in the package comment.
	Number int
	// Name says what it is about, for test names.
	Name string
	// Clauses are the ways in which it can be broken.
	Clauses []Clause
	// Check returns every violation in a tree, in the order of its files.
	Check func(*Tree) []Violation
}

// A Clause is one way in which a law can be broken.
type Clause string

// The clauses.
const (
	UnknownPackage  Clause = "unknown package"
	Arrow           Clause = "arrow"
	ThirdParty      Clause = "third party"
	CoreUnsafe      Clause = "unsafe in the core"
	RealTime        Clause = "real time in the core"
	TestingImport   Clause = "testing outside tests"
	BackendReactor  Clause = "backend reaches the reactor"
	HostVendor      Clause = "host reaches a vendor backend"
	Purego          Clause = "purego outside internal/dl"
	Cgo             Clause = "cgo"
	DefaultPath     Clause = "default path reaches purego"
	DynamicBinary   Clause = "not a static binary"
	UnsafePlace     Clause = "unsafe in the wrong file"
	UnsafeReason    Clause = "unsafe without a reason"
	Linkname        Clause = "go:linkname"
	DifferentAPI    Clause = "different API"
	NoComment       Clause = "exported without a comment"
	NoPackageDoc    Clause = "no package comment"
	NoLeakCheck     Clause = "no look for leaks"
	MissingContents Clause = "a law has nothing to judge"
)

// Laws returns all laws. The last part of law 3, that a binary is static, is
// [Static], for it judges a file that was built.
func Laws() []Law {
	return []Law{
		{1, "layers", []Clause{UnknownPackage, Arrow, ThirdParty, TestingImport, MissingContents}, checkLayers},
		{1, "core", []Clause{CoreUnsafe, RealTime}, checkCore},
		{2, "adapters", []Clause{BackendReactor, HostVendor}, checkAdapters},
		{3, "purego", []Clause{Purego, Cgo, DefaultPath, MissingContents}, checkPurego},
		{4, "unsafe", []Clause{UnsafePlace, UnsafeReason, Linkname}, checkUnsafe},
		{5, "api", []Clause{DifferentAPI}, checkAPI},
		{6, "documentation", []Clause{NoComment, NoPackageDoc}, checkDocumentation},
		{7, "leaks", []Clause{NoLeakCheck}, checkLeaks},
	}
}

// A Violation is one place that breaks a law.
type Violation struct {
	Clause Clause
	// Where is a file and line, a package, or a binary.
	Where string
	// What is wrong, and what to do.
	What, Advice string
}

// String returns one line: place, clause, what is wrong, what to do.
func (v Violation) String() string {
	return fmt.Sprintf("%s: %s: %s; %s", v.Where, v.Clause, v.What, v.Advice)
}

// sorted orders violations that were found in no order of their own.
func sorted(found []Violation) []Violation {
	slices.SortFunc(found, func(a, b Violation) int { return strings.Compare(a.String(), b.String()) })
	return found
}

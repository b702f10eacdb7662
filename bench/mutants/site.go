package main

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A site is a place in a file where one mutation can be made: the bytes from Start to before End become With.
type site struct {
	Package string // import path within the module, such as pkg/control
	File    string // path from the root
	Line    int
	Kind    string
	Start   int
	End     int
	With    string
	Was     string // the mutated text, for the report
}

// kinds are what a mutation can do. As many of each are drawn.
var kinds = []string{"sign", "bound", "missing check", "off by one", "dropped statement"}

// swaps are the operators that a mutation exchanges, and the kind of that mutation.
var swaps = map[string]struct{ with, kind string }{
	"+": {"-", "sign"}, "-": {"+", "sign"}, "+=": {"-=", "sign"}, "-=": {"+=", "sign"},
	"++": {"--", "sign"}, "--": {"++", "sign"}, "==": {"!=", "sign"}, "!=": {"==", "sign"},
	"<": {"<=", "bound"}, "<=": {"<", "bound"}, ">": {">=", "bound"}, ">=": {">", "bound"},
}

// sitesOf lists the sites of a package's files.
func sitesOf(root, name string) (sites []site, err error) {
	err = eachFile(root, name, func(path string, text []byte) error {
		found, err := sitesIn(path, text)
		for i := range found {
			found[i].Package = name
		}
		sites = append(sites, found...)
		return err
	})
	return sites, err
}

// eachFile reads the files of a package, without tests and files for another platform. Paths begin at the root.
func eachFile(root, name string, do func(path string, text []byte) error) error {
	paths, err := filepath.Glob(filepath.Join(root, name, "*.go"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		built, err := build.Default.MatchFile(filepath.Split(path))
		if err != nil {
			return err
		}
		if !built || strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if err := do(relative, text); err != nil {
			return err
		}
	}
	return nil
}

// idle lists the parts of a node in which a mutation changes nothing but how much memory is taken: the capacity of a slice that is
// made, the expected size of a map, a comparison with a capacity, what is assigned to no variable. Such a mutant cannot be killed.
func idle(node ast.Node) []ast.Node {
	calls := func(e ast.Expr, name string) (*ast.CallExpr, bool) {
		call, ok := e.(*ast.CallExpr)
		if !ok {
			return nil, false
		}
		function, ok := call.Fun.(*ast.Ident)
		return call, ok && function.Name == name
	}
	switch n := node.(type) {
	case *ast.CallExpr:
		if _, ok := calls(n, "make"); !ok || len(n.Args) < 2 {
			return nil
		}
		if _, ok := n.Args[0].(*ast.MapType); ok || len(n.Args) == 3 {
			return []ast.Node{n.Args[len(n.Args)-1]}
		}
	case *ast.BinaryExpr:
		for _, side := range []ast.Expr{n.X, n.Y} {
			if _, ok := calls(side, "cap"); ok && swaps[n.Op.String()].kind == "bound" {
				return []ast.Node{n}
			}
		}
	case *ast.AssignStmt:
		for _, to := range n.Lhs {
			if name, ok := to.(*ast.Ident); !ok || name.Name != "_" {
				return nil
			}
		}
		for _, from := range n.Rhs {
			if _, ok := from.(*ast.Ident); !ok { // a call does something
				return nil
			}
		}
		return []ast.Node{n}
	}
	return nil
}

// sitesIn lists the sites in the functions of a file, in the order of the text.
func sitesIn(path string, text []byte) (sites []site, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	visit(file, func(kind string, _ ast.Node, from, to token.Pos) {
		start, end := set.Position(from), set.Position(to)
		was := string(text[start.Offset:end.Offset])
		with := "{}"
		switch kind {
		case "sign", "bound":
			with = swaps[was].with
		case "missing check":
			with = "(" + was + ") && false"
		case "off by one":
			number, _ := strconv.Atoi(was) // visit has read it
			with = strconv.Itoa(number + 1)
		}
		was, _, _ = strings.Cut(was, "\n")
		sites = append(sites, site{File: path, Line: start.Line, Kind: kind, Start: start.Offset, End: end.Offset, With: with, Was: was})
	})
	return sites, nil
}

// visit calls found with each mutation that can be made in the functions of a file, in the order of the text and from the outside in: its kind,
// the node that it changes, and from where to where.
func visit(file *ast.File, found func(kind string, node ast.Node, from, to token.Pos)) {
	operator := func(op token.Token, node ast.Node, at token.Pos) {
		if swap, ok := swaps[op.String()]; ok {
			found(swap.kind, node, at, at+token.Pos(len(op.String())))
		}
	}
	dropped := func(statement ast.Stmt) { found("dropped statement", statement, statement.Pos(), statement.End()) }
	skipped, clause := map[ast.Node]bool{}, map[ast.Stmt]bool{}
	inspect := func(node ast.Node) bool {
		for _, part := range idle(node) {
			skipped[part] = true
		}
		if skipped[node] {
			return false
		}
		switch n := node.(type) {
		case *ast.ForStmt:
			clause[n.Init], clause[n.Post] = true, true
		case *ast.SwitchStmt:
			clause[n.Init] = true
		case *ast.TypeSwitchStmt:
			clause[n.Init], clause[n.Assign] = true, true
		case *ast.CommClause:
			clause[n.Comm] = true
		case *ast.BinaryExpr:
			operator(n.Op, n, n.OpPos)
		case *ast.IncDecStmt:
			if !clause[n] {
				dropped(n)
			}
			operator(n.Tok, n, n.TokPos)
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE && !clause[n] {
				dropped(n)
			}
			operator(n.Tok, n, n.TokPos)
		case *ast.ExprStmt:
			if !clause[n] {
				dropped(n)
			}
		case *ast.IfStmt:
			clause[n.Init] = true
			if n.Else == nil {
				found("missing check", n, n.Cond.Pos(), n.Cond.End())
			}
		case *ast.BasicLit:
			if _, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
				found("off by one", n, n.Pos(), n.End())
			}
		}
		return true
	}
	for _, declaration := range file.Decls {
		if function, ok := declaration.(*ast.FuncDecl); ok && function.Body != nil {
			ast.Inspect(function.Body, inspect)
		}
	}
}

// apply gives the text with the mutation in it.
func (s site) apply(text []byte) []byte {
	mutated := append([]byte(nil), text[:s.Start]...)
	mutated = append(mutated, s.With...)
	return append(mutated, text[s.End:]...)
}

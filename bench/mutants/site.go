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
var swaps = map[token.Token]struct{ with, kind string }{
	token.ADD: {"-", "sign"}, token.SUB: {"+", "sign"}, token.ADD_ASSIGN: {"-=", "sign"}, token.SUB_ASSIGN: {"+=", "sign"},
	token.INC: {"--", "sign"}, token.DEC: {"++", "sign"}, token.EQL: {"!=", "sign"}, token.NEQ: {"==", "sign"},
	token.LSS: {"<=", "bound"}, token.LEQ: {"<", "bound"}, token.GTR: {">=", "bound"}, token.GEQ: {">", "bound"},
}

// sitesOf lists the sites of a package's files, without tests and files for another platform.
func sitesOf(root, name string) (sites []site, err error) {
	paths, err := filepath.Glob(filepath.Join(root, name, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		built, err := build.Default.MatchFile(filepath.Split(path))
		if err != nil {
			return nil, err
		}
		if !built || strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return nil, err
		}
		found, err := sitesIn(relative, text)
		if err != nil {
			return nil, err
		}
		for i := range found {
			found[i].Package = name
		}
		sites = append(sites, found...)
	}
	return sites, nil
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
			if _, ok := calls(side, "cap"); ok && swaps[n.Op].kind == "bound" {
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
	add := func(kind string, from, to token.Pos, with string) {
		start, end := set.Position(from), set.Position(to)
		was, _, _ := strings.Cut(string(text[start.Offset:end.Offset]), "\n")
		sites = append(sites, site{File: path, Line: start.Line, Kind: kind, Start: start.Offset, End: end.Offset, With: with, Was: was})
	}
	operator := func(op token.Token, at token.Pos) {
		if swap, ok := swaps[op]; ok {
			add(swap.kind, at, at+token.Pos(len(op.String())), swap.with)
		}
	}
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || function.Body == nil {
			continue
		}
		skipped := map[ast.Node]bool{}
		ast.Inspect(function.Body, func(node ast.Node) bool {
			for _, part := range idle(node) {
				skipped[part] = true
			}
			if skipped[node] {
				return false
			}
			switch n := node.(type) {
			case *ast.BinaryExpr:
				operator(n.Op, n.OpPos)
			case *ast.IncDecStmt:
				operator(n.Tok, n.TokPos)
				add("dropped statement", n.Pos(), n.End(), "{}")
			case *ast.AssignStmt:
				operator(n.Tok, n.TokPos)
				if n.Tok != token.DEFINE {
					add("dropped statement", n.Pos(), n.End(), "{}")
				}
			case *ast.ExprStmt:
				add("dropped statement", n.Pos(), n.End(), "{}")
			case *ast.IfStmt:
				if n.Else == nil {
					add("missing check", n.Cond.Pos(), n.Cond.End(), "false && ("+string(text[set.Position(n.Cond.Pos()).Offset:set.Position(n.Cond.End()).Offset])+")")
				}
			case *ast.BasicLit:
				if number, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
					add("off by one", n.Pos(), n.End(), strconv.Itoa(number+1))
				}
			}
			return true
		})
	}
	return sites, nil
}

// apply gives the text with the mutation in it.
func (s site) apply(text []byte) []byte {
	mutated := append([]byte(nil), text[:s.Start]...)
	mutated = append(mutated, s.With...)
	return append(mutated, text[s.End:]...)
}

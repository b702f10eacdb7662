package main

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"slices"
	"strings"
)

// A woven package is its text with mutants that are switched on at run time: by their number, in the order of the sites.
type woven struct {
	name  string            // of the package
	files map[string][]byte // by path from the root
	left  map[int]bool      // the sites that no switch can be built for, such as a number that must be constant
	never map[int]bool      // the sites whose mutants do not compile: a difference of strings
}

// weave puts switches for all sites of a package into its text, except those that are left.
func weave(ctx context.Context, root, path string, sites []site, left map[int]bool) (*woven, error) {
	w := &woven{files: map[string][]byte{}, left: left, never: map[int]bool{}}
	set := token.NewFileSet()
	var files []*ast.File
	texts := map[*ast.File][]byte{}
	names := map[*ast.File]string{}
	err := eachFile(root, path, func(name string, text []byte) error {
		file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files, texts[file], names[file], w.name = append(files, file), text, name, file.Name.Name
		return nil
	})
	if err != nil {
		return nil, err
	}
	info, err := check(ctx, root, path, set, files)
	if err != nil {
		return nil, err
	}
	numbers := map[string]int{}
	for i, s := range sites {
		numbers[fmt.Sprint(s.File, s.Kind, s.Start)] = i
	}
	for _, file := range files {
		e := edits{file: file, info: info}
		visit(file, func(kind string, node ast.Node, from, to token.Pos) {
			id, ok := numbers[fmt.Sprint(names[file], kind, set.Position(from).Offset)]
			if !ok || left[id] {
				return
			}
			switch done, possible := e.weave(id, kind, node, from, to); {
			case !possible:
				w.never[id] = true
			case !done:
				left[id] = true
			}
		})
		if len(e.all) > 0 {
			w.files[names[file]] = e.apply(set, texts[file])
		}
	}
	return w, nil
}

// check gives the types of a package's expressions, from the compiled packages that it imports.
func check(ctx context.Context, root, path string, set *token.FileSet, files []*ast.File) (*types.Info, error) {
	listed, err := output(ctx, "go", "list", "-C", root, "-trimpath", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", "./"+path)
	if err != nil {
		return nil, fmt.Errorf("go list of %s: %w", path, err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(listed) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		exports[name] = file
	}
	open := func(name string) (io.ReadCloser, error) { return os.Open(exports[name]) }
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: importer.ForCompiler(set, "gc", open)}
	_, err = config.Check(module+"/"+path, set, files, info)
	return info, err
}

// edits are what is inserted into a file, and what is left out of it.
type edits struct {
	file *ast.File
	info *types.Info
	all  []edit
}

type edit struct {
	at, without token.Pos // what stands from at to without is left out
	text        string
	closes      bool // stands behind a node
}

// around stands before and behind a node. Nodes come from the outside in.
func (e *edits) around(node ast.Node, before, behind string) {
	e.all = append(e.all, edit{node.Pos(), node.Pos(), before, false}, edit{node.End(), node.End(), behind, true})
}

// weave puts a switch around a node. It is not done where the switch would have to be constant, and not possible where the mutant does not compile.
func (e *edits) weave(id int, kind string, node ast.Node, from, to token.Pos) (done, possible bool) {
	constant := func(x ast.Expr) bool { return e.info.Types[x].Value != nil }
	number := func(x ast.Expr) bool {
		basic, ok := e.info.TypeOf(x).Underlying().(*types.Basic)
		return !ok || basic.Info()&types.IsNumeric != 0
	}
	switch n := node.(type) {
	case *ast.IfStmt:
		e.around(n.Cond, "(", fmt.Sprintf(") && !mutant(%d)", id))
	case *ast.BasicLit:
		name, ok := e.nameOf(e.info.TypeOf(n))
		if !ok {
			return false, true
		}
		e.around(n, fmt.Sprintf("mutantNext[%s](%d, ", name, id), ")")
	case *ast.BinaryExpr:
		equal := n.Op == token.EQL || n.Op == token.NEQ
		if kind == "sign" && !equal && !number(n) {
			return false, false
		}
		if constant(n) {
			return false, true
		}
		if equal {
			e.around(n, "((", fmt.Sprintf(") != mutant(%d))", id))
			return true, true
		}
		function := map[token.Token]string{token.ADD: "Sum", token.SUB: "Difference", token.LSS: "Less", token.GTR: "More", token.LEQ: "AtMost", token.GEQ: "AtLeast"}[n.Op]
		e.around(n, fmt.Sprintf("mutant%s(%d, ", function, id), ")")
		e.all = append(e.all, edit{from, to, ",", false})
	default:
		statement := node.(ast.Stmt)
		if kind == "dropped statement" {
			e.around(statement, fmt.Sprintf("if !mutant(%d) { ", id), " }")
			return true, true
		}
		var changed ast.Expr
		switch s := statement.(type) {
		case *ast.IncDecStmt:
			changed = s.X
		case *ast.AssignStmt:
			changed = s.Lhs[0]
		}
		name, ok := e.nameOf(e.info.TypeOf(changed))
		if !number(changed) {
			return false, false
		}
		if !ok {
			return false, true
		}
		signed := fmt.Sprintf("mutantSigned[%s](%d, ", name, id)
		if s, ok := statement.(*ast.AssignStmt); ok {
			e.around(s.Rhs[0], signed, ")")
			return true, true
		}
		e.all = append(e.all, edit{from, to, map[bool]string{true: " += ", false: " -= "}[statement.(*ast.IncDecStmt).Tok == token.INC] + signed + "1)", false})
	}
	return true, true
}

// nameOf is how a file names a type.
func (e *edits) nameOf(of types.Type) (name string, ok bool) {
	ok = true
	name = types.TypeString(of, func(other *types.Package) string {
		for _, imported := range e.file.Imports {
			if strings.Trim(imported.Path.Value, "`\"") == other.Path() {
				if imported.Name != nil {
					return imported.Name.Name
				}
				return other.Name()
			}
		}
		ok = ok && other.Name() == e.file.Name.Name
		return ""
	})
	return name, ok && !strings.HasPrefix(name, "untyped")
}

// apply gives the text with the edits in it. At one place, what closes a node stands before what opens one, and inner nodes close first.
func (e *edits) apply(set *token.FileSet, text []byte) []byte {
	var closing, opening []edit
	for _, one := range e.all {
		if one.closes {
			closing = append(closing, one)
		} else {
			opening = append(opening, one)
		}
	}
	slices.Reverse(closing)
	all := append(closing, opening...)
	slices.SortStableFunc(all, func(a, b edit) int { return int(a.at - b.at) })
	var result bytes.Buffer
	done := 0
	for _, one := range all {
		start := set.Position(one.at).Offset
		result.Write(text[done:start])
		result.WriteString(one.text)
		done = set.Position(one.without).Offset
	}
	result.Write(text[done:])
	return result.Bytes()
}

// instrument gives a file of tests in which each says that it begins, and once more when its turn among the parallel tests comes.
func instrument(name string, text []byte) ([]byte, *ast.File, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	e := edits{file: file}
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || function.Recv != nil || function.Body == nil || function.Name.Name == "TestMain" ||
			!slices.ContainsFunc([]string{"Test", "Example", "Fuzz"}, func(kind string) bool { return strings.HasPrefix(function.Name.Name, kind) }) {
			continue
		}
		says := fmt.Sprintf("MutantTest(%q); ", function.Name.Name)
		e.all = append(e.all, edit{function.Body.Lbrace + 1, function.Body.Lbrace + 1, says, false})
		for _, statement := range function.Body.List {
			if call, ok := statement.(*ast.ExprStmt); ok && strings.HasSuffix(string(text[set.Position(call.Pos()).Offset:set.Position(call.End()).Offset]), ".Parallel()") {
				e.all = append(e.all, edit{call.End(), call.End(), "; " + says, false})
			}
		}
	}
	return e.apply(set, text), file, nil
}

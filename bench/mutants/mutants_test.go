package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

const sample = `package p

func f(n int, xs []int) int {
	if n < 3 {
		return 0
	}
	total := 0
	for _, x := range xs {
		total += x - 1
	}
	g()
	return total
}

func g() {}
`

// TestSites: every kind of mutation is found where it can be made, and each changes its own bytes only.
func TestSites(t *testing.T) {
	sites, err := sitesIn("p.go", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range sites {
		mutated := string(s.apply([]byte(sample)))
		if !strings.HasPrefix(mutated, sample[:s.Start]) || !strings.HasSuffix(mutated, sample[s.End:]) || mutated == sample {
			t.Errorf("%+v changes more or less than its own bytes", s)
		}
		line := strings.Split(mutated, "\n")[s.Line-1]
		got = append(got, s.Kind+": "+strings.TrimSpace(line))
	}
	want := []string{
		"missing check: if (n < 3) && false {", "bound: if n <= 3 {", "off by one: if n < 4 {", "off by one: return 1",
		"off by one: total := 1", "sign: total -= x - 1", "dropped statement: {}", "sign: total += x + 1", "off by one: total += x - 2",
		"dropped statement: {}",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestWoven: every mutant of the sample has a switch, which nests with those around it and leaves what is computed as it is.
func TestWoven(t *testing.T) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", sample, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if _, err := new(types.Config).Check("p", set, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	e := edits{file: file, info: info}
	id := 0
	visit(file, func(kind string, node ast.Node, from, to token.Pos) {
		if done, possible := e.weave(id, kind, node, from, to); !done || !possible {
			t.Errorf("no switch for %s at %v", kind, set.Position(from))
		}
		id++
	})
	want := strings.NewReplacer(
		"n < 3", "(mutantLess(1, n , mutantNext[int](2, 3))) && !mutant(0)",
		"return 0", "return mutantNext[int](3, 0)",
		"total := 0", "total := mutantNext[int](4, 0)",
		"total += x - 1", "if !mutant(5) { total += mutantSigned[int](6, mutantDifference(7, x , mutantNext[int](8, 1))) }",
		"\tg()", "\tif !mutant(9) { g() }",
	).Replace(sample)
	if got := string(e.apply(set, []byte(sample))); got != want {
		t.Errorf("woven\n%s\nwant\n%s", got, want)
	}
}

// TestIdlePartsAreNotMutated: what changes nothing but how much memory is taken is left alone; what stands beside it is not.
func TestIdlePartsAreNotMutated(t *testing.T) {
	for text, want := range map[string][]string{
		"xs := make([]int, 0, n+7)":      {"off by one: xs := make([]int, 1, n+7)"},
		"xs := make([]int, n+7)":         {"sign: xs := make([]int, n-7)", "off by one: xs := make([]int, n+8)"},
		"xs := make(map[int]int, n+7)":   nil,
		"if cap(xs) < n { xs = xs[:0] }": {"missing check: if (cap(xs) < n) && false { xs = xs[:0] }", "dropped statement: if cap(xs) < n { {} }", "off by one: if cap(xs) < n { xs = xs[:1] }"},
		"if n >= cap(xs) { return }":     {"missing check: if (n >= cap(xs)) && false { return }"},
		"if n < len(xs) { return }":      {"missing check: if (n < len(xs)) && false { return }", "bound: if n <= len(xs) { return }"},
		"if n == cap(xs) { return }":     {"missing check: if (n == cap(xs)) && false { return }", "sign: if n != cap(xs) { return }"},
		"_ = n":                          nil,
		"_ = g()":                        {"dropped statement: {}"},
		"_, xs = n, nil":                 {"dropped statement: {}"},
	} {
		source := []byte("package p\n\nfunc f() {\n" + text + "\n}\n")
		sites, err := sitesIn("p.go", source)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range sites {
			got = append(got, s.Kind+": "+strings.Split(string(s.apply(source)), "\n")[3])
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: found\n%s\nwant\n%s", text, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestDraw: the seed determines the order, and kinds come in turn.
func TestDraw(t *testing.T) {
	sites, err := sitesIn("p.go", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	byKind := func() map[string][]site {
		m := map[string][]site{}
		for _, s := range sites {
			m[s.Kind] = append(m[s.Kind], s)
		}
		return m
	}
	one, again, other := draw(byKind(), 1), draw(byKind(), 1), draw(byKind(), 2)
	if !slices.Equal(one, again) || slices.Equal(one, other) || len(one) != len(sites) {
		t.Errorf("%d sites of %d; equal seeds give equal draws: %v, other seeds: %v", len(one), len(sites), slices.Equal(one, again), slices.Equal(one, other))
	}
	for i, kind := range kinds {
		if one[i].Kind != kind {
			t.Errorf("draw %d is %s, want %s", i, one[i].Kind, kind)
		}
	}
}

// TestReport counts by package and lists who survived.
func TestReport(t *testing.T) {
	text := report([]result{
		{site{Package: "pkg/a", File: "pkg/a/a.go", Line: 3, Kind: "sign", Was: "+"}, killed},
		{site{Package: "pkg/a", File: "pkg/a/b.go", Line: 7, Kind: "bound", Was: "<"}, survived},
	}, "Seed 1.")
	for _, want := range []string{"Of 2 mutants", "killed 1 (50 %)", "| pkg/a | 2 | 1 |", "- pkg/a/b.go:7, bound: `<`"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

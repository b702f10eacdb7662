package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// inSeveralSenses are the packages in which one of the words still has another meaning. In all others each has one.
var inSeveralSenses = []string{
	"internal/adagrad", "internal/app/audit", "internal/app/backfill", "internal/app/input", "internal/app/jobs", "internal/app/models",
	"internal/app/plan", "internal/app/process", "internal/app/replay", "internal/app/score", "internal/app/statement", "internal/appraise",
	"internal/board", "internal/chronicle", "internal/cluster", "internal/config", "internal/distinct", "internal/format", "internal/inspect/seen",
	"internal/inspect/sequence", "internal/intake", "internal/kafka", "internal/kafka/batches", "internal/kafka/link", "internal/modeltopic",
	"internal/observe", "internal/onnx", "internal/owner", "internal/profile", "internal/serve", "internal/server", "internal/signoff",
	"internal/table", "internal/table/changes", "internal/waiting", "pkg/backfill", "pkg/control", "pkg/document", "pkg/fairness", "pkg/features",
	"pkg/history", "pkg/linear", "pkg/record", "pkg/stream",
}

// words are those that easily come to mean several things. Names are what those packages declare with them: functions,
// methods, types, fields, constants and variables. For another meaning take another word.
var words = map[string]struct {
	means string
	names []string
}{
	"place": {means: "where a record or a document is on a topic (modeltopic.Place)"},
	"look":  {"the verdicts are computed from the evidence, every so many records", []string{"Look", "Looked", "look", "looked"}},
	"take":  {"a reserve has a record, so that it is not learnt", []string{"Takes"}},
	"judge": {means: "what follows from measurements (document.Measurements.Judge)"},
	"watch": {"the stable version is tested for withdrawal", []string{"Unwatched", "UnwatchedSince", "meanWatch", "newWatch", "rateWatch",
		"tellUnwatched", "unwatch", "unwatched", "watch", "watched", "watches"}},
	"share": {"a part of a whole, from 0 to 1", []string{"AsShare", "CheckShare", "InShare", "OfShares", "Share", "Shares", "inShare", "numericShare", "ownShare", "selectiveShare", "share",
		"smallShare", "wholeShare", "writeShares"}},
	"release": {means: "memory is given back (kafka.Chunk.Release)"},
}

// TestWordsHaveOneMeaning lists names that nobody has decided about.
func TestWordsHaveOneMeaning(t *testing.T) {
	used := map[string]bool{}
	for _, directory := range foldersOfProduct(t) {
		names, err := declared(filepath.Join("../..", directory))
		if err != nil {
			t.Fatal(err)
		}
		several := slices.Contains(inSeveralSenses, directory)
		if several && !slices.ContainsFunc(names, func(name string) bool { return undecided(name) != "" }) {
			t.Errorf("%s uses each word in one sense now: take it off the list", directory)
		}
		for _, name := range names {
			used[name] = true
			if word := undecided(name); word != "" && !several {
				t.Errorf("%s declares %s: %q means: %s; if this does, add it to the table, else take another word", directory, name, word, words[word].means)
			}
		}
	}
	for _, word := range slices.Sorted(maps.Keys(words)) {
		for _, name := range words[word].names {
			if !used[name] {
				t.Errorf("%s: nothing is called %s any more", word, name)
			}
		}
	}
}

// foldersOfProduct are the folders below pkg and internal.
func foldersOfProduct(t *testing.T) (folders []string) {
	for _, top := range []string{"pkg", "internal"} {
		err := filepath.WalkDir(filepath.Join("../..", top), func(path string, entry os.DirEntry, err error) error {
			if err != nil || !entry.IsDir() {
				return err
			}
			if entry.Name() == "testdata" {
				return filepath.SkipDir
			}
			folders = append(folders, strings.TrimPrefix(filepath.ToSlash(path), "../../"))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return folders
}

// part is a word within a name.
var part = regexp.MustCompile(`[A-Z]?[a-z]+`)

// undecided is the word of the table of which a name is made that the table does not have.
func undecided(name string) string {
	for _, p := range part.FindAllString(name, -1) {
		for word, known := range words {
			stem := strings.TrimSuffix(word, "e")
			ending, is := strings.CutPrefix(strings.TrimPrefix(strings.ToLower(p), "un"), stem)
			if is && slices.Contains([]string{"", "s", "es", "e", "ed", "en", "er", "ing"}, ending) && !slices.Contains(known.names, name) {
				return word
			}
		}
	}
	return ""
}

// declared are the names that the files of a package declare beyond a function, without tests.
func declared(directory string) (names []string, err error) {
	paths, err := filepath.Glob(filepath.Join(directory, "*.go"))
	if err != nil {
		return nil, err
	}
	add := func(identifiers ...*ast.Ident) {
		for _, identifier := range identifiers {
			names = append(names, identifier.Name)
		}
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.FuncDecl:
				add(n.Name)
				return false
			case *ast.TypeSpec:
				add(n.Name)
			case *ast.ValueSpec:
				add(n.Names...)
			case *ast.Field:
				add(n.Names...)
			}
			return true
		})
	}
	return names, nil
}

// TestTheTableOfWordsBites declares a word of the table in each way.
func TestTheTableOfWordsBites(t *testing.T) {
	directory := t.TempDir()
	text := "package p\ntype judge struct{ placed int }\nconst mostTaken, lookup = 1, 2\nfunc (judge) releases() { share := 1; _ = share }\nvar x interface{ unwatch() }\n"
	if err := os.WriteFile(filepath.Join(directory, "a.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	names, err := declared(directory)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, name := range names {
		if word := undecided(name); word != "" {
			found = append(found, name+": "+word)
		}
	}
	if want := []string{"judge: judge", "placed: place", "mostTaken: take", "releases: release"}; !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}

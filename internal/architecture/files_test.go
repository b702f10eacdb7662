package architecture

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/goldentest"
)

// beforeFiles ends what a person writes of ARCHITECTURE.md. What follows is made of the comments of the packages.
const beforeFiles = "## Files\n\nIn the order in which they are read. To change a behaviour, search here for the file that has it. The lists come\nfrom the comment of each package; `UPDATE=1 go test ./internal/architecture -run\nTestArchitectureNamesTheFiles` renews them.\n"

// describedFile is a line of such a list, or the rest of the line before it. The page of a package may be part of its list.
var describedFile = regexp.MustCompile(`^//\t(?:((?:page/)?[a-z0-9_]+\.(?:go|js|html|css)) +| +)(\S.*)$`)

func TestArchitectureNamesTheFiles(t *testing.T) {
	const document = "../../ARCHITECTURE.md"
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	written, _, found := strings.Cut(string(text), beforeFiles)
	if !found {
		t.Fatalf("ARCHITECTURE.md has no section that begins with\n%s", beforeFiles)
	}
	var list strings.Builder
	named := 0
	for _, p := range projectPackages(t) {
		name := strings.TrimPrefix(p.name(), "/")
		if !strings.HasPrefix(name, "pkg/") && !strings.HasPrefix(name, "internal/") && name != commandLine {
			continue
		}
		files := describedFiles(t, name)
		sources, err := filepath.Glob(filepath.Join("../..", name, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, pattern := range []string{"*.js", "*.html", "*.css"} {
			page, err := filepath.Glob(filepath.Join("../..", name, "page", pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, source := range page {
				if base := "page/" + filepath.Base(source); !isDescribed(files, base) {
					t.Errorf("the comment of package %s does not say what %s is for", name, base)
				}
			}
		}
		var others []string
		for _, source := range sources {
			if base := filepath.Base(source); base != "doc.go" && !strings.HasSuffix(base, "_test.go") {
				others = append(others, base)
				if len(files) > 0 && !isDescribed(files, base) {
					t.Errorf("the comment of package %s does not say what %s is for", name, base)
				}
			}
		}
		switch {
		case len(files) > 0 || len(others) == 0:
		case len(others) == 1:
			files = []described{{others[0], strings.TrimPrefix(p.Doc, "Package "+path.Base(name)+" ")}}
		default:
			t.Errorf("%s has %d files, and its comment does not say what each is for", name, len(others))
		}
		if len(files) > 0 {
			list.WriteString("\n" + name + "\n")
			widest := 0
			for _, file := range files {
				widest = max(widest, len(file.name))
			}
			for _, file := range files {
				list.WriteString("  " + file.name + strings.Repeat(" ", widest-len(file.name)+2) + file.use + "\n")
				if _, err := os.Stat(filepath.Join("../..", name, file.name)); err != nil {
					t.Errorf("%s/doc.go describes %s, which does not exist", name, file.name)
				}
				named++
			}
		}
	}
	if named < 500 {
		t.Errorf("only %d files found", named)
	}
	goldentest.CompareFile(t, document, written+beforeFiles+"\n```\n"+strings.TrimPrefix(list.String(), "\n")+"```\n")
}

// TestArchitectureNamesTheFilesOfOtherModules: a person writes this list, of the files that there are.
func TestArchitectureNamesTheFilesOfOtherModules(t *testing.T) {
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "## Files of other modules\n\n```\n")
	list, _, found := strings.Cut(list, "```\n")
	if !found {
		t.Fatal("ARCHITECTURE.md has no list of the files of other modules")
	}
	var named []string
	folder := ""
	for line := range strings.Lines(list) {
		if name, isFile := strings.CutPrefix(line, "  "); isFile {
			named = append(named, path.Join(folder, strings.Fields(name)[0]))
		} else {
			folder = strings.TrimSpace(line)
		}
	}
	var there []string
	for _, module := range []string{"engine", "clients/python/fairstream", "tools"} {
		err := filepath.WalkDir(filepath.Join("../..", module), func(file string, _ fs.DirEntry, err error) error {
			base := filepath.Base(file)
			if isSource := filepath.Ext(base) == ".go" && base != "doc.go" && !strings.HasSuffix(base, "_test.go"); isSource || filepath.Ext(base) == ".py" {
				there = append(there, strings.TrimPrefix(filepath.ToSlash(file), "../../"))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(named)
	slices.Sort(there)
	if !slices.Equal(named, there) {
		t.Errorf("ARCHITECTURE.md names\n%s\nand there are\n%s", strings.Join(named, "\n"), strings.Join(there, "\n"))
	}
}

// described is a file, and what it is for.
type described struct{ name, use string }

func isDescribed(files []described, name string) bool {
	for _, file := range files {
		if file.name == name {
			return true
		}
	}
	return false
}

// describedFiles are those of the list in a package's doc.go.
func describedFiles(t *testing.T, name string) (files []described) {
	t.Helper()
	doc, err := os.ReadFile(filepath.Join("../..", name, "doc.go"))
	if os.IsNotExist(err) {
		doc, err = os.ReadFile(filepath.Join("../..", name, path.Base(name)+".go"))
	}
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	inList := false
	for line := range strings.Lines(string(doc)) {
		match := describedFile.FindStringSubmatch(strings.TrimRight(line, "\n"))
		switch {
		case match == nil:
			inList = false
		case match[1] != "":
			files, inList = append(files, described{match[1], match[2]}), true
		case inList:
			files[len(files)-1].use += " " + match[2]
		}
	}
	return files
}

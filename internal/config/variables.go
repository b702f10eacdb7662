package config

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/spelling"
)

// Variables that are not keys.
const (
	// FilesVariable names the configuration files, separated by commas, for when no flag does.
	FilesVariable = VariablePrefix + "CONFIG"
	// programVariable names the program to the Python package, which passes its environment on.
	programVariable = VariablePrefix + "PROGRAM"
	// testPrefix begins the variables that the project's own tests read.
	testPrefix = VariablePrefix + "TEST_"
)

// Kubernetes gives a container such variables for every service; one of them may be called fairstream.
var serviceVariable = regexp.MustCompile(`_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$`)

// setVariables sets every key whose variable is in environment, which has the form of os.Environ. A
// variable with the prefix that is no key is a problem: it is a misspelling that would be overlooked.
func (d *decoder) setVariables(root reflect.Value, environment []string) {
	environment = slices.Sorted(slices.Values(environment)) // so that a section comes before its keys
	for _, entry := range environment {
		name, value, _ := strings.Cut(entry, "=")
		word, ours := strings.CutPrefix(name, VariablePrefix)
		if !ours || name == FilesVariable || name == programVariable || strings.HasPrefix(name, testPrefix) {
			continue
		}
		if path, found := pathOf(root.Type(), "", word); found {
			d.from(name, func() { d.assign(root, path, value) })
		} else if !serviceVariable.MatchString(name) {
			d.problems = append(d.problems, Problem{Source: name, Message: "unknown variable" + suggestVariable(name)})
		}
	}
}

// pathOf finds the path below path that the rest of a variable's name, word, stands for.
func pathOf(t reflect.Type, path, word string) (found string, ok bool) {
	if word == "" {
		return path, true
	}
	switch shapeOf(t) {
	case section:
		for _, f := range fieldsOf(t) {
			below, match := strings.CutPrefix(word, variableWord(f.key))
			if !match || below != "" && below[0] != '_' {
				continue
			}
			if found, ok = pathOf(f.typ, join(path, f.key), strings.TrimPrefix(below, "_")); ok {
				return found, true
			}
		}
	case list:
		index, below, _ := strings.Cut(word, "_")
		if index != "" && strings.Trim(index, "0123456789") == "" {
			return pathOf(t.Elem(), fmt.Sprintf("%s[%s]", path, index), below)
		}
	}
	return "", false
}

func suggestVariable(name string) string {
	var names []string
	for _, key := range Keys() {
		names = append(names, key.Variable)
	}
	return cmp.Or(addQuestion(spelling.Nearest(name, names)), ": config keys --all lists them")
}

func addQuestion(name string) string {
	if name == "" {
		return ""
	}
	return ": did you mean " + name + "?"
}

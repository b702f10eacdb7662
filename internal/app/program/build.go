package program

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// Version names the program in one line, for a document, a log or a metric.
func Version() string { return buildOf(debug.ReadBuildInfo()).String() }

// Description is what the command version prints.
func Description() string {
	b := buildOf(debug.ReadBuildInfo())
	return fmt.Sprintf("fairstream %s, %s\n%s\n", b.version, b.compiler, b.revisionWords())
}

// build is what go build stamped into the program.
type build struct {
	version  string // of the module
	revision string // the commit, empty if it is not known
	modified bool   // the checkout had changes that were not committed
	compiler string // the version of Go
}

func buildOf(info *debug.BuildInfo, ok bool) build {
	if !ok {
		return build{version: "unknown", compiler: runtime.Version()}
	}
	b := build{version: strings.Replace(info.Main.Version, "(devel)", "development", 1), compiler: info.GoVersion}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.revision = setting.Value
		case "vcs.modified":
			b.modified = setting.Value == "true"
		}
	}
	return b
}

func (b build) String() string {
	words := []string{b.version}
	if b.revision != "" {
		words = append(words, b.revision[:min(12, len(b.revision))])
	}
	if b.modified {
		words = append(words, "modified")
	}
	return strings.Join(append(words, b.compiler), " ")
}

func (b build) revisionWords() string {
	switch {
	case b.revision == "":
		return "The revision is not known: fairstream version --help has the reasons."
	case b.modified:
		return "revision " + b.revision + ", modified"
	}
	return "revision " + b.revision
}

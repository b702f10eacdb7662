package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func newVersion(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program, the revision it was built from, and that of Go",
		Long: `Print the version of the program, the revision it was built from, and that of Go. A revision is marked
as modified if the checkout had changes that were not committed.

go build takes the revision from the checkout. It is not known if the program was built outside a
checkout, in a git worktree, or with -buildvcs=false (see go env GOFLAGS).`,
		Example: "  fairstream version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			b := buildOf(debug.ReadBuildInfo())
			_, err := fmt.Fprintf(s.out, "fairstream %s, %s\n%s\n", b.version, b.compiler, b.revisionWords())
			return inWork(err)
		},
	}
}

// version names the program in one line, for a document, a log or a metric.
func version() string { return buildOf(debug.ReadBuildInfo()).String() }

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

package program

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestRevision(t *testing.T) {
	stamped := func(settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{GoVersion: "go1.26.4", Main: debug.Module{Version: "(devel)"}, Settings: settings}
	}
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "fad123d8c093124535cf53dcfc8b237cb69f604f"}
	for name, c := range map[string]struct {
		info           *debug.BuildInfo
		line, revision string
	}{
		"a clean checkout": {stamped(commit, debug.BuildSetting{Key: "vcs.modified", Value: "false"}),
			"development fad123d8c093 go1.26.4", "revision fad123d8c093124535cf53dcfc8b237cb69f604f"},
		"a changed checkout": {stamped(commit, debug.BuildSetting{Key: "vcs.modified", Value: "true"}),
			"development fad123d8c093 modified go1.26.4", "revision fad123d8c093124535cf53dcfc8b237cb69f604f, modified"},
		"no stamp": {stamped(), "development go1.26.4", "The revision is not known: fairstream version --help has the reasons."},
		"nothing":  {nil, "unknown " + runtime.Version(), "The revision is not known: fairstream version --help has the reasons."},
	} {
		b := buildOf(c.info, c.info != nil)
		if b.String() != c.line || b.revisionWords() != c.revision {
			t.Errorf("%s: %q, %q", name, b.String(), b.revisionWords())
		}
	}
}

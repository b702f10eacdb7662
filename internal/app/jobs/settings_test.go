package jobs

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
)

// TestSettingsWithoutEffect are told of: sections server and log of a file that are others than those of the process.
func TestSettingsWithoutEffect(t *testing.T) {
	y := newYard(t)
	of := func(name, text string) Configured {
		y.write(name, name[:1], text)
		loaded, err := config.Load(config.Sources{Files: []string{filepath.Join(y.dir, name)}}, config.Serving)
		if err != nil {
			t.Fatal(err)
		}
		return Configured{loaded, name}
	}
	process := of("p.yaml", "server: {address: 127.0.0.1:1}\nlog: {level: warn}\n")
	core, told := observer.New(zap.WarnLevel)
	warnOfOthers(zap.New(core), process, &Found{Jobs: []Configured{process, of("a.yaml", ""), of("b.yaml", "server: {address: 127.0.0.1:1}\nlog: {level: warn}\n"),
		of("c.yaml", "server: {address: 127.0.0.1:2}\n"), of("d.yaml", "log: {level: debug}\n")}})
	var got []string
	for _, entry := range told.All() {
		fields := entry.ContextMap()
		got = append(got, fmt.Sprint(fields["file"], " ", fields["section"], " ", fields["in_effect"]))
	}
	if slices.Sort(got); !slices.Equal(got, []string{"c.yaml server p.yaml", "d.yaml log p.yaml"}) {
		t.Errorf("%q", got)
	}
}

// TestAProcessThatCannotBegin says why, and runs no job.
func TestAProcessThatCannotBegin(t *testing.T) {
	y := newYard(t)
	y.write("a.yaml", "a", "server: {address: 127.0.0.1:0}\n")
	for says, change := range map[string]func(*config.Config){
		"loud":                              func(c *config.Config) { c.Log.Level = "loud" },
		"server.token_file: cannot be read": func(c *config.Config) { c.Server.TokenFile = "missing" },
		"server.address: listen tcp: lookup tcp/none": func(c *config.Config) { c.Server.Address = "127.0.0.1:none" },
	} {
		loaded, err := config.Load(config.Sources{Files: []string{filepath.Join(y.dir, "a.yaml")}}, config.Serving)
		if err != nil {
			t.Fatal(err)
		}
		change(&loaded.Config)
		p := &Process{Streams: &program.Streams{Out: io.Discard, Err: io.Discard}, UntilEnd: true}
		if err := p.Run(t.Context(), &Found{Jobs: []Configured{{loaded, "a.yaml"}}}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	if settings, err := Settings([]string{t.TempDir()}, func([]string) (*config.Loaded, error) { return nil, nil }); err == nil || settings != nil {
		t.Errorf("of a directory without a file: %+v, %v", settings, err)
	}
}

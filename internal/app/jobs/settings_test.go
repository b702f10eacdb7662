package jobs

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

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

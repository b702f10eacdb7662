package backfill

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStart: what a backfill wrote is read again, with one of two flags, and nothing else is.
func TestStart(t *testing.T) {
	b, _ := prepared(t, filepath.Join(adultFiles(t, 2, 1500), "part-*"))
	if err := b.Configure(adultConfig(), nil); err != nil {
		t.Fatal(err)
	}
	if err := b.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	config := adultConfig().Model()
	from, err := (&Start{From: b.Output, Offsets: "0:1200, 1:980"}).Read(config)
	if err != nil {
		t.Fatal(err)
	}
	if len(from.Offsets) != 2 || from.Offsets[0] != 1200 || from.Offsets[1] != 980 || len(from.SHA256) != 64 {
		t.Errorf("%v %s", from.Offsets, from.SHA256)
	}
	if from, err = (&Start{From: b.Output, Time: "2025-11-21T08:30:00Z"}).Read(config); err != nil || from.Offsets != nil {
		t.Errorf("%v: %v", from, err)
	}

	data, err := os.ReadFile(b.Output)
	if err != nil {
		t.Fatal(err)
	}
	torn := filepath.Join(t.TempDir(), "torn.state")
	write(t, torn, string(data[:len(data)-1]))
	for _, one := range []struct {
		start Start
		words string
	}{
		{Start{Offsets: "0:1"}, "need --start-from"},
		{Start{From: b.Output}, "--start-offsets or --start-time"},
		{Start{From: b.Output, Offsets: "0:1,0:2"}, "twice"},
		{Start{From: b.Output, Offsets: "0"}, "PARTITION:OFFSET"},
		{Start{From: b.Output, Offsets: "-1:3"}, "PARTITION:OFFSET"},
		{Start{From: b.Output, Time: "yesterday"}, "--start-time yesterday"},
		{Start{From: b.Output, Time: "2126-11-21T08:30:00Z"}, "is in the future"},
		{Start{From: torn, Offsets: "0:1"}, "torn.state"},
		{Start{From: filepath.Join(t.TempDir(), "none"), Offsets: "0:1"}, "no such file"},
	} {
		if !one.start.Given() {
			t.Errorf("%+v is not given", one.start)
		}
		if _, err := one.start.Read(config); err == nil || !strings.Contains(err.Error(), one.words) {
			t.Errorf("%+v: %v, and not %q", one.start, err, one.words)
		}
	}
	config.Record.Label.Field = "other"
	if _, err := (&Start{From: b.Output, Offsets: "0:1"}).Read(config); err == nil || !strings.Contains(err.Error(), "record.label") ||
		!strings.Contains(err.Error(), "fairstream backfill") || strings.Contains(err.Error(), "state reset") {
		t.Errorf("a state of another configuration: %v", err)
	}
	for at := range data { // every hundredth byte, and each of the first
		if at < 100 || at%(len(data)/100) == 0 {
			write(t, torn, string(data[:at])+string(data[at]^0x20)+string(data[at+1:]))
			if _, err := (&Start{From: torn, Offsets: "0:1"}).Read(adultConfig().Model()); err == nil || !strings.Contains(err.Error(), torn) {
				t.Errorf("with another byte at %d: %v", at, err)
			}
		}
	}
}

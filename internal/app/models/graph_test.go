package models

import (
	"os"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
)

// TestAGraphInAFile is the one that is printed. It replaces an earlier one, and neither another file nor the document.
func TestAGraphInAFile(t *testing.T) {
	stage := apptest.NewStage(t)
	text := string(learnt(t, "record: {label: {field: paid, positive: 1}, ignore: [pay]}\nconstraints: [{name: sex, attribute: sex, group: M, versus: F, tau: 0.2}]\n"))
	files := map[string]string{"w.json": text, "other.onnx": "\x08\x08\x12\x07pytorch"}
	apptest.InDirectory(t, files)
	printed := stage.Writes(t, (&Weights{Streams: stage.Streams, File: "w.json"}).Graph)
	for range 2 {
		if said := stage.Writes(t, (&Weights{Streams: stage.Streams, File: "w.json", Output: "m.onnx"}).Graph); said != "" {
			t.Errorf("besides, it prints %d bytes", len(said))
		}
		if written, err := os.ReadFile("m.onnx"); err != nil || strings.TrimSpace(string(written)) != strings.TrimSpace(printed) {
			t.Errorf("%d bytes are in the file, %d are printed: %v", len(written), len(printed), err)
		}
	}
	for name, before := range files {
		err := (&Weights{Streams: stage.Streams, File: "w.json", Output: name}).Graph(t.Context())
		if after, _ := os.ReadFile(name); err == nil || string(after) != before {
			t.Errorf("%s is replaced: %v", name, err)
		}
	}
}

package embedded

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/replay"
	"github.com/fairstream/fairstream/internal/config"
)

// What users are given is the job of the demo.
func TestBundledYAMLIsTheBundledConfiguration(t *testing.T) {
	file, err := WriteYAML(t.TempDir(), "127.0.0.1:9092")
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := config.Load(config.Sources{Files: []string{file}}, config.Streaming)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := loaded.Model().Fingerprint(), replay.BundledConfig().Model().Fingerprint(); got != want || loaded.Job != replay.BundledConfig().Job {
		t.Errorf("job %s, fingerprint %s, want %s", loaded.Job, got, want)
	}
}

// TestTheBrokerReplacesItsOwnConfigurationOnly: its data directory may hold files of the user.
func TestTheBrokerReplacesItsOwnConfigurationOnly(t *testing.T) {
	directory := t.TempDir()
	for range 2 {
		if _, err := WriteYAML(directory, "127.0.0.1:1"); err != nil {
			t.Fatal(err)
		}
	}
	own := filepath.Join(directory, "adult.yaml")
	if err := os.WriteFile(own, []byte("job: mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteYAML(directory, "127.0.0.1:1"); err == nil || !strings.Contains(err.Error(), "is not replaced") {
		t.Error(err)
	}
	if text, err := os.ReadFile(own); err != nil || string(text) != "job: mine\n" {
		t.Errorf("%s %v", text, err)
	}
}

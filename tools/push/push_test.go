package main

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// TestPush: a registry on this machine has the image afterwards, by the same digest.
func TestPush(t *testing.T) {
	server := httptest.NewServer(registry.New())
	defer server.Close()
	index, err := random.Index(100, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	directory, archive := t.TempDir(), filepath.Join(t.TempDir(), "image.tar")
	path, err := layout.Write(directory, empty.Index)
	if err != nil {
		t.Fatal(err)
	}
	if err := path.AppendIndex(index); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command("tar", "-cf", archive, "-C", directory, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	image := strings.TrimPrefix(server.URL, "http://") + "/fairstream:v1.2.3"
	if err := push(archive, image); err != nil {
		t.Fatal(err)
	}
	reference, err := name.ParseReference(image)
	if err != nil {
		t.Fatal(err)
	}
	there, err := remote.Index(reference)
	if err != nil {
		t.Fatal(err)
	}
	want, err := index.Digest()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := there.Digest(); err != nil || got != want {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if err := os.WriteFile(archive, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if push(archive, image) == nil || push(archive, "no tag") == nil {
		t.Error("an archive without an image, or no name, was let pass")
	}
}

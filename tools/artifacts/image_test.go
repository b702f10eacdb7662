package artifacts

import (
	"archive/tar"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// compressedBound is what an image may weigh in a registry.
const compressedBound = 40_000_000

// images are those of the release by architecture.
func images(t *testing.T) map[string]v1.Image {
	t.Helper()
	directory := t.TempDir()
	succeed(t, "tar", "-xf", the(t, "_image.tar"), "-C", directory)
	path, err := layout.FromPath(directory)
	if err != nil {
		t.Fatal(err)
	}
	outer, err := path.ImageIndex()
	if err != nil {
		t.Fatal(err)
	}
	list, err := outer.IndexManifest()
	if err != nil || len(list.Manifests) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	index, err := outer.ImageIndex(list.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]v1.Image{}
	for _, m := range manifest.Manifests {
		image, err := index.Image(m.Digest)
		if err != nil {
			t.Fatal(err)
		}
		all[m.Platform.Architecture] = image
	}
	return all
}

// TestImageIsSmall, belongs to two architectures, and has neither a shell nor another program.
func TestImageIsSmall(t *testing.T) {
	all := images(t)
	if len(all) != 2 || all["amd64"] == nil || all["arm64"] == nil {
		t.Fatalf("%v", all)
	}
	for architecture, image := range all {
		manifest, err := image.Manifest()
		if err != nil {
			t.Fatal(err)
		}
		size := manifest.Config.Size
		for _, layer := range manifest.Layers {
			size += layer.Size
		}
		if size >= compressedBound {
			t.Errorf("%s: %d bytes", architecture, size)
		}
		var programs []string
		unpack(t, image, func(header *tar.Header, _ io.Reader) {
			if header.Typeflag == tar.TypeReg && header.Mode&0o111 != 0 {
				programs = append(programs, header.Name)
			}
			if header.Mode&0o7022 != 0 {
				t.Errorf("%s: mode %o", header.Name, header.Mode)
			}
		})
		if strings.Join(programs, " ") != "usr/local/bin/fairstream" {
			t.Errorf("%s: programs %v", architecture, programs)
		}
	}
}

func unpack(t *testing.T, image v1.Image, each func(*tar.Header, io.Reader)) {
	t.Helper()
	for r := tar.NewReader(mutate.Extract(image)); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		each(header, r)
	}
}

// TestImageRuns: its files as a root that is mounted read-only, as its user, without a container engine.
func TestImageRuns(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("skipped: not root: the image was not run as its user")
	}
	need(t, "unshare", "the image was not run")
	image := images(t)[runtime.GOARCH]
	root := t.TempDir()
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	unpack(t, image, func(header *tar.Header, content io.Reader) {
		path := filepath.Join(root, header.Name)
		if header.Typeflag == tar.TypeDir {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			return
		}
		text, err := io.ReadAll(content)
		if err == nil {
			err = os.WriteFile(path, text, os.FileMode(header.Mode))
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	inside := func(arguments ...string) (string, error) {
		script := `mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec env -i ` + strings.Join(config.Config.Env, " ") + ` "$(command -v chroot)"` +
			` --userspec=` + config.Config.User + ` --groups= "$0" ` + strings.Join(append(config.Config.Entrypoint, arguments...), " ")
		output, err := exec.Command("unshare", "--mount", "sh", "-c", script, root).CombinedOutput()
		return string(output), err
	}
	if said, err := inside("version"); err != nil || !strings.Contains(said, "fairstream v") {
		if strings.Contains(said, "unshare") {
			t.Skipf("skipped: this machine permits no mount of its own: the image was not run: %s", said)
		}
		t.Fatalf("%v: %s", err, said)
	}
	if said, err := inside("config", "keys"); err != nil || !strings.Contains(said, "tau") {
		t.Errorf("%v: %s", err, said)
	}
	// Nobody listens: the check of health is there, and says no.
	var exit *exec.ExitError
	if said, err := inside("health", "--set", "server.address=127.0.0.1:1"); !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(said, "127.0.0.1:1") {
		t.Errorf("%v: %s", err, said)
	}
	// It may write nowhere.
	if said, err := inside("keys", "generate", "--output", "/key"); err == nil {
		t.Errorf("a file was written: %s", said)
	}
	if said, err := inside("demo"); err != nil {
		t.Errorf("%v: %s", err, said)
	}
}

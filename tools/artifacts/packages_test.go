package artifacts

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sassoftware/go-rpmutils"
)

// TestDeb unpacks the package into a root of its own, and runs what is in it.
func TestDeb(t *testing.T) {
	need(t, "dpkg-deb", "the .deb was not unpacked")
	root := t.TempDir()
	succeed(t, "dpkg-deb", "--extract", the(t, "_"+runtime.GOARCH+".deb"), root)
	installed(t, root)
}

func TestRpm(t *testing.T) {
	architecture := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	in, err := os.Open(the(t, "."+architecture+".rpm"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }() // it was read
	r, err := rpmutils.ReadRpm(in)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := r.ExpandPayload(root); err != nil {
		t.Fatal(err)
	}
	// ExpandPayload leaves the rights to the one who unpacks.
	infos, err := r.Header.GetFiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range infos {
		if err := os.Chmod(filepath.Join(root, info.Name()), os.FileMode(info.Mode()).Perm()); err != nil {
			t.Fatal(err)
		}
	}
	installed(t, root)
}

// installed checks a root into which a package was unpacked.
func installed(t *testing.T, root string) {
	t.Helper()
	program := filepath.Join(root, "usr/bin/fairstream")
	if said := succeed(t, program, "version"); !strings.Contains(said, "fairstream v") || !strings.Contains(said, "revision ") {
		t.Errorf("%s", said)
	}
	if said := succeed(t, program, "demo"); !strings.Contains(said, "met") && !strings.Contains(said, "inconclusive") {
		t.Errorf("%s", said)
	}
	t.Run("completion", func(t *testing.T) {
		need(t, "bash", "the completion was not read")
		succeed(t, "bash", "-n", filepath.Join(root, "usr/share/bash-completion/completions/fairstream"))
	})
	t.Run("man", func(t *testing.T) {
		need(t, "man", "the pages were not read")
		pages, err := filepath.Glob(filepath.Join(root, "usr/share/man/man1/*.gz"))
		if err != nil || len(pages) < 30 {
			t.Errorf("%d pages, %v", len(pages), err)
		}
		if said := succeed(t, "man", "--warnings", "-l", filepath.Join(root, "usr/share/man/man1/fairstream-run.1.gz")); !strings.Contains(said, "--config") || strings.Contains(said, "warning:") {
			t.Errorf("%s", said)
		}
	})
	t.Run("unit", func(t *testing.T) {
		need(t, "systemd-analyze", "the unit was not verified")
		for _, name := range []string{"fairstream", "fairstream-serve"} {
			unit := filepath.Join(root, "usr/lib/systemd/system", name+"@.service")
			// The unit's program is not installed here: verify an instance whose command is that of the root.
			text, err := os.ReadFile(unit)
			if err != nil {
				t.Fatal(err)
			}
			here := filepath.Join(t.TempDir(), name+"@loans.service")
			if err := os.WriteFile(here, []byte(strings.ReplaceAll(string(text), "/usr/bin/fairstream", program)), 0o600); err != nil {
				t.Fatal(err)
			}
			if said := succeed(t, "systemd-analyze", "verify", "--man=no", here); said != "" {
				t.Errorf("%s", said)
			}
			// 2.0 of 10: "OK". What is left is that it speaks to the network.
			succeed(t, "systemd-analyze", "security", "--offline=true", "--threshold=20", unit)
		}
		need(t, "systemd-sysusers", "the user was not made")
		if err := os.MkdirAll(filepath.Join(root, "etc"), 0o755); err != nil {
			t.Fatal(err)
		}
		succeed(t, "systemd-sysusers", "--root="+root, "fairstream.conf")
		if users, err := os.ReadFile(filepath.Join(root, "etc/passwd")); err != nil || !strings.Contains(string(users), "fairstream:") || strings.Contains(string(users), "/bin/sh") {
			t.Errorf("%s, %v", users, err)
		}
	})
}

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
)

var day = time.Unix(1_700_000_000, 0).UTC()

func testParcel() *parcel {
	return &parcel{version: "1.2.3-rc.1", architecture: "amd64", date: day, program: []byte("#!/bin/sh\necho run\n"),
		completions: []file{{"bash/fairstream", 0o644, []byte("b")}, {"zsh/_fairstream", 0o644, []byte("z")}},
		pages:       []file{{"fairstream.1", 0o644, []byte(".TH X\n")}}, documents: []file{{"LICENSE", 0o644, []byte("l")}},
		unit: []byte("[Unit]\n"), user: []byte("u fairstream\n"), installed: []byte("#!/bin/sh\n"), removed: []byte("#!/bin/sh\n")}
}

// TestSameBytes: what is packed twice is the same, whatever the clock says and however the files come.
func TestSameBytes(t *testing.T) {
	c := &checkout{version: "v1.2.3", revision: "abc", date: day}
	files := []file{{"b/two", 0o755, []byte("2")}, {"a", 0o644, []byte("1")}}
	for name, pack := range map[string]func() (file, error){
		"tar": func() (file, error) { return archive(platform{"linux", "amd64"}, "v1.2.3", files, day) },
		"zip": func() (file, error) { return archive(platform{"windows", "amd64"}, "v1.2.3", files, day) },
		"deb": func() (file, error) { return testParcel().pack("deb", t.TempDir()) },
		"rpm": func() (file, error) { return testParcel().pack("rpm", t.TempDir()) },
		"image": func() (file, error) {
			image, err := imageOf("amd64", files, c)
			if err != nil {
				return file{}, err
			}
			return imageArchive(map[string]v1.Image{"amd64": image}, []string{"amd64"}, c, t.TempDir())
		},
	} {
		first, err := pack()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		files[0], files[1] = files[1], files[0]
		second, err := pack()
		if err != nil || !bytes.Equal(first.content, second.content) || first.path != second.path {
			t.Errorf("%s: two runs differ: %v", name, err)
		}
	}
}

// TestPackage: dpkg reads the package, and finds its files with their rights.
func TestPackage(t *testing.T) {
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Skip("skipped: dpkg-deb is not installed, so the .deb was made and not read")
	}
	made, err := testParcel().pack("deb", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), made.path)
	if err := os.WriteFile(path, made.content, 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := exec.Command("dpkg-deb", "--contents", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"-rwxr-xr-x root/root", "./usr/bin/fairstream", "drwxr-x--- root/root         0 2023-11-14 22:13 ./etc/fairstream/",
		"./usr/lib/systemd/system/fairstream@.service", "./usr/lib/systemd/system/fairstream-serve@.service", "./usr/lib/sysusers.d/fairstream.conf", "./usr/share/man/man1/fairstream.1.gz",
		"./usr/share/bash-completion/completions/fairstream", "./usr/share/zsh/site-functions/_fairstream"} {
		if !strings.Contains(string(list), want) {
			t.Errorf("no %q in\n%s", want, list)
		}
	}
	if version, err := exec.Command("dpkg-deb", "--field", path, "Version").Output(); err != nil || strings.TrimSpace(string(version)) != "1.2.3~rc.1" {
		t.Errorf("version %s: %v", version, err)
	}
}

// TestImage has the files as layers, and the same user, variables, entry point and health check as the Dockerfile's image.
func TestImage(t *testing.T) {
	c := &checkout{version: "v1.2.3", revision: "abc", date: day}
	image, err := imageFor(c, platform{"linux", "arm64"}, []byte("program"), []file{{"examples/adult.yaml", 0o644, []byte("job: adult\n")}, {"README.md", 0o644, nil}})
	if err != nil {
		t.Fatal(err)
	}
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{"USER " + config.Config.User, "ENV " + strings.Join(config.Config.Env, " "), "STOPSIGNAL " + config.Config.StopSignal,
		fmt.Sprintf("ENTRYPOINT [%q]", config.Config.Entrypoint[0]), fmt.Sprintf("CMD [%q]", config.Config.Cmd[0]),
		fmt.Sprintf("HEALTHCHECK --interval=%v --timeout=%v --start-period=%v --retries=%d CMD [%q, %q]", config.Config.Healthcheck.Interval, config.Config.Healthcheck.Timeout,
			config.Config.Healthcheck.StartPeriod, config.Config.Healthcheck.Retries, config.Config.Healthcheck.Test[1], config.Config.Healthcheck.Test[2])}
	for port := range config.Config.ExposedPorts {
		lines = append(lines, "EXPOSE "+strings.TrimSuffix(port, "/tcp"))
	}
	for _, line := range lines {
		if !strings.Contains(string(text), "\n"+line+"\n") {
			t.Errorf("the Dockerfile has no line %q", line)
		}
	}
	if config.Architecture != "arm64" || config.Config.Labels["org.opencontainers.image.revision"] != "abc" {
		t.Errorf("%+v", config)
	}
	names := map[string]int64{}
	for r := tar.NewReader(mutate.Extract(image)); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		names[header.Name] = header.Size
	}
	if names["usr/local/bin/fairstream"] != 7 || names["etc/fairstream/adult.yaml"] == 0 || names["etc/ssl/certs/ca-certificates.crt"] < 100_000 {
		t.Errorf("%v", names)
	}
	if _, there := names["usr/share/doc/fairstream/README.md"]; there {
		t.Errorf("%v", names)
	}
}

// TestClone: a release is of a commit, under a version that Go takes, and changes that are not committed are left out.
func TestClone(t *testing.T) {
	repository := t.TempDir()
	for _, arguments := range [][]string{{"init", "--quiet"}, {"-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "--allow-empty", "-m", "x"}} {
		if _, err := git(repository, arguments...); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(repository, "new"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := clone(repository, filepath.Join(t.TempDir(), "source"), "v0.1.0")
	if err != nil {
		t.Fatal(err)
	}
	tag, err := git(c.directory, "describe", "--tags", "--exact-match")
	if _, there := os.Stat(filepath.Join(c.directory, "new")); err != nil || tag != "v0.1.0" || !c.unsaved || there == nil {
		t.Errorf("%s, %v, %v, %v", tag, err, c.unsaved, there)
	}
	for _, version := range []string{"", "0.1.0", "v2.0.0", "v0.1", "v01.0.0", "latest"} {
		if _, err := clone(repository, t.TempDir(), version); err == nil || !strings.Contains(err.Error(), "v0.X.Y") {
			t.Errorf("%s: %v", version, err)
		}
	}
}

func TestSums(t *testing.T) {
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	if got := string(sums([]file{{"b", 0, nil}, {"a", 0, nil}}).content); got != empty+"  a\n"+empty+"  b\n" {
		t.Errorf("%q", got)
	}
	packed, err := compressed([]byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil || !r.ModTime.IsZero() {
		t.Errorf("%v: gzip holds a time: %v", err, r.ModTime)
	}
}

// TestSign: an SSH key signs the checksums, and ssh-keygen verifies them.
func TestSign(t *testing.T) {
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("skipped: ssh-keygen is not installed, so no signature was made")
	}
	directory := t.TempDir()
	key := filepath.Join(directory, "key")
	if said, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if err := os.WriteFile(filepath.Join(directory, "SHA256SUMS"), []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := sign(directory, key); err != nil {
		t.Fatal(err)
	}
	verify := func(text string) error {
		command := exec.Command("ssh-keygen", "-Y", "check-novalidate", "-n", "file", "-s", filepath.Join(directory, "SHA256SUMS.sig"))
		command.Stdin = strings.NewReader(text)
		return command.Run()
	}
	if verify("x\n") != nil || verify("y\n") == nil {
		t.Error("the signature is not that of the checksums")
	}
}

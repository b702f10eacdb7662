package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // the formats that nfpm.Get knows
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// parcel is what goes into the packages of one architecture.
type parcel struct {
	version      string // 1.2.3
	architecture string // as Go names it
	date         time.Time
	program      []byte
	completions  []file
	pages        []file
	documents    []file // for /usr/share/doc/fairstream
	unit         []byte // for a job
	serveUnit    []byte // for decisions over HTTP
	user         []byte // for systemd-sysusers
	installed    []byte // scripts
	removed      []byte
}

// places are where completions of a shell belong.
var places = map[string]string{
	"bash": "usr/share/bash-completion/completions/",
	"fish": "usr/share/fish/vendor_completions.d/",
	"zsh":  "usr/share/zsh/site-functions/",
}

// files are those of a package.
func (p *parcel) files() ([]file, error) {
	all := []file{
		{"usr/bin/fairstream", 0o755, p.program},
		{"usr/lib/systemd/system/fairstream@.service", 0o644, p.unit},
		{"usr/lib/systemd/system/fairstream-serve@.service", 0o644, p.serveUnit},
		{"usr/lib/sysusers.d/fairstream.conf", 0o644, p.user},
	}
	for _, f := range p.completions {
		shell, name, _ := strings.Cut(f.path, "/")
		all = append(all, file{places[shell] + name, f.mode, f.content})
	}
	for _, f := range p.pages {
		content, err := compressed(f.content)
		if err != nil {
			return nil, err
		}
		all = append(all, file{"usr/share/man/man1/" + f.path + ".gz", f.mode, content})
	}
	for _, f := range p.documents {
		all = append(all, file{"usr/share/doc/fairstream/" + f.path, f.mode, f.content})
	}
	return ordered(all), nil
}

// pack makes a package; format is deb or rpm, and scratch a directory for files in between.
func (p *parcel) pack(format, scratch string) (file, error) {
	all, err := p.files()
	if err != nil {
		return file{}, err
	}
	stamp := &files.ContentFileInfo{Owner: "root", Group: "root", Mode: 0o750, MTime: p.date}
	contents := files.Contents{{Destination: "/etc/fairstream", Type: files.TypeDir, FileInfo: stamp}}
	for i, f := range all {
		source := filepath.Join(scratch, strconv.Itoa(i))
		if err := os.WriteFile(source, f.content, 0o600); err != nil {
			return file{}, err
		}
		contents = append(contents, &files.Content{Source: source, Destination: "/" + f.path,
			FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: os.FileMode(f.mode), MTime: p.date}})
	}
	scripts := nfpm.Scripts{PostInstall: filepath.Join(scratch, "installed"), PostRemove: filepath.Join(scratch, "removed")}
	for path, content := range map[string][]byte{scripts.PostInstall: p.installed, scripts.PostRemove: p.removed} {
		if err := os.WriteFile(path, content, 0o700); err != nil {
			return file{}, err
		}
	}
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "fairstream", Arch: p.architecture, Platform: "linux", Version: p.version, VersionSchema: "semver", MTime: p.date,
		Section: "science", Priority: "optional", Maintainer: "The authors of fairstream <https://github.com/fairstream/fairstream>",
		Homepage: "https://github.com/fairstream/fairstream", License: "Apache-2.0", DisableGlobbing: true,
		Description: "Fair linear models from streams of labelled records\nfairstream trains a linear model on a Kafka topic in one pass and keeps the rates of positive\ndecisions of two groups within a bound.",
		Overridables: nfpm.Overridables{Contents: contents, Scripts: scripts,
			// The build host is in each .rpm: it is no one's business, and would differ between two machines.
			RPM: nfpm.RPM{BuildHost: "localhost", Summary: "Fair linear models from streams of labelled records"}},
	})
	packager, err := nfpm.Get(format)
	if err != nil {
		return file{}, err
	}
	if err := nfpm.PrepareForPackager(info, format); err != nil {
		return file{}, err
	}
	var b bytes.Buffer
	if err := packager.Package(info, &b); err != nil {
		return file{}, err
	}
	return file{packager.ConventionalFileName(info), 0o644, b.Bytes()}, nil
}

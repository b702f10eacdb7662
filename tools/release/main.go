package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/fairstream/fairstream/tools/licences"
)

func main() {
	version := flag.String("version", "", "`VERSION` of the release, such as v0.1.0")
	repository := flag.String("repository", "..", "`DIRECTORY` of the checkout")
	out := flag.String("out", "../dist", "`DIRECTORY` to write, which must be new or empty")
	key := flag.String("key", "", "`FILE` of an SSH key that signs the checksums")
	flag.Parse()
	if err := run(*repository, *out, *version, *key); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(repository, out, version, key string) (err error) {
	if there, err := os.ReadDir(out); err == nil && len(there) > 0 {
		return fmt.Errorf("%s is not empty: remove it, so that the checksums are those of one release", out)
	}
	scratch, err := os.MkdirTemp("", "fairstream-release")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	c, err := clone(repository, filepath.Join(scratch, "source"), version)
	if err != nil {
		return err
	}
	if c.unsaved {
		fmt.Fprintln(os.Stderr, "release: changes that are not committed are left out")
	}
	files, err := all(c, scratch)
	if err != nil {
		return err
	}
	files = append(files, sums(files))
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(out, f.path), f.content, os.FileMode(f.mode)); err != nil {
			return err
		}
		fmt.Printf("%6.1f MB  %s\n", float64(len(f.content))/1e6, f.path)
	}
	if key != "" {
		return sign(out, key)
	}
	return nil
}

// all makes every file of the release but the checksums.
func all(c *checkout, scratch string) ([]file, error) {
	modules, err := licences.Of(c.directory, "./cmd/fairstream")
	if err != nil {
		return nil, err
	}
	programs := filepath.Join(scratch, "programs")
	host, err := c.host(programs)
	if err != nil {
		return nil, err
	}
	completions, pages, err := c.helpers(host)
	if err != nil {
		return nil, err
	}
	documents := []file{{"THIRD-PARTY.txt", 0o644, []byte(licences.Texts(modules))}}
	for path, as := range map[string]string{"LICENSE": "LICENSE", "NOTICE": "NOTICE", "README.md": "README.md", "CHANGELOG.md": "CHANGELOG.md",
		"internal/adult/ATTRIBUTION": "ATTRIBUTION", "deploy/adult.yaml": "examples/adult.yaml"} {
		f, err := c.read(path, as, 0o644)
		if err != nil {
			return nil, err
		}
		documents = append(documents, f)
	}
	wheels, err := wheelsOf(c, documents)
	if err != nil {
		return nil, err
	}
	pure, err := wheels.pure()
	if err != nil {
		return nil, err
	}
	files := []file{pure}
	images := map[string]v1.Image{}
	for _, p := range platforms() {
		program, err := c.build(p, programs)
		if err != nil {
			return nil, err
		}
		inside := append([]file{{p.programFile(), 0o755, program}}, documents...)
		for _, f := range completions {
			inside = append(inside, file{"completions/" + f.path, f.mode, f.content})
		}
		for _, f := range pages {
			inside = append(inside, file{"man/" + f.path, f.mode, f.content})
		}
		made, err := archive(p, c.version, inside, c.date)
		if err != nil {
			return nil, err
		}
		list, err := bill(strings.Join([]string{"fairstream", c.version, p.system, p.architecture}, "_"), program, modules, c)
		if err != nil {
			return nil, err
		}
		wheel, err := wheels.carrying(p, program)
		if err != nil {
			return nil, err
		}
		files = append(files, made, list, wheel)
		if p.system != "linux" {
			continue
		}
		packages, err := packagesOf(c, p, program, completions, pages, documents, scratch)
		if err != nil {
			return nil, err
		}
		files = append(files, packages...)
		if images[p.architecture], err = imageFor(c, p, program, documents); err != nil {
			return nil, err
		}
	}
	image, err := imageArchive(images, []string{"amd64", "arm64"}, c, filepath.Join(scratch, "image"))
	return append(files, image), err
}

// packagesOf makes .deb and .rpm.
func packagesOf(c *checkout, p platform, program []byte, completions, pages, documents []file, scratch string) ([]file, error) {
	parcel := &parcel{version: strings.TrimPrefix(c.version, "v"), architecture: p.architecture, date: c.date, program: program,
		completions: completions, pages: pages, documents: documents}
	for path, content := range map[string]*[]byte{
		"fairstream@.service": &parcel.unit, "fairstream-serve@.service": &parcel.serveUnit,
		"sysusers.conf": &parcel.user, "after-install.sh": &parcel.installed, "after-remove.sh": &parcel.removed} {
		f, err := c.read("deploy/systemd/"+path, path, 0o644)
		if err != nil {
			return nil, err
		}
		*content = f.content
	}
	var files []file
	for _, format := range []string{"deb", "rpm"} {
		directory := filepath.Join(scratch, format+p.architecture)
		if err := os.Mkdir(directory, 0o700); err != nil {
			return nil, err
		}
		made, err := parcel.pack(format, directory)
		if err != nil {
			return nil, err
		}
		files = append(files, made)
	}
	return files, nil
}

// imageFor has the program, the bundled configuration, certificates and licences, and nothing else.
func imageFor(c *checkout, p platform, program []byte, documents []file) (v1.Image, error) {
	inside := []file{{"usr/local/bin/fairstream", 0o755, program}, {"etc/ssl/certs/ca-certificates.crt", 0o644, certificates()}}
	for _, f := range documents {
		switch f.path {
		case "examples/adult.yaml":
			inside = append(inside, file{"etc/fairstream/adult.yaml", f.mode, f.content})
		case "LICENSE", "NOTICE", "THIRD-PARTY.txt", "ATTRIBUTION":
			inside = append(inside, file{"usr/share/doc/fairstream/" + f.path, f.mode, f.content})
		}
	}
	return imageOf(p.architecture, inside, c)
}

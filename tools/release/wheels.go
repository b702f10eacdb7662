package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// wheelTags are the tags of a platform's wheel. The programs are static, so any C library will do; Go's oldest macOS is 12.
var wheelTags = map[platform][]string{
	{"linux", "amd64"}:   {"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"},
	{"linux", "arm64"}:   {"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"},
	{"darwin", "amd64"}:  {"macosx_12_0_x86_64"},
	{"darwin", "arm64"}:  {"macosx_12_0_arm64"},
	{"windows", "amd64"}: {"win_amd64"},
}

// wheelPackage is the Python package, as all wheels of a release have it.
type wheelPackage struct {
	version  string // as Python writes it
	date     time.Time
	metadata []byte
	modules  []file
	licences []file
}

// wheelsOf reads the package of a checkout. documents are those of every archive, of which the licences go into the wheels.
func wheelsOf(c *checkout, documents []file) (*wheelPackage, error) {
	root := filepath.Join(c.directory, "clients", "python")
	w := &wheelPackage{version: pythonVersion(c.version), date: c.date}
	err := filepath.WalkDir(filepath.Join(root, "fairstream"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if name := entry.Name(); filepath.Ext(name) != ".py" && name != "py.typed" {
			return fmt.Errorf("%s is no part of a wheel", path)
		}
		inside, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if inside = filepath.ToSlash(inside); inside == "fairstream/_version.py" {
			content = fmt.Appendf(nil, "__version__ = %q\n", w.version)
		}
		w.modules = append(w.modules, file{inside, 0o644, content})
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, f := range documents {
		switch f.path {
		case "LICENSE", "NOTICE", "THIRD-PARTY.txt", "ATTRIBUTION":
			w.licences = append(w.licences, f)
		}
	}
	project, err := os.ReadFile(filepath.Join(root, "pyproject.toml"))
	if err != nil {
		return nil, err
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		return nil, err
	}
	w.metadata, err = w.describe(string(project), readme)
	return w, err
}

var (
	preRelease = regexp.MustCompile(`^(alpha|beta|rc)\.?(\d+)$`)
	otherSigns = regexp.MustCompile(`[^0-9A-Za-z]+`)
)

// pythonVersion is a version as Python's packages write it (PEP 440): v0.1.0-rc.1 is 0.1.0rc1. A suffix that Python does not have stands after a plus sign.
func pythonVersion(version string) string {
	number, suffix, _ := strings.Cut(strings.TrimPrefix(version, "v"), "-")
	if suffix == "" {
		return number
	}
	if found := preRelease.FindStringSubmatch(suffix); found != nil {
		return number + map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[found[1]] + found[2]
	}
	return number + ".dev0+" + strings.Trim(otherSigns.ReplaceAllString(strings.ToLower(suffix), "."), ".")
}

var (
	tomlSection = regexp.MustCompile(`(?m)^\[(.+)\]$`)
	tomlEntry   = regexp.MustCompile(`(?ms)^([a-z-]+) = ("[^"\n]*"|\[.*?\])$`)
	tomlText    = regexp.MustCompile(`"([^"\n]*)"`)
)

// entries are the texts and lists of texts of a section of pyproject.toml, in their order.
func entries(project, section string) (found [][]string) {
	at := strings.Index(project, "["+section+"]\n")
	if at < 0 {
		return nil
	}
	body := project[at+len(section)+3:]
	if next := tomlSection.FindStringIndex(body); next != nil {
		body = body[:next[0]]
	}
	for _, entry := range tomlEntry.FindAllStringSubmatch(body, -1) {
		values := []string{entry[1]}
		for _, text := range tomlText.FindAllStringSubmatch(entry[2], -1) {
			values = append(values, text[1])
		}
		found = append(found, values)
	}
	return found
}

// describe is METADATA, from the section project.
func (w *wheelPackage) describe(project string, readme []byte) ([]byte, error) {
	var b bytes.Buffer
	line := func(key, value string) { fmt.Fprintf(&b, "%s: %s\n", key, value) }
	line("Metadata-Version", "2.4")
	line("Name", "fairstream")
	line("Version", w.version)
	known := map[string]string{"description": "Summary", "license": "License-Expression", "requires-python": "Requires-Python",
		"dependencies": "Requires-Dist", "classifiers": "Classifier"}
	found := map[string]bool{}
	for _, entry := range entries(project, "project") {
		if key := known[entry[0]]; key != "" {
			found[key] = true
			for _, value := range entry[1:] {
				line(key, value)
			}
		}
	}
	if len(found) != len(known) {
		return nil, fmt.Errorf("clients/python/pyproject.toml: only %d of %d keys of project were found", len(found), len(known))
	}
	for _, f := range ordered(w.licences) {
		line("License-File", f.path)
	}
	for _, extra := range entries(project, "project.optional-dependencies") {
		line("Provides-Extra", extra[0])
		for _, needs := range extra[1:] {
			line("Requires-Dist", fmt.Sprintf("%s; extra == %q", needs, extra[0]))
		}
	}
	line("Description-Content-Type", "text/markdown")
	b.WriteString("\n")
	b.Write(readme)
	return b.Bytes(), nil
}

// pure is the wheel without a program: it decides and follows, and has no command and no estimators.
func (w *wheelPackage) pure() (file, error) { return w.pack([]string{"any"}, nil) }

// carrying is the wheel of a platform, which carries its program.
func (w *wheelPackage) carrying(p platform, program []byte) (file, error) {
	tags := wheelTags[p]
	if tags == nil {
		return file{}, fmt.Errorf("no wheel has a tag for %s/%s", p.system, p.architecture)
	}
	script := file{fmt.Sprintf("fairstream-%s.data/scripts/%s", w.version, p.programFile()), 0o755, program}
	return w.pack(tags, []file{script})
}

// pack makes a wheel, which is a ZIP archive with a list of checksums.
func (w *wheelPackage) pack(platforms []string, more []file) (file, error) {
	info := fmt.Sprintf("fairstream-%s.dist-info/", w.version)
	var about strings.Builder
	fmt.Fprintf(&about, "Wheel-Version: 1.0\nGenerator: fairstream\nRoot-Is-Purelib: %t\n", more == nil)
	for _, p := range platforms {
		fmt.Fprintf(&about, "Tag: py3-none-%s\n", p)
	}
	inside := append([]file{{info + "METADATA", 0o644, w.metadata}, {info + "WHEEL", 0o644, []byte(about.String())}}, w.modules...)
	for _, f := range w.licences {
		inside = append(inside, file{info + "licenses/" + f.path, f.mode, f.content})
	}
	inside = ordered(append(inside, more...))
	var record strings.Builder
	for _, f := range inside {
		sum := sha256.Sum256(f.content)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.path, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.content))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	inside = append(inside, file{info + "RECORD", 0o644, []byte(record.String())})

	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for _, f := range inside {
		header := &zip.FileHeader{Name: f.path, Method: zip.Deflate, Modified: w.date.UTC()}
		header.SetMode(fs.FileMode(f.mode))
		part, err := archive.CreateHeader(header)
		if err != nil {
			return file{}, err
		}
		if _, err := part.Write(f.content); err != nil {
			return file{}, err
		}
	}
	err := archive.Close()
	return file{fmt.Sprintf("fairstream-%s-py3-none-%s.whl", w.version, strings.Join(platforms, ".")), 0o644, b.Bytes()}, err
}

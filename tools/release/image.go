package main

import (
	"bytes"
	"encoding/pem"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// certificates are the roots that Mozilla trusts without a condition, as a file of PEM, which could not state one: the image
// has no other.
func certificates() []byte {
	var b bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue
		}
		b.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}))
	}
	return b.Bytes()
}

// imageOf is the image of one architecture. Its configuration is that of the repository's Dockerfile.
func imageOf(architecture string, files []file, c *checkout) (v1.Image, error) {
	content, err := tape(files, c.date)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil },
		tarball.WithMediaType(types.OCILayer), tarball.WithCompressionLevel(9))
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err = mutate.Append(image, mutate.Addendum{Layer: layer, MediaType: types.OCILayer,
		History: v1.History{Created: v1.Time{Time: c.date}, CreatedBy: "go run ./release"}})
	if err != nil {
		return nil, err
	}
	return mutate.ConfigFile(image, configOf(architecture, image, c))
}

func configOf(architecture string, image v1.Image, c *checkout) *v1.ConfigFile {
	config, err := image.ConfigFile()
	if err != nil {
		panic("release: an image made here has a configuration")
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = "linux", architecture, v1.Time{Time: c.date}
	config.Config = v1.Config{
		User:         "65532:65532",
		ExposedPorts: map[string]struct{}{"8468/tcp": {}},
		Env:          []string{"FAIRSTREAM_SERVER_ADDRESS=0.0.0.0:8468", "PATH=/usr/local/bin"},
		Entrypoint:   []string{"fairstream"},
		Cmd:          []string{"--help"},
		StopSignal:   "SIGTERM",
		Healthcheck: &v1.HealthConfig{Test: []string{"CMD", "/usr/local/bin/fairstream", "health"},
			Interval: 10 * time.Second, Timeout: 5 * time.Second, StartPeriod: 20 * time.Second, Retries: 3},
		Labels: map[string]string{
			"org.opencontainers.image.title":         "fairstream",
			"org.opencontainers.image.description":   "Learns fair linear models from Kafka topics",
			"org.opencontainers.image.licenses":      "Apache-2.0",
			"org.opencontainers.image.source":        "https://github.com/fairstream/fairstream",
			"org.opencontainers.image.documentation": "https://github.com/fairstream/fairstream/blob/main/deploy/README.md",
			"org.opencontainers.image.version":       c.version,
			"org.opencontainers.image.revision":      c.revision,
			"org.opencontainers.image.created":       c.date.Format(time.RFC3339),
		},
	}
	return config
}

// imageArchive is the OCI layout of an image for several architectures, as podman load, docker load (25 or newer), skopeo and
// crane read it.
func imageArchive(images map[string]v1.Image, architectures []string, c *checkout, scratch string) (file, error) {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, architecture := range architectures {
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: images[architecture],
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: architecture}}})
	}
	path, err := layout.Write(scratch, empty.Index)
	if err != nil {
		return file{}, err
	}
	if err := path.AppendIndex(index, layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": c.version, "io.containerd.image.name": "docker.io/library/fairstream:" + c.version})); err != nil {
		return file{}, err
	}
	var files []file
	err = filepath.WalkDir(scratch, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(scratch, name)
		files = append(files, file{filepath.ToSlash(relative), 0o644, content})
		return err
	})
	if err != nil {
		return file{}, err
	}
	content, err := tape(files, c.date)
	return file{"fairstream_" + c.version + "_image.tar", 0o644, content}, err
}

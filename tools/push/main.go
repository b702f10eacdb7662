// Command push sends the image of a release to a registry, for all its architectures, with the credentials that docker login or
// podman login stored. It may import every package of the tools.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

func main() {
	archive := flag.String("archive", "", "`FILE` of the image, as make release writes it")
	image := flag.String("image", "", "`NAME` to push, such as registry.example.com/fairstream:v0.1.0")
	flag.Parse()
	if err := push(*archive, *image); err != nil {
		fmt.Fprintln(os.Stderr, "push:", err)
		os.Exit(1)
	}
}

func push(archive, image string) error {
	reference, err := name.ParseReference(image, name.StrictValidation)
	if err != nil {
		return err
	}
	directory, err := os.MkdirTemp("", "fairstream-push")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(directory) }() // in the system's temporary directory
	if said, err := exec.Command("tar", "-xf", archive, "-C", directory).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", archive, err, said)
	}
	path, err := layout.FromPath(directory)
	if err != nil {
		return err
	}
	outer, err := path.ImageIndex()
	if err != nil {
		return err
	}
	list, err := outer.IndexManifest()
	if err != nil {
		return err
	}
	if len(list.Manifests) != 1 {
		return fmt.Errorf("%s holds %d images, not one", archive, len(list.Manifests))
	}
	index, err := outer.ImageIndex(list.Manifests[0].Digest)
	if err != nil {
		return err
	}
	if err := remote.WriteIndex(reference, index, remote.WithAuthFromKeychain(authn.DefaultKeychain)); err != nil {
		return err
	}
	fmt.Printf("%s@%s\n", reference.Context(), list.Manifests[0].Digest)
	return nil
}

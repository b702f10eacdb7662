package main

import (
	"crypto/sha256"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// sums are the checksums of files, as sha256sum --check reads them.
func sums(files []file) file {
	var b strings.Builder
	for _, f := range ordered(files) {
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(f.content), f.path)
	}
	return file{"SHA256SUMS", 0o644, []byte(b.String())}
}

// sign writes a signature beside the checksums in a directory, by an SSH key: SHA256SUMS.sig, which ssh-keygen -Y verify checks.
func sign(directory, key string) error {
	said, err := exec.Command("ssh-keygen", "-Y", "sign", "-q", "-f", key, "-n", "file", filepath.Join(directory, "SHA256SUMS")).CombinedOutput()
	if err != nil {
		return fmt.Errorf("ssh-keygen could not sign with %s: %w\n%s", key, err, said)
	}
	return nil
}

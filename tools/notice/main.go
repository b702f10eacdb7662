// Command notice writes the file NOTICE of the repository: the modules that the program is linked from, with their licences.
// It fails if one has a licence that is not permitted. It may import every package of the tools.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fairstream/fairstream/tools/licences"
)

func main() {
	repository := flag.String("repository", "..", "`DIRECTORY` of the checkout")
	flag.Parse()
	modules, err := licences.Of(*repository, "./cmd/fairstream")
	if err == nil {
		err = os.WriteFile(filepath.Join(*repository, "NOTICE"), []byte(licences.Notice(modules)), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "notice:", err)
		os.Exit(1)
	}
}

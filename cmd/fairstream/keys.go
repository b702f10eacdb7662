package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/command"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/pkg/signature"
)

func newKeys(s *program.Streams) *cobra.Command {
	return command.Group(&cobra.Command{
		Use:   "keys",
		Short: "Make keys that sign documents, aliases and the history",
		Long: `Make keys that sign documents, aliases and the history. A job with signing.private_key_file signs its
documents and aliases on the model topic, and the entries of its history, with Ed25519. A reader with
signing.public_keys refuses what none of these keys signed.`,
	}, newKeysGenerate(s))
}

func newKeysGenerate(s *program.Streams) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "generate --output FILE",
		Short: "Write a new private key to a file, and print its public key",
		Long: `Write a new Ed25519 private key to a file that only its owner can read. Print the lines of the configuration
for signing and for verification. A file that exists is not replaced.`,
		Example: `  fairstream keys generate --output model-key.pem`,
		RunE:    func(*cobra.Command, []string) error { return command.InWork(generateKey(s, output)) },
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "`FILE` for the private key, in PEM")
	command.MustComplete(cmd.MarkFlagRequired("output"))
	command.MustComplete(cmd.MarkFlagFilename("output", "pem"))
	return cmd
}

func generateKey(s *program.Streams, path string) error {
	private, public, err := signature.Generate()
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists: a key is not replaced; name another file", path)
	}
	if err != nil {
		return err
	}
	_, err = file.Write(private)
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.Out, "signing:\n  private_key_file: %s   # where run publishes\n  public_keys: [%q]   # where the model topic is read\n", path, public)
	return err
}

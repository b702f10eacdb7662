package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/signature"
)

// signing returns who signs what a job publishes, and who verifies it. A publisher whose own signature it would refuse is
// an error.
func signing(c *config.Loaded) (*signature.Signer, *signature.Verifier, error) {
	signer, err := c.Signing.Signer()
	if err != nil {
		return nil, nil, err
	}
	verifier, err := c.Signing.Verifier()
	if err != nil || verifier == nil {
		return signer, nil, err
	}
	if signer == nil {
		return nil, nil, errors.New("signing.public_keys is set, and signing.private_key_file is not: readers would refuse what this job publishes")
	}
	keyID, sum := signer.Sign(nil, nil)
	if verifier.Verify(nil, nil, keyID, sum) != nil {
		return nil, nil, fmt.Errorf("signing.public_keys lacks the public key of signing.private_key_file: add %s", signer.Public())
	}
	return signer, verifier, nil
}

func newKeys(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Make keys that sign documents, aliases and the history",
		Long: `Make keys that sign documents, aliases and the history. A job with signing.private_key_file signs its
documents and aliases on the model topic, and the entries of its history, with Ed25519. A reader with
signing.public_keys refuses what none of these keys signed.`,
		Args: noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newKeysGenerate(s))
	return cmd
}

func newKeysGenerate(s *streams) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "generate --output FILE",
		Short: "Write a new private key to a file, and print its public key",
		Long: `Write a new Ed25519 private key to a file that only its owner can read. Print the lines of the configuration
for signing and for verification. A file that exists is not replaced.`,
		Example: `  fairstream keys generate --output model-key.pem`,
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return inWork(s.generateKey(output)) },
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "`FILE` for the private key, in PEM")
	mustComplete(cmd.MarkFlagRequired("output"))
	mustComplete(cmd.MarkFlagFilename("output", "pem"))
	return cmd
}

func (s *streams) generateKey(path string) error {
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
	_, err = fmt.Fprintf(s.out, "signing:\n  private_key_file: %s   # where run publishes\n  public_keys: [%q]   # where the model topic is read\n", path, public)
	return err
}

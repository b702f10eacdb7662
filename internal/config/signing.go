package config

import (
	"fmt"
	"os"

	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/signature"
)

// Signing is who signs what stands on the model topic and in the history, and whose signatures count.
type Signing struct {
	// PrivateKeyFile is the path of a PEM file with the Ed25519 private key that signs documents, aliases and entries of the history;
	// fairstream keys generate writes it. Without it nothing is signed.
	PrivateKeyFile string `yaml:"private_key_file,omitempty"`
	// PublicKeys are the keys whose signatures count, each as ed25519:BASE64. If there are any, every reader of the model
	// topic refuses documents and aliases without such a signature, and fairstream audit entries of the history.
	PublicKeys []string `yaml:"public_keys,omitempty"`
}

// Signer reads the private key; nil if there is none.
func (s Signing) Signer() (*signature.Signer, error) {
	if s.PrivateKeyFile == "" {
		return nil, nil
	}
	text, err := os.ReadFile(s.PrivateKeyFile)
	if err != nil {
		return nil, fmt.Errorf("signing.private_key_file: %w", secretUnread(err))
	}
	signer, err := signature.NewSigner(text)
	if err != nil {
		return nil, fmt.Errorf("signing.private_key_file: %s: %w", s.PrivateKeyFile, err)
	}
	return signer, nil
}

// Verifier knows the public keys; nil if there are none.
func (s Signing) Verifier() (*signature.Verifier, error) {
	return signature.NewVerifier(s.PublicKeys...)
}

func (s Signing) validate() (problems []record.Problem) {
	for i, key := range s.PublicKeys {
		if _, err := signature.NewVerifier(key); err != nil {
			problems = append(problems, record.Problem{Path: fmt.Sprintf("signing.public_keys[%d]", i),
				Message: fmt.Sprintf("%q is no public key: write ed25519: and 32 bytes in base64, as `fairstream keys generate` prints it", key)})
		}
	}
	return problems
}

package cluster

import (
	"errors"
	"fmt"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/signature"
)

// Signing returns who signs what a job publishes, and who verifies it. A publisher whose own signature it would refuse is
// an error.
func Signing(c *config.Loaded) (*signature.Signer, *signature.Verifier, error) {
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

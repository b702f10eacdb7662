// Package signature signs and verifies records of the model topic, and entries of the history, with Ed25519 (RFC 8032). A signature covers the key of
// the record and the exact bytes of its value, so neither a document nor an alias can be altered, or moved to another
// key. It does not tell when a record was written: an old record that is written again has a good signature, and readers
// go by term and version.
//
// It imports nothing of the project. pkg/stream signs; pkg/stream and pkg/follow verify.
package signature

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
)

// Headers of a signed record.
const (
	HeaderKeyID     = "fairstream.key_id"
	HeaderSignature = "fairstream.signature"
)

const (
	// prefix begins the text of a public key.
	prefix = "ed25519:"
	// domain separates these signatures from others by the same key.
	domain = "fairstream-model-topic-1"
	pemKey = "PRIVATE KEY"
)

// Signer signs records. A nil Signer signs none.
type Signer struct {
	key ed25519.PrivateKey
	id  string
}

// Generate makes a new key: its PEM text (PKCS #8), which is a secret, and its public key as ed25519:BASE64.
func Generate() (private []byte, public string, err error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, "", fmt.Errorf("signature: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, "", fmt.Errorf("signature: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: pemKey, Bytes: der}), publicText(key), nil
}

func publicText(key ed25519.PrivateKey) string {
	return prefix + base64.StdEncoding.EncodeToString(key.Public().(ed25519.PublicKey))
}

var errPrivate = errors.New("signature: not an Ed25519 private key in PEM (PKCS #8): `fairstream keys generate` writes one")

// NewSigner reads a private key in PEM. Its error does not show the key.
func NewSigner(private []byte) (*Signer, error) {
	block, _ := pem.Decode(private)
	if block == nil || block.Type != pemKey {
		return nil, errPrivate
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errPrivate
	}
	key, is := parsed.(ed25519.PrivateKey)
	if !is {
		return nil, errPrivate
	}
	return &Signer{key, ID(key.Public().(ed25519.PublicKey))}, nil
}

// Public is the text of the public key.
func (s *Signer) Public() string { return publicText(s.key) }

// Sign returns the values of both headers. A nil signer returns no key ID.
func (s *Signer) Sign(key, value []byte) (keyID string, signature []byte) {
	if s == nil {
		return "", nil
	}
	return s.id, ed25519.Sign(s.key, signed(key, value))
}

// ID names a public key: the first 16 hexadecimal digits of its SHA-256.
func ID(key ed25519.PublicKey) string {
	digest := sha256.Sum256(key)
	return hex.EncodeToString(digest[:8])
}

// signed is what a signature covers: domain, length of the key, key, value.
func signed(key, value []byte) []byte {
	text := make([]byte, 0, len(domain)+8+len(key)+len(value))
	text = append(text, domain...)
	text = binary.BigEndian.AppendUint64(text, uint64(len(key)))
	return append(append(text, key...), value...)
}

// Verifier knows the public keys that are trusted. A nil Verifier accepts every record, signed or not.
type Verifier struct{ keys map[string]ed25519.PublicKey }

// NewVerifier reads public keys, each as ed25519:BASE64. Without keys it returns nil.
func NewVerifier(keys ...string) (*Verifier, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	v := &Verifier{map[string]ed25519.PublicKey{}}
	for _, text := range keys {
		encoded, found := strings.CutPrefix(text, prefix)
		key, err := base64.StdEncoding.DecodeString(encoded)
		if !found || err != nil || len(key) != ed25519.PublicKeySize {
			return nil, fmt.Errorf("signature: %q is no public key: write %s and %d bytes in base64, as `fairstream keys generate` prints it", text, prefix, ed25519.PublicKeySize)
		}
		v.keys[ID(key)] = key
	}
	return v, nil
}

// Verify returns an error if the record is not signed by a trusted key. keyID and signature are the values of its
// headers, empty if it has none.
func (v *Verifier) Verify(key, value []byte, keyID string, signature []byte) error {
	if v == nil {
		return nil
	}
	if keyID == "" || len(signature) == 0 {
		return errors.New("it is not signed")
	}
	trusted, known := v.keys[keyID]
	if !known {
		return fmt.Errorf("it is signed with key %q, which is not among signing.public_keys", keyID)
	}
	if len(signature) != ed25519.SignatureSize || !ed25519.Verify(trusted, signed(key, value), signature) {
		return fmt.Errorf("its signature with key %q is wrong", keyID)
	}
	return nil
}

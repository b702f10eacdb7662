package signature

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"strings"
	"testing"
)

func TestSignaturesCoverKeyAndValue(t *testing.T) {
	private, public, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSigner(private)
	if err != nil || s.Public() != public {
		t.Fatalf("%v; %s and %s", err, s.Public(), public)
	}
	_, stranger, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	v, err := NewVerifier(stranger, public)
	if err != nil {
		t.Fatal(err)
	}
	key, value := []byte("job/v/1/2"), []byte("{}")
	id, sum := s.Sign(key, value)
	if err := v.Verify(key, value, id, sum); err != nil {
		t.Error(err)
	}
	foreign, err := NewVerifier(stranger)
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"another key":       v.Verify([]byte("job/v/1/3"), value, id, sum),
		"another value":     v.Verify(key, []byte("{ }"), id, sum),
		"bytes moved over":  v.Verify([]byte("job/v/1/2{"), []byte("}"), id, sum),
		"another signature": v.Verify(key, value, id, bytes.Repeat([]byte{1}, 64)),
		"a short signature": v.Verify(key, value, id, sum[:63]),
		"no signature":      v.Verify(key, value, "", nil),
		"an unknown key":    foreign.Verify(key, value, id, sum),
	} {
		if err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	var none *Verifier
	var nobody *Signer
	if id, sum := nobody.Sign(key, value); id != "" || sum != nil || none.Verify(key, value, "", nil) != nil {
		t.Error("without keys nothing is signed, and everything accepted")
	}
}

func TestBadKeys(t *testing.T) {
	for _, text := range []string{"", "ed25519:", "ed25519:AAAA", "rsa:AAAA", "ed25519:%"} {
		if _, err := NewVerifier(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
	if v, err := NewVerifier(); v != nil || err != nil {
		t.Errorf("no keys: %v, %v", v, err)
	}
	private, _, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "secret", strings.Replace(string(private), "PRIVATE", "PUBLIC", 2), string(private[:60])} {
		if _, err := NewSigner([]byte(text)); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

// TestKeysOfOtherKinds: what is no private key of Ed25519 in PEM is refused by one error that shows nothing of it.
func TestKeysOfOtherKinds(t *testing.T) {
	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(other)
	if err != nil {
		t.Fatal(err)
	}
	private, _, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"nothing": nil, "no PEM": []byte("secret"), "damaged": pem.EncodeToMemory(&pem.Block{Type: pemKey, Bytes: []byte("secret")}),
		"of another kind": pem.EncodeToMemory(&pem.Block{Type: pemKey, Bytes: der}), "another block": bytes.ReplaceAll(private, []byte("PRIVATE"), []byte("PUBLIC")),
	} {
		if s, err := NewSigner(text); !errors.Is(err, errPrivate) || s != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/server"
)

// certificate writes a certificate for some host, and its key.
func certificate(t *testing.T) (certificateFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "fairstream.example"}, NotAfter: time.Now().Add(time.Hour)}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	private, err2 := x509.MarshalPKCS8PrivateKey(key)
	if err = errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	directory := t.TempDir()
	certificateFile, keyFile = filepath.Join(directory, "tls.crt"), filepath.Join(directory, "tls.key")
	for file, block := range map[string]*pem.Block{certificateFile: {Type: "CERTIFICATE", Bytes: signed}, keyFile: {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certificateFile, keyFile
}

// TestHealthOverTLS: the certificate is that of another name, and nothing secret is sent.
func TestHealthOverTLS(t *testing.T) {
	certificateFile, keyFile := certificate(t)
	config, err := server.NewTLS(certificateFile, keyFile)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	access := server.Access{Token: "a-token-of-some-length", TLS: config}
	go func() {
		ended <- server.Serve(ctx, listener, server.NewMonitor("test", "adult").Handler(zap.NewAtomicLevel(), nil, access), access)
	}()
	contains(t, succeed(t, "health", "--live", "--set", "server.address="+listener.Addr().String(),
		"--set", "server.tls.certificate_file="+certificateFile, "--set", "server.tls.key_file="+keyFile), "ok")
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestServerIsConfiguredWhole(t *testing.T) {
	certificateFile, keyFile := certificate(t)
	short := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(short, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	lines, binary := short+".lines", short+".binary"
	for file, text := range map[string]string{lines: "a-token-of-some-length\nanother-token-of-length\n", binary: "a-token-of-some-length\x00\xff"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for assignment, want := range map[string]string{
		"server.token_file=" + lines:                     "holds more than one line, or characters that no client can send",
		"server.token_file=" + binary:                    "holds more than one line, or characters that no client can send",
		"server.tls.certificate_file=" + certificateFile: "server.tls.key_file: is missing",
		"server.tls.key_file=" + keyFile:                 "server.tls.certificate_file: is missing",
		"server.token_file=" + short:                     "holds fewer than 16 characters",
		"server.token_file=" + short + ".none":           "no such file",
	} {
		fails(t, misuse, want, "health", "--set", assignment)
	}
	fails(t, misuse, "server.tls: ", "health", "--set", "server.tls.certificate_file="+keyFile, "--set", "server.tls.key_file="+certificateFile)
}

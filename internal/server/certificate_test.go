package server

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// certify writes a certificate of this machine, signed by itself, and its key.
func certify(t *testing.T, certificate, key string, serial int64) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	for path, block := range map[string]*pem.Block{certificate: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: keyDER}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestARenewedCertificateIsServed without a restart, and the old one while its files are being replaced.
func TestARenewedCertificateIsServed(t *testing.T) {
	directory := t.TempDir()
	certificate, key := filepath.Join(directory, "certificate"), filepath.Join(directory, "key")
	if _, err := NewTLS(certificate, key); err == nil || !strings.HasPrefix(err.Error(), "server.tls: ") {
		t.Errorf("files that are not there: %v", err)
	}
	certify(t, certificate, key, 1)
	config, err := NewTLS(certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	serial := func() int64 {
		t.Helper()
		now, err := config.GetCertificate(nil)
		if err != nil {
			t.Fatal(err)
		}
		leaf, err := x509.ParseCertificate(now.Certificate[0])
		if err != nil {
			t.Fatal(err)
		}
		return leaf.SerialNumber.Int64()
	}
	first, _ := config.GetCertificate(nil)
	if again, _ := config.GetCertificate(nil); again != first {
		t.Error("files that did not change are read again")
	}
	touch := func(at time.Time) {
		t.Helper()
		if err := os.Chtimes(certificate, at, at); err != nil {
			t.Fatal(err)
		}
	}
	certify(t, certificate, key, 2)
	if touch(time.Unix(1000, 0)); serial() != 2 {
		t.Error("a renewed certificate is not served")
	}
	if err := os.WriteFile(certificate, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if touch(time.Unix(2000, 0)); serial() != 2 {
		t.Error("while it is being replaced, the old one is not served")
	}
	if err := os.Remove(certificate); err != nil {
		t.Fatal(err)
	}
	if serial() != 2 {
		t.Error("while it is gone, the old one is not served")
	}
	certify(t, certificate, key, 3)
	if touch(time.Unix(2000, 0)); serial() != 3 {
		t.Error("one that failed to load is not read again")
	}

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- Serve(ctx, listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, is := r.Context().Value(memberKey{}).(*member); !is {
				t.Error("a connection with TLS is no member of the crowd")
			}
			_, _ = io.WriteString(w, "encrypted")
		}), Access{TLS: config})
	}()
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} //nolint:gosec // the certificate is of this test
	response, err := client.Get("https://" + listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(response.Body); err != nil || string(text) != "encrypted" {
		t.Errorf("%s, %v", text, err)
	}
	_ = response.Body.Close()
	client.CloseIdleConnections()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

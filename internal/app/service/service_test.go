package service

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/zap/zapcore"

	"github.com/fairstream/fairstream/internal/config"
)

// TestURL: what a browser on this machine opens.
func TestURL(t *testing.T) {
	var plain, secure config.Server
	secure.TLS.CertificateFile = "cert.pem"
	for _, c := range []struct {
		server config.Server
		ip     net.IP
		want   string
	}{
		{plain, net.IPv4(127, 0, 0, 1), "http://127.0.0.1:80/"}, {secure, net.IPv4(10, 0, 0, 1), "https://10.0.0.1:80/"},
		{plain, net.IPv4zero, "http://127.0.0.1:80/"}, {secure, net.IPv6unspecified, "https://127.0.0.1:80/"}, {plain, net.IPv6loopback, "http://[::1]:80/"},
	} {
		if got := URL(c.server, &net.TCPAddr{IP: c.ip, Port: 80}); got != c.want {
			t.Errorf("%v: %s, want %s", c.ip, got, c.want)
		}
	}
	if got := URL(plain, &net.UnixAddr{Name: "/run/x"}); got != "http:///run/x/" {
		t.Error(got)
	}
}

// TestAccess: the token comes from its file; a file that cannot be read is an error that names the key.
func TestAccess(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("0123456789abcdef0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if a, err := Access(config.Server{TokenFile: file}); err != nil || a.Token != "0123456789abcdef0123456789abcdef" || a.TLS != nil {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := Access(config.Server{}); err != nil || a.Token != "" || a.TLS != nil {
		t.Errorf("nothing is configured: %+v, %v", a, err)
	}
	if _, err := Access(config.Server{TokenFile: file + "s"}); err == nil || !strings.HasPrefix(err.Error(), "server.token_file: ") {
		t.Errorf("%v", err)
	}
	var secure config.Server
	secure.TLS.CertificateFile, secure.TLS.KeyFile = file, file
	if _, err := Access(secure); err == nil {
		t.Error("a token passed as a certificate")
	}
}

// TestLogger: JSON unless people are to read it, the job in each line, and from the level on that is configured or set later.
func TestLogger(t *testing.T) {
	c := &config.Loaded{}
	c.Job, c.Log.Level, c.Log.Format = "loans", "warn", "json"
	var out bytes.Buffer
	logger, level, err := Logger(&out, c)
	if err != nil {
		t.Fatal(err)
	}
	logger.Info("unheard")
	logger.Warn("heard")
	level.SetLevel(zapcore.InfoLevel)
	logger.Info("now heard")
	if text := out.String(); strings.Contains(text, "unheard") || strings.Count(text, `"job":"loans"`) != 2 || !strings.HasPrefix(text, "{") || !strings.Contains(text, `"logger":"fairstream"`) {
		t.Errorf("%s", text)
	}
	out.Reset()
	c.Log.Format = config.Console
	if logger, _, err = Logger(&out, c); err != nil {
		t.Fatal(err)
	}
	logger.Error("for people")
	if text := out.String(); strings.HasPrefix(text, "{") || !strings.Contains(text, "for people") {
		t.Errorf("%s", text)
	}
	out.Reset()
	if logger, _, err = ProcessLogger(&out, c); err != nil {
		t.Fatal(err)
	}
	logger.Error("of the process")
	if text := out.String(); strings.Contains(text, "loans") || !strings.Contains(text, "of the process") {
		t.Errorf("%s", text)
	}
	c.Log.Level = "loud"
	if _, _, err := Logger(&out, c); err == nil {
		t.Error("an unknown level passed")
	}
}

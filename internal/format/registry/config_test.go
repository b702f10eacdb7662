package registry

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/sr"

	"github.com/fairstream/fairstream/internal/format"
)

// TestMistakesInASection are told with their keys; each is refused by itself.
func TestMistakesInASection(t *testing.T) {
	const url = "https://registry:8081"
	for name, c := range map[string]struct {
		config Config
		want   string // keys
	}{
		"the smallest":          {Config{URLs: []string{url}}, ""},
		"none":                  {Config{}, "registry.urls"},
		"no scheme":             {Config{URLs: []string{"registry:8081"}}, "registry.urls"},
		"another scheme":        {Config{URLs: []string{"ftp://registry"}}, "registry.urls"},
		"a user":                {Config{URLs: []string{"https://a:b@registry"}}, "registry.urls"},
		"no host":               {Config{URLs: []string{"https://"}}, "registry.urls"},
		"no address":            {Config{URLs: []string{"http://[::1"}}, "registry.urls"},
		"two addresses, bad":    {Config{URLs: []string{"http://a", "b", "c"}}, "registry.urls registry.urls"},
		"a name":                {Config{URLs: []string{url}, Username: "a"}, "registry.username"},
		"a password":            {Config{URLs: []string{url}, Password: "b"}, "registry.username"},
		"a file of one":         {Config{URLs: []string{url}, PasswordFile: "b"}, "registry.username"},
		"both":                  {Config{URLs: []string{url}, Username: "a", Password: "b"}, ""},
		"two passwords":         {Config{URLs: []string{url}, Username: "a", Password: "b", PasswordFile: "c"}, "registry.password_file"},
		"a token":               {Config{URLs: []string{url}, TokenFile: "t"}, ""},
		"a token and a name":    {Config{URLs: []string{url}, TokenFile: "t", Username: "a", Password: "b"}, "registry.token_file"},
		"tokens, two ways":      {Config{URLs: []string{url}, TokenFile: "t", TokenEndpoint: "https://t", Username: "a", Password: "b"}, "registry.token_file"},
		"an endpoint":           {Config{URLs: []string{url}, TokenEndpoint: "https://t", Username: "a", Password: "b", TokenScope: "s"}, ""},
		"an endpoint alone":     {Config{URLs: []string{url}, TokenEndpoint: "https://t"}, "registry.token_endpoint"},
		"a scope alone":         {Config{URLs: []string{url}, TokenScope: "s"}, "registry.token_scope"},
		"a certificate":         {Config{URLs: []string{url}, CertificateFile: "c", KeyFile: "k"}, ""},
		"a certificate alone":   {Config{URLs: []string{url}, CertificateFile: "c"}, "registry.certificate_file"},
		"a key alone":           {Config{URLs: []string{url}, KeyFile: "k"}, "registry.certificate_file"},
		"times that are short":  {Config{URLs: []string{url}, Timeout: 1, UnknownAfter: 1, NotReadyAfter: 1}, "registry.timeout registry.unknown_after registry.not_ready_after"},
		"times that are long":   {Config{URLs: []string{url}, Timeout: 6 * time.Minute, UnknownAfter: 25 * time.Hour, NotReadyAfter: 25 * time.Hour}, "registry.timeout registry.unknown_after registry.not_ready_after"},
		"times at their bounds": {Config{URLs: []string{url}, Timeout: time.Second, UnknownAfter: 24 * time.Hour, NotReadyAfter: time.Second}, ""},
	} {
		var keys []string
		for _, problem := range c.config.WithDefaults().Validate(true) {
			keys = append(keys, problem.Path)
		}
		if got := strings.Join(keys, " "); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if problems := (Config{}).WithDefaults().Validate(false); len(problems) != 0 {
		t.Errorf("a registry that is not needed: %v", problems)
	}
	if c := (Config{}).WithDefaults(); c.Timeout != 15*time.Second || c.UnknownAfter != 5*time.Minute || c.NotReadyAfter != time.Minute {
		t.Errorf("%+v", c)
	}
}

// TestFilesOfSecrets hold one line, and certificates are PEM; what cannot be read names its key.
func TestFilesOfSecrets(t *testing.T) {
	directory := t.TempDir()
	file := func(text string) string {
		path := filepath.Join(directory, fmt.Sprintf("of %x", text))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for text, want := range map[string]string{"secret": "secret", "secret\r\n": "secret", "": "", "\n": "", "two\nlines": ""} {
		got, err := secretOf("token_file", file(text))
		if got != want || (err == nil) != (want != "") || err != nil && !strings.Contains(err.Error(), "registry.token_file: ") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	if _, err := secretOf("token_file", filepath.Join(directory, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	none := filepath.Join(directory, "none")
	for want, c := range map[string]Config{
		"registry.ca_file: open":          {CAFile: none},
		"contains no certificate in PEM":  {CAFile: file("text")},
		"registry.certificate_file: open": {CertificateFile: none, KeyFile: none},
		"registry.key_file: open":         {CertificateFile: file("text"), KeyFile: none},
		" and registry.key_file ":         {CertificateFile: file("text"), KeyFile: file("text")},
		"registry.password_file: open":    {Username: "a", PasswordFile: none},
		"must contain only the secret":    {Username: "a", PasswordFile: file("")},
	} {
		c.URLs = []string{"http://127.0.0.1:1"}
		if _, err := newClient(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if _, err := Register(t.Context(), c, "s", "{}", sr.TypeJSON); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a schema is registered: %v, want %q", err, want)
		}
	}
}

// TestAnswersOfARegistry in words: what helps, or what it says, and no more of that than a line.
func TestAnswersOfARegistry(t *testing.T) {
	for _, c := range []struct {
		status, code int
		message      string
		want         string
	}{
		{401, 0, "", "registry.username"}, {403, 0, "", "the right to read schemas"}, {299, 0, "", "the registry answers 299"}, {300, 0, "", "answers 300, a redirection"}, {399, 0, "", "answers 399, a redirection"}, {400, 0, "", "the registry answers 400"},
		{422, 42201, "a\nb", "the registry answers 422: a b"}, {500, 0, strings.Repeat("x", longestWords+1), "answers 500: " + strings.Repeat("x", longestWords)},
	} {
		got := explain(&sr.ResponseError{StatusCode: c.status, ErrorCode: c.code, Message: c.message}).Error()
		if !strings.Contains(got, c.want) || c.status == 299 && got != c.want || c.status == 400 && got != c.want || strings.HasSuffix(got, strings.Repeat("x", longestWords+1)) {
			t.Errorf("%d: %q", c.status, got)
		}
	}
	for code, want := range map[int]error{40403: errUnknown, 0: errNotFound, 404: errNotFound} {
		if got := explain(&sr.ResponseError{StatusCode: http.StatusNotFound, ErrorCode: code}); !errors.Is(got, want) {
			t.Errorf("code %d: %v", code, got)
		}
	}
	for length, long := range map[int]bool{format.MaxSchema: false, format.MaxSchema + 1: true} {
		s := &Schema{Text: strings.Repeat("x", length-3), References: []Reference{{Text: "abc"}}}
		if s.tooLong() != long {
			t.Errorf("%d bytes are too long: %v", length, !long)
		}
	}
}

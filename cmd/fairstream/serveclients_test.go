package main

import (
	"bytes"
	"crypto/tls"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/test/broker"
)

// TestTheGoClientOfTheDocuments runs the client that docs/serving.md shows.
func TestTheGoClientOfTheDocuments(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(repository, "docs/serving.md"))
	must(t, err)
	client := regexp.MustCompile("(?s)```go\n(func decide.*?)```").FindSubmatch(text)
	if client == nil {
		t.Fatal("docs/serving.md has no client in Go")
	}
	config, weights := adultWeights(t)
	address := serving(t, config, weights)
	program := "package main\n\nimport (\n\"bytes\"\n\"encoding/json\"\n\"errors\"\n\"fmt\"\n\"net/http\"\n)\n\n" + strings.Replace(string(client[1]), "http://127.0.0.1:8470", address, 1) + `
func main() {
	result, err := decide(map[string]any{"age": 52, "education": "Doctorate", "marital_status": "Married-civ-spouse", "capital_gain": 15024})
	fmt.Println(*result.Decision, result.Error, err)
	wrong, err := decide([]int{1})
	fmt.Println(wrong.Decision == nil, wrong.Error != "", err)
}
`
	file := filepath.Join(t.TempDir(), "main.go")
	must(t, os.WriteFile(file, []byte(program), 0o600))
	run := exec.CommandContext(t.Context(), "go", "run", file)
	run.Dir = filepath.Dir(file)
	run.Env = append(os.Environ(), "GOWORK=off")
	if output, err := run.CombinedOutput(); err != nil || string(output) != "1  <nil>\ntrue true <nil>\n" {
		t.Errorf("%v\n%s", err, output)
	}
}

// adultWeights is a configuration, and a document that was learnt from the bundled records.
func adultWeights(t *testing.T) (config, weights string) {
	t.Helper()
	directory := t.TempDir()
	config, weights = filepath.Join(directory, "job.yaml"), filepath.Join(directory, "weights.json")
	must(t, os.WriteFile(config, []byte(adultSections), 0o600))
	succeed(t, "replay", "--input", "adult", "--save", weights)
	return config, weights
}

// TestNginxInFront: with deploy/nginx.conf clients need a token, and get decisions while one of two instances is away.
func TestNginxInFront(t *testing.T) {
	t.Parallel()
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("nginx is not installed")
	}
	config, weights := adultWeights(t)
	first, away := serving(t, config, weights), broker.FreeAddress(t)
	text, err := os.ReadFile(filepath.Join(repository, "deploy/nginx.conf"))
	must(t, err)
	certificateFile, keyFile := certificate(t)
	front := broker.FreeAddress(t)
	directory := t.TempDir()
	conf := strings.NewReplacer("127.0.0.1:8470", away, "127.0.0.1:8471", strings.TrimPrefix(first, "http://"), "listen 8443", "listen "+front,
		"/etc/nginx/fairstream.crt", certificateFile, "/etc/nginx/fairstream.key", keyFile).Replace(string(text))
	file := filepath.Join(directory, "nginx.conf")
	must(t, os.WriteFile(file, []byte("pid nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\nclient_body_temp_path body;\nproxy_temp_path proxy;\n"+
		"fastcgi_temp_path fast;\nuwsgi_temp_path uwsgi;\nscgi_temp_path scgi;\n"+conf+"}\n"), 0o600))
	var log bytes.Buffer
	command := exec.Command(nginx, "-p", directory, "-c", file, "-g", "daemon off; master_process off;")
	command.Stdout, command.Stderr = &log, &log
	must(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} //nolint:gosec // a certificate of this test
	ask := func(token string) (status int, body, id string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+front+"/v1/score", strings.NewReader(`{"records":[{"age":41}]}`))
		must(t, err)
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		response, err := client.Do(request)
		if err != nil {
			return 0, err.Error(), ""
		}
		defer func() { _ = response.Body.Close() }()
		answer, err := io.ReadAll(response.Body)
		must(t, err)
		return response.StatusCode, string(answer), response.Header.Get("X-Request-Id")
	}
	(&job{t: t}).eventually("nginx answers", func() bool { status, _, _ := ask("replace-this-token"); return status != 0 })
	for range 5 { // instances take turns
		if status, body, id := ask("replace-this-token"); status != http.StatusOK || !strings.Contains(body, `"decision":`) || len(id) != 32 {
			t.Fatalf("status %d, request %q: %s\n%s", status, id, body, log.String())
		}
	}
	for _, token := range []string{"", "another"} {
		if status, body, _ := ask(token); status != http.StatusUnauthorized {
			t.Errorf("with the token %q: status %d: %s", token, status, body)
		}
	}
}

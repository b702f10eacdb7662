package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// pool is a process of workers.
type pool struct {
	t       *testing.T
	program string
	port    string
	process *exec.Cmd
}

// newPool builds the program, and finds a port that is free.
func newPool(t *testing.T) *pool {
	t.Helper()
	p := &pool{t: t, program: filepath.Join(t.TempDir(), "fairstream-engine")}
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags=-w", "-o", p.program, ".")
	build.Env = append(os.Environ(), "GOWORK=off")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.port = strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.process.Process.Kill() })
	return p
}

func (p *pool) start() {
	p.process = exec.Command(p.program, "workers", "--port", p.port)
	p.process.Stderr = os.Stderr
	if err := p.process.Start(); err != nil {
		p.t.Fatal(err)
	}
}

// kill kills the workers when they have worked for so long.
func (p *pool) kill(worked time.Duration) error {
	for begun := time.Now(); time.Since(begun) < 20*time.Minute; time.Sleep(5 * time.Millisecond) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.process.Process.Pid))
		if err != nil {
			return err
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		user, err := strconv.Atoi(fields[11])
		if err != nil {
			return err
		}
		if time.Duration(user)*(time.Second/100) >= worked {
			err := p.process.Process.Kill()
			_ = p.process.Wait()
			return err
		}
	}
	return fmt.Errorf("they did not work for %v", worked)
}

// TestFlinkOutlivesItsWorkers: workers that are killed in the middle of their work end the job of the engine. If others are at their address then, the job is run
// again, and the decisions are the same; if none are, the error names the address.
func TestFlinkOutlivesItsWorkers(t *testing.T) {
	endpoint := os.Getenv("FAIRSTREAM_TEST_FLINK")
	if endpoint == "" {
		t.Skip("make flink starts a cluster, and sets FAIRSTREAM_TEST_FLINK")
	}
	folder, configured := records(t, 3, 1500)
	pattern := filepath.Join(folder, "part-*")
	model := learnt(t, configured, pattern)
	for i := range 3 { // so that there is some work
		name := filepath.Join(folder, fmt.Sprintf("part-%d.csv", i))
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		header, rest, _ := bytes.Cut(text, []byte("\n"))
		write(t, name, string(header)+"\n"+strings.Repeat(string(rest), 60))
	}
	p := newPool(t)
	p.start()
	decisions := filepath.Join(t.TempDir(), "decisions")
	score := func(to string) (said string, code int) {
		return fairstreamEngine(t, "score", "--model", model, "-i", pattern, "-o", to, "--runner", "flink", "--endpoint", endpoint,
			"--workers", "localhost:"+p.port, "--temp", t.TempDir())
	}
	killed := make(chan error, 1)
	go func() {
		err := p.kill(400 * time.Millisecond)
		if err == nil {
			p.start()
		}
		killed <- err
	}()
	said, code := score(decisions)
	t.Log(said)
	if err := <-killed; err != nil {
		t.Fatal(err)
	}
	if code != done || !strings.Contains(said, "The engine failed, and tries again (1)") {
		t.Fatalf("exit code %d", code)
	}
	for _, name := range []string{"part-0.csv", "part-1.csv", "part-2.csv"} {
		lines, _ := scoredHere(t, filepath.Join(folder, name), model, false, nil)
		if got, err := os.ReadFile(filepath.Join(decisions, name+".00000.csv")); err != nil || !bytes.Equal(got, lines) {
			t.Errorf("%s: other decisions after workers were killed, %v", name, err)
		}
	}

	if err := p.process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	said, code = score(filepath.Join(t.TempDir(), "none"))
	if t.Log(said); code != failed || !strings.Contains(said, "localhost:"+p.port) {
		t.Errorf("without workers: exit code %d", code)
	}
}

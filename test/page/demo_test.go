package page_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"
)

// demo starts the demo of the program, and says where its page is.
func demo(t *testing.T) (url string) {
	t.Helper()
	if testing.Short() {
		t.Skip("a real browser is left out with -short")
	}
	program := filepath.Join(t.TempDir(), "fairstream")
	if output, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s", "-o", program, "github.com/fairstream/fairstream/cmd/fairstream").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return started(t, `Page: (http://[^,]+)`, "env", "PATH=", program, "demo", "--open", "--json") // it stays at its end, and finds no browser to open
}

// started starts a program that runs until the test ends, and gives what the first group of a pattern finds in its messages.
func started(t *testing.T, pattern, program string, args ...string) string {
	t.Helper()
	found, _ := killable(t, pattern, program, args...)
	return found
}

// killable is started, with a function that kills the program as kill -9 does.
func killable(t *testing.T, pattern, program string, args ...string) (found string, kill func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 6*time.Minute)
	command := exec.CommandContext(ctx, program, args...)
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = 10 * time.Second
	said, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := sync.OnceFunc(func() { _ = command.Wait() }) // it was interrupted or killed
	t.Cleanup(func() {
		cancel()
		ended()
	})
	kill = func() {
		if err := command.Process.Kill(); err != nil {
			t.Error(err)
		}
		ended()
	}
	lines := bufio.NewScanner(said)
	for wanted := regexp.MustCompile(pattern); lines.Scan(); {
		if found := wanted.FindStringSubmatch(lines.Text()); found != nil {
			go func() {
				for lines.Scan() { // or the program waits for somebody to read
				}
			}()
			return found[1], kill
		}
	}
	t.Fatalf("%s says nothing like %s: %v", args[0], pattern, lines.Err())
	return "", nil
}

// TestDemo: the page over a real stream, from its first record on.
func TestDemo(t *testing.T) {
	t.Parallel()
	open(t, "about:blank", 1440) // starts the browser
	url := demo(t)
	started := time.Now()
	p := open(t, url, 1440)
	for _, panel := range []string{"verdicts", "time", "groups", "gaps", "calibration", "drivers", "learner", "stream", "versions"} {
		p.wait(panels[panel])
	}
	t.Logf("every panel shows data after %v", time.Since(started).Round(time.Millisecond))
	p.within(4*time.Minute, "document.querySelector('#live').innerText.includes('Ended')") // so that every number of a picture is of the same moment
	p.keep("demo.jpg")
	for _, theme := range []string{"light", "dark"} {
		p.theme(theme)
		p.accessible("the demo, " + theme)
		p.fits("the demo, " + theme)
	}
	phone := open(t, url, 375)
	phone.wait(panels["gaps"])
	for _, theme := range []string{"dark", "light"} {
		phone.theme(theme)
		phone.accessible("the demo on a phone, " + theme)
		phone.fits("the demo on a phone, " + theme)
	}
	phone.keep("demo-375.jpg")
}

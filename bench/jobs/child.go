package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

// child is a process of fairstream.
type child struct {
	command *exec.Cmd
	log     log
	url     string
}

// log is what it writes.
type log struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

var page = regexp.MustCompile(`"page":"(http://[^"]+)/"`)

// start runs the program until its page is served.
func start(ctx context.Context, program string, args ...string) (*child, error) {
	c := &child{command: exec.CommandContext(ctx, program, args...)}
	c.command.Stderr = &c.log
	if err := c.command.Start(); err != nil {
		return nil, err
	}
	return c, c.until(ctx, "its page is served", func() bool {
		found := page.FindStringSubmatch(c.log.String())
		if found != nil {
			c.url = found[1]
		}
		return found != nil
	})
}

// patience is how long the process may take to do what it is waited for.
const patience = 2 * time.Minute

func (c *child) until(ctx context.Context, what string, is func() bool) error {
	for deadline := time.Now().Add(patience); !is(); time.Sleep(50 * time.Millisecond) {
		if ctx.Err() != nil || time.Now().After(deadline) {
			text := c.log.String()
			return fmt.Errorf("not within %v: %s\n%s", patience, what, text[max(0, len(text)-2000):])
		}
	}
	return nil
}

// get is an answer of the process, whatever its code.
func (c *child) get(ctx context.Context, path string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+path, nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }() // it was read
	text, err := io.ReadAll(response.Body)
	return string(text), err
}

// cpu is the processor time that the process has used, and peak the most memory that was ever resident.
func (c *child) cpu() (used time.Duration, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.command.Process.Pid))
	if err != nil {
		return 0, fmt.Errorf("processor time is measured on Linux only: %w", err)
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	var user, system int64
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		return 0, err
	}
	const tick = time.Second / 100 // USER_HZ
	return time.Duration(user+system) * tick, nil
}

func (c *child) peak() (bytes int64, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if rest, found := strings.CutPrefix(line, "VmHWM:"); found {
			_, err = fmt.Sscanf(rest, "%d kB", &bytes)
			return bytes << 10, err
		}
	}
	return 0, errors.New("/proc has no VmHWM")
}

// end stops the process by a signal, and waits until it has saved.
func (c *child) end() error {
	if err := c.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if err := c.command.Wait(); err != nil {
		return fmt.Errorf("%w\n%s", err, c.log.String())
	}
	return nil
}

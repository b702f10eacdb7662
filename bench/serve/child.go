package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// child is a process that serves.
type child struct {
	command *exec.Cmd
	url     string
}

// start runs a server, whose first line names its address.
func start(ctx context.Context, program string, args ...string) (*child, error) {
	c := &child{command: exec.CommandContext(ctx, program, args...)}
	log, err := c.command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := c.command.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(log)
	first, err := lines.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(program), err)
	}
	var said struct{ URL string }
	if err := json.Unmarshal([]byte(first), &said); err != nil || said.URL == "" {
		return nil, fmt.Errorf("%s does not serve: %s", filepath.Base(program), first)
	}
	c.url = strings.TrimSuffix(said.URL, "/") + "/v1/score"
	go func() { _, _ = io.Copy(io.Discard, lines) }() // it ends with the process
	return c, nil
}

// cpu is the processor time that the process has used: that of its threads, in nanoseconds each.
func (c *child) cpu() (used time.Duration, err error) {
	threads, err := filepath.Glob("/proc/" + strconv.Itoa(c.command.Process.Pid) + "/task/*/schedstat")
	if err != nil || len(threads) == 0 {
		return 0, fmt.Errorf("processor time is measured on Linux only: %w", err)
	}
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if err != nil {
			return 0, err
		}
		running, _, _ := bytes.Cut(text, []byte(" "))
		n, err := strconv.ParseInt(string(running), 10, 64)
		if err != nil {
			return 0, err
		}
		used += time.Duration(n)
	}
	return used, nil
}

// end stops the process.
func (c *child) end() {
	if c != nil {
		_ = c.command.Process.Kill()
		_ = c.command.Wait()
	}
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// world is a job, its topics, and what it is measured beside.
type world struct {
	records       int
	ready, memory bool
	dir, program  string
	address       string
	client        *kafka.Client
}

// used is what a process used.
type used struct {
	cpu, elapsed time.Duration
	memory       int64 // at the peak
	snapshot     int64 // bytes of the last one, of the program
}

// process runs a process to its end.
func process(command *exec.Cmd) (u used, text []byte, err error) {
	var log bytes.Buffer
	command.Stdout, command.Stderr = &log, &log
	begun := time.Now()
	if err := command.Start(); err != nil {
		return u, nil, err
	}
	ended, peak := make(chan struct{}), make(chan int64)
	go func() { peak <- watch(command.Process.Pid, ended) }()
	err = command.Wait()
	close(ended)
	u.memory = <-peak
	if err != nil {
		text := log.Bytes()
		return u, nil, fmt.Errorf("%w\n%s", err, text[max(0, len(text)-2000):])
	}
	u.elapsed, u.cpu = time.Since(begun), command.ProcessState.UserTime()+command.ProcessState.SystemTime()
	return u, log.Bytes(), nil
}

// watch is how much memory a process had at its peak, in bytes, until it ended. What the system says at the end counts the memory of this process, too: for a
// moment, a new process has it.
func watch(pid int, ended <-chan struct{}) (peak int64) {
	for {
		if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil {
			if _, rest, found := strings.Cut(string(status), "VmHWM:"); found {
				var kilobytes int64
				if _, err := fmt.Sscan(rest, &kilobytes); err == nil {
					peak = kilobytes << 10
				}
			}
		}
		select {
		case <-ended:
			return peak
		case <-time.After(20 * time.Millisecond):
		}
	}
}

var snapshotBytes = regexp.MustCompile(`"snapshot saved".*"bytes":(\d+)`)

// learn runs the program until the end of the input.
func (w *world) learn(ctx context.Context) (u used, err error) {
	file := filepath.Join(w.dir, "loans.yaml")
	if err := os.WriteFile(file, []byte(w.config()), 0o600); err != nil {
		return u, err
	}
	u, text, err := process(exec.CommandContext(ctx, w.program, "run", "--config", file, "--until-end", "--set", "server.address="))
	if all := snapshotBytes.FindAllSubmatch(text, -1); err == nil && all != nil {
		u.snapshot, err = strconv.ParseInt(string(all[len(all)-1][1]), 10, 64)
	}
	return u, err
}

// bare runs a loop of this program.
func (w *world) bare(ctx context.Context, what, folder string, from int) (u used, err error) {
	self, err := os.Executable()
	if err != nil {
		return u, err
	}
	u, _, err = process(exec.CommandContext(ctx, self, bareWord, what, w.address, filepath.Join(w.dir, folder), strconv.Itoa(from)))
	return u, err
}

// folder is that of the records that wait.
func (w *world) folder() string { return filepath.Join(w.dir, "waiting") }

func (w *world) config() string {
	folder := ""
	if !w.memory {
		folder = "dir: " + w.folder()
	}
	return fmt.Sprintf(`job: loans
kafka: {brokers: [%s]}
topics: {input: %s}
record: {key: person, label: {field: income, positive: ">50K"}, ignore: [fnlwgt, note]}
constraints: [{name: sex, attribute: sex, group: Male, versus: Female, tau: 0.05}]
stream: {labels: {records: %d, bytes: 1000000000000, %s}}
`, w.address, input, 2*w.records, folder)
}

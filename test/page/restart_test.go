package page_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/test/broker"
)

const restartSections = `job: adult
record: {label: {field: income, positive: ">50K"}}
learner: {warmup: 500}
stream: {standby_timeout: 1s, publish: {interval: 1s}}
constraints:
  - {name: sex, attribute: sex, group: Male, versus: Female, tau: 0.05}
kafka: {brokers: ["%s"]}
topics: {input: people}
`

// TestRestart: a process that has just started, and a standby that never learnt, show what earlier processes did: versions
// with their evidence, changes of the configuration and of the owner, with actor and reason.
func TestRestart(t *testing.T) {
	t.Parallel()
	program, config := newJob(t)
	run := func(args ...string) []string {
		return append([]string{program, "run", "--config", config, "--set", "server.address="}, args...)
	}
	do(t, program, "produce", "--config", config, "--input", people(t, 4000))
	do(t, run("--until-end")...)
	do(t, program, "produce", "--config", config, "--input", people(t, 2000))
	do(t, run("--until-end", "--set", "constraints[0].tau=0.15", "--actor", "ada", "--reason", "decision 17")...)

	for _, role := range []string{"owner", "standby"} {
		url, _ := serving(t, program, config, broker.FreeAddress(t), "--set", "constraints[0].tau=0.15", "--set", "stream.standby=true")
		p := open(t, url, 1440)
		p.wait(panels["versions"])
		p.wait("document.querySelector('#stream-body').innerText.includes(" + quote(map[string]string{"owner": "learns", "standby": "stands by"}[role]) + ")")
		for _, words := range []string{"Comparison 1: the limit is now 0.15; before, it was 0.05.", "by ada on", "decision 17", "was started again, after 4,000 records"} {
			p.wait("document.querySelector('#history-body').textContent.includes(" + quote(words) + ")")
		}
		for _, words := range []string{"Version 4,000", "Version 6,000", "Comparison 1: the limit is now 0.15", "ada: decision 17", "limit 0.15", "limit 0.05"} {
			p.wait("document.querySelector('#versions-body').textContent.includes(" + quote(words) + ")")
		}
		p.accessible(role)
	}
}

// TestReconnectsToAProcess: the page of a process that was killed says that the connection is lost. When the next process serves
// at the same address, the page follows it without a reload.
func TestReconnectsToAProcess(t *testing.T) {
	t.Parallel()
	program, config := newJob(t)
	address := broker.FreeAddress(t)
	do(t, program, "produce", "--config", config, "--input", people(t, 4000))
	url, kill := serving(t, program, config, address)
	p := open(t, url, 1000)
	p.expect("net::ERR_CONNECTION_REFUSED", "net::ERR_CONNECTION_RESET", "net::ERR_INCOMPLETE_CHUNKED_ENCODING", "net::ERR_EMPTY_RESPONSE")
	p.wait("document.querySelector('#live').innerText.includes('4,000')")
	p.wait(panels["versions"])
	eval[bool](p, "(window.loadedOnce = true)")

	kill()
	p.wait("document.querySelector('#live').innerText.includes('Disconnected')")
	p.wait("document.querySelector('#banner').innerText.includes('tries again') && document.querySelector('main').matches('.stale')")

	do(t, program, "produce", "--config", config, "--input", people(t, 2000))
	serving(t, program, config, address)
	p.within(20*time.Second, "document.querySelector('#live').innerText.includes('6,000')") // the owner before has to be silent for a while
	p.wait("document.querySelector('#banner').hidden && !document.querySelector('main').matches('.stale')")
	p.wait("document.querySelector('#versions-body').textContent.includes('Version 6,000')")
	if !eval[bool](p, "window.loadedOnce === true") {
		t.Error("the page was loaded again")
	}
}

// newJob builds the program, and creates the topics of a job on a broker of its own.
func newJob(t *testing.T) (program, config string) {
	t.Helper()
	open(t, "about:blank", 1440) // starts the browser, or skips
	b, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	directory := t.TempDir()
	program, config = filepath.Join(directory, "fairstream"), filepath.Join(directory, "config.yaml")
	if err := os.WriteFile(config, fmt.Appendf(nil, restartSections, b.Addresses()[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	do(t, "go", "build", "-trimpath", "-ldflags=-s", "-o", program, "github.com/fairstream/fairstream/cmd/fairstream")
	do(t, program, "topics", "create", "--config", config)
	return program, config
}

// do runs a command that must succeed.
func do(t *testing.T, args ...string) {
	t.Helper()
	if output, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, output)
	}
}

// people is a file of bundled records.
func people(t *testing.T, n int) (name string) {
	t.Helper()
	var text strings.Builder
	lines := bufio.NewScanner(adult.Open())
	for range n + 1 { // the header is one
		if !lines.Scan() {
			t.Fatal(lines.Err())
		}
		text.WriteString(lines.Text() + "\n")
	}
	name = filepath.Join(t.TempDir(), "people.csv")
	if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// serving starts run with its page at an address, and gives a function that kills it.
func serving(t *testing.T, program, config, address string, args ...string) (url string, kill func()) {
	t.Helper()
	args = append([]string{"run", "--config", config, "--set", "server.address=" + address}, args...)
	found, kill := killable(t, "("+regexp.QuoteMeta(address)+")", program, args...)
	return "http://" + found + "/", kill
}

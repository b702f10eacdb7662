package page_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/devbroker"
)

const restartSections = `job: adult
record: {label: {field: income, positive: ">50K"}}
learner: {warmup: 500}
constraints:
  - {name: sex, attribute: sex, group: Male, versus: Female, tau: 0.05}
kafka: {brokers: ["%s"]}
topics: {input: people}
`

// TestRestart: a process that has just started, and a standby that never learnt, show what earlier processes did: versions
// with their evidence, changes of the configuration and of the owner, with actor and reason.
func TestRestart(t *testing.T) {
	if testing.Short() {
		t.Skip("a real browser is left out with -short")
	}
	open(t, "about:blank", 1440) // starts the browser
	b, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	directory := t.TempDir()
	program, config := filepath.Join(directory, "fairstream"), filepath.Join(directory, "config.yaml")
	if err := os.WriteFile(config, fmt.Appendf(nil, restartSections, b.Addresses()[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	do := func(args ...string) {
		t.Helper()
		if output, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, output)
		}
	}
	run := func(args ...string) []string {
		return append([]string{program, "run", "--config", config, "--set", "server.address="}, args...)
	}
	do("go", "build", "-o", program, "github.com/fairstream/fairstream/cmd/fairstream")
	do(program, "topics", "create", "--config", config)
	do(program, "produce", "--config", config, "--input", people(t, 4000))
	do(run("--until-end")...)
	do(program, "produce", "--config", config, "--input", people(t, 2000))
	do(run("--until-end", "--set", "constraints[0].tau=0.15", "--actor", "ada", "--reason", "decision 17")...)

	for _, role := range []string{"owner", "standby"} {
		url := serving(t, program, config, "--set", "constraints[0].tau=0.15", "--set", "stream.standby=true")
		p := open(t, url, 1440)
		p.wait(panels["versions"])
		p.wait("document.querySelector('#stream-body').innerText.includes(" + quote(role+", term") + ")")
		for _, words := range []string{"constraints[0].tau: 0.05 -> 0.15", "by ada, with fairstream run on", "decision 17", "owns the job, after 4000 records"} {
			p.wait("document.querySelector('#history-body').textContent.includes(" + quote(words) + ")")
		}
		for _, words := range []string{"Version 4,000", "Version 6,000", "constraints[0].tau 0.05 becomes 0.15", "ada: decision 17", "bound 0.15", "bound 0.05"} {
			p.wait("document.querySelector('#versions-body').textContent.includes(" + quote(words) + ")")
		}
		p.accessible(role)
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

// serving starts run, and says where its page is.
func serving(t *testing.T, program, config string, args ...string) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close() // the program listens there
	args = append([]string{"run", "--config", config, "--set", "server.address=" + address}, args...)
	return "http://" + started(t, "("+regexp.QuoteMeta(address)+")", program, args...) + "/"
}

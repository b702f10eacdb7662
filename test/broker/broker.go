// Package broker starts a real Apache Kafka broker for tests, by broker.sh beside it. A test package has one, begun by
// the first test that asks for it:
//
//	func TestMain(m *testing.M) { os.Exit(broker.Main(m)) }
//	func TestSomething(t *testing.T) { b := broker.Shared(t) ... }
//
// With -short such a test skips. Without Java or Maven it skips, and says so; in continuous integration (CI=true)
// and with FAIRSTREAM_TEST_REQUIRE_BROKER=1 it fails. The package imports nothing of the project.
package broker

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// Broker is a running one. Its listeners differ in how a client proves who it is; see Security.
type Broker struct {
	Address  string // plaintext; whoever comes here may do everything
	Security Security

	directory string
	ports     []string
	heap      string // options of the JVM for the size of its heap; empty: 512 MB
	cluster   string // its id; empty: a new one
	command   *exec.Cmd
	lifeline  io.WriteCloser // the script stops the broker when it closes, even if we are killed
}

// errUnavailable: this machine cannot run a broker.
var errUnavailable = errors.New("no real broker")

// Start brings up a broker of the test's own, for tests that kill it. It is stopped at the test's end.
func Start(t testing.TB) *Broker {
	t.Helper()
	skipShort(t)
	b, err := start(t.TempDir())
	skipOrFail(t, err)
	t.Cleanup(b.end)
	return b
}

var shared struct {
	once sync.Once
	*Broker
	directory string
	err       error
}

// Shared gives the broker of the test package.
func Shared(t testing.TB) *Broker {
	t.Helper()
	skipShort(t)
	shared.once.Do(func() {
		shared.directory, shared.err = os.MkdirTemp("", "fairstream-broker") //nolint:usetesting // it outlives the test that asks first; Main removes it
		if shared.err == nil {
			shared.Broker, shared.err = start(shared.directory)
		}
	})
	skipOrFail(t, shared.err)
	return shared.Broker
}

// Main runs the tests of a package and stops the shared broker.
func Main(m *testing.M) int {
	code := m.Run()
	if shared.Broker != nil {
		shared.end()
	}
	if shared.directory != "" {
		_ = os.RemoveAll(shared.directory) // in the system's temporary directory
	}
	return code
}

// skipShort keeps the inner loop short: go test -short leaves out a real broker.
func skipShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped: a real broker is left out by -short")
	}
}

func skipOrFail(t testing.TB, err error) {
	t.Helper()
	required := os.Getenv("CI") == "true" || os.Getenv("FAIRSTREAM_TEST_REQUIRE_BROKER") == "1"
	switch {
	case err == nil:
	case errors.Is(err, errUnavailable) && !required:
		t.Skipf("skipped: %v (FAIRSTREAM_TEST_REQUIRE_BROKER=1 makes this a failure)", err)
	default:
		t.Fatal(err)
	}
}

func start(directory string) (*Broker, error) {
	return tryPorts(directory, func(directory string) (*Broker, error) {
		b, err := prepare(directory)
		if err != nil {
			return nil, err
		}
		return b, b.Restart()
	})
}

// prepare writes what a broker needs before it starts.
func prepare(directory string) (*Broker, error) {
	for _, program := range []string{"bash", "java", "mvn"} {
		if _, err := exec.LookPath(program); err != nil {
			return nil, fmt.Errorf("%w: %s is not installed", errUnavailable, program)
		}
	}
	ports, err := freePorts(5)
	if err != nil {
		return nil, err
	}
	b := &Broker{directory: directory, ports: ports}
	if b.Security, err = newSecurity(directory, ports); err != nil {
		return nil, err
	}
	return b, nil
}

// Restart starts the broker again after Kill or Stop, on the same ports and with the same data, and waits until it is
// ready.
func (b *Broker) Restart() error {
	script, err := find("test/broker/broker.sh")
	if err != nil {
		return err
	}
	b.command = exec.Command(script, "run", b.directory, b.ports[0], b.ports[1], b.Security.properties)
	b.command.Env = append(os.Environ(), "BROKER_FORMAT_OPTIONS="+formatOptions,
		// Brokers of tests live for seconds: a compiler that is quick rather than thorough takes less.
		"BROKER_JVM_OPTIONS="+cmp.Or(b.heap, "-Xms512m -Xmx512m")+" -XX:+UseSerialGC -XX:TieredStopAtLevel=1")
	if b.cluster != "" {
		b.command.Env = append(b.command.Env, "BROKER_CLUSTER_ID="+b.cluster)
	}
	problems, err := os.Create(filepath.Join(b.directory, "problems")) // a file: a pipe would need a goroutine of ours
	if err != nil {
		return err
	}
	defer func() { _ = problems.Close() }() // the script has it
	b.command.Stderr = problems
	if b.lifeline, err = b.command.StdinPipe(); err != nil {
		return err
	}
	output, err := b.command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := b.command.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		err = b.command.Wait()
		said, _ := os.ReadFile(problems.Name()) // nothing said is nothing to report
		if strings.Contains(string(said), "Maven could not bring") {
			return fmt.Errorf("%w: %s", errUnavailable, said)
		}
		return fmt.Errorf("the broker did not start: %v\n%s", err, said)
	}
	b.Address = strings.TrimSpace(line)
	return nil
}

// Stop ends the broker in good order (TERM), and by force after 20 s.
func (b *Broker) Stop() {
	_ = b.lifeline.Close() // the script stops the broker when its input ends
	_ = b.command.Wait()   // a broker that was killed is no error
}

// end is for a broker that nobody needs any more: its data are thrown away, so good order is not worth the wait.
func (b *Broker) end() {
	_ = b.Kill() // one that is dead already is no error
	b.Stop()
}

// Kill ends it as a power cut does (SIGKILL).
func (b *Broker) Kill() error {
	if err := b.signal(syscall.SIGKILL); err != nil {
		return err
	}
	b.Stop()
	return nil
}

// Freeze stops the process without closing a connection; Thaw lets it go on.
func (b *Broker) Freeze() error { return b.signal(syscall.SIGSTOP) }

// Thaw undoes Freeze.
func (b *Broker) Thaw() error { return b.signal(syscall.SIGCONT) }

func (b *Broker) signal(signal syscall.Signal) error {
	text, err := os.ReadFile(filepath.Join(b.directory, "pid"))
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return err
	}
	return syscall.Kill(pid, signal)
}

// find looks for a file of the repository from the test's directory upwards.
func find(path string) (string, error) {
	directory, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		candidate := filepath.Join(directory, path)
		if _, err := os.Stat(candidate); err == nil {
			return candidate, nil
		}
		if filepath.Dir(directory) == directory {
			return "", fmt.Errorf("%s is in no directory above this test", path)
		}
		directory = filepath.Dir(directory)
	}
}

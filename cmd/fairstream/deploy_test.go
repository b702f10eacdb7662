package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/replay"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/test/broker"
)

// No container engine is needed here: what docker-compose.yml says is done without one. That docker compose accepts
// the file, test/integration tests.

// inImage is where the image has the configuration, and deployed where the repository has it.
const inImage = "/etc/fairstream/adult.yaml"

var deployed = filepath.Join(repository, "deploy", "adult.yaml")

// composeFile is what of docker-compose.yml has to agree with the program.
type composeFile struct {
	Services map[string]composeService
}

type composeService struct {
	Build       string
	Image       string
	Command     []string
	Environment map[string]string
	Ports       []string
	Volumes     []string
	Profiles    []string
	Restart     string
	HealthCheck map[string]any                        `yaml:"healthcheck"`
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
}

func readCompose(t *testing.T) composeFile {
	t.Helper()
	var c composeFile
	if err := yaml.Unmarshal(readRepository(t, "docker-compose.yml"), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func readRepository(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// commandOf is what a service runs, with the configuration of the repository.
func commandOf(s composeService) []string {
	command := slices.Clone(s.Command)
	for i := range command {
		if command[i] == inImage {
			command[i] = deployed
		}
	}
	return command
}

func TestComposeServicesRunWhatThereIs(t *testing.T) {
	c := readCompose(t)
	ours := 0
	for name, service := range c.Services {
		for other, dependency := range service.DependsOn {
			switch awaited := c.Services[other]; {
			case dependency.Condition == "service_healthy" && awaited.HealthCheck == nil:
				t.Errorf("%s waits for the health of %s, which is not checked", name, other)
			case dependency.Condition == "service_completed_successfully" && awaited.Restart != "":
				t.Errorf("%s waits for the end of %s, which is started again", name, other)
			}
		}
		for _, port := range service.Ports {
			if !strings.HasPrefix(port, "127.0.0.1:") {
				t.Errorf("%s: port %s is open to other machines", name, port)
			}
		}
		if service.Build == "" {
			continue
		}
		ours++
		if err := parses(service.Command); err != nil {
			t.Errorf("%s: fairstream %s: %v", name, strings.Join(service.Command, " "), err)
		}
		if !slices.Contains(service.Command, inImage) {
			t.Errorf("%s does not use %s", name, inImage)
		}
		var environment []string
		for key, value := range service.Environment {
			environment = append(environment, key+"="+value)
		}
		loaded, err := config.Load(config.Sources{Files: []string{deployed}, Environment: environment}, config.Streaming)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !slices.Equal(loaded.Kafka.Brokers, []string{"kafka:19092"}) {
			t.Errorf("%s: brokers %v", name, loaded.Kafka.Brokers)
		}
	}
	if ours != 3 {
		t.Errorf("%d services of fairstream", ours)
	}
}

// parses says what is wrong with a command line, and does not run it.
func parses(args []string) error {
	root := newRoot(&program.Streams{})
	cmd, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	if cmd == root {
		return fmt.Errorf("no subcommand")
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	if err := cmd.ValidateRequiredFlags(); err != nil {
		return err
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}

func TestParsesBites(t *testing.T) {
	for _, line := range []string{"", "produce", "runs --config a", "run --cnfig a", "topics create extra"} {
		if parses(strings.Fields(line)) == nil {
			t.Errorf("%q is taken for a command line", line)
		}
	}
}

// The image has the file that the services name, and its versions are those that are tested.
func TestImageFitsCompose(t *testing.T) {
	c := readCompose(t)
	dockerfile := string(readRepository(t, "Dockerfile"))
	for _, want := range []string{"COPY deploy/adult.yaml " + inImage + "\n", "CGO_ENABLED=0 go build", "\nUSER 65532:65532\n", "./cmd/fairstream"} {
		if !strings.Contains(dockerfile, want) {
			t.Errorf("the Dockerfile has no %q", want)
		}
	}
	_, kafka, _ := strings.Cut(c.Services["kafka"].Image, ":")
	if pom := string(readRepository(t, "test/broker/pom.xml")); kafka == "" || !strings.Contains(pom, "<kafka.version>"+kafka+"</kafka.version>") {
		t.Errorf("Kafka %q is not the version of test/broker/pom.xml", kafka)
	}
	for line := range strings.Lines(dockerfile) {
		if image, isFrom := strings.CutPrefix(strings.TrimSpace(line), "FROM "); isFrom && image != "scratch" && !strings.Contains(image, ":") {
			t.Errorf("the version of %s is not pinned", image)
		}
	}
	// The job of the image is that of the demo.
	loaded, err := config.Load(config.Sources{Files: []string{deployed}}, config.Streaming)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := loaded.Model().Fingerprint(), replay.BundledConfig().Model().Fingerprint(); got != want || loaded.Job != "adult" {
		t.Errorf("%s is another job than replay's for the bundled records", deployed)
	}
}

// properties renders the environment of apache/kafka as its start script does (docker/examples/README.md
// of Apache Kafka): without KAFKA_, in small letters, _ a dot, __ an underscore, ___ a hyphen. Variables
// that are no properties are left out.
func properties(environment map[string]string) map[string]string {
	rules := strings.NewReplacer("___", "-", "__", "_", "_", ".")
	result := map[string]string{}
	for name, value := range environment {
		if property, is := strings.CutPrefix(name, "KAFKA_"); is {
			result[rules.Replace(strings.ToLower(property))] = value
		}
	}
	return result
}

// TestComposeOnARealBroker starts a broker with the properties that docker-compose.yml gives to its
// container, but for addresses and the directory, and runs the services' commands on it.
func TestComposeOnARealBroker(t *testing.T) {
	broker.Shared(t) // says whether there can be one
	c := readCompose(t)
	directory := t.TempDir()
	inside, outside, controller := freePort(t), freePort(t), freePort(t)
	here := strings.NewReplacer("19092", inside, "9092", outside, "29093", controller,
		"://:", "://127.0.0.1:", "kafka:", "127.0.0.1:", "/var/lib/kafka/data", filepath.Join(directory, "data"))
	var file strings.Builder
	for name, value := range properties(c.Services["kafka"].Environment) {
		fmt.Fprintf(&file, "%s=%s\n", name, here.Replace(value))
	}
	path := filepath.Join(directory, "compose.properties")
	if err := os.WriteFile(path, []byte(file.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	startBroker(t, directory, outside, controller, path)

	for _, address := range []string{"127.0.0.1:" + inside, "localhost:" + outside} {
		t.Setenv("FAIRSTREAM_KAFKA_BROKERS", address)
		succeed(t, commandOf(c.Services["topics"])...)
	}
	produce := commandOf(c.Services["producer"])
	rate := slices.Index(produce, "--rate")
	if rate < 0 {
		t.Fatalf("the producer has no rate: %q", produce)
	}
	produce[rate+1] = "0"
	succeed(t, produce...)
	succeed(t, append(commandOf(c.Services["fairstream"]), "--until-end", "--set", "server.address=")...)
	var document struct {
		Records  int64            `json:"records"`
		Rejected int64            `json:"rejected"`
		Offsets  map[string]int64 `json:"offsets"`
	}
	if err := json.Unmarshal([]byte(succeed(t, "models", "show", "--config", deployed, "--json")), &document); err != nil {
		t.Fatal(err)
	}
	if document.Records != adult.Records || document.Rejected != 0 || document.Offsets["adult/0"] != adult.Records {
		t.Errorf("%+v", document)
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	_, port, err := net.SplitHostPort(broker.FreeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// startBroker starts a broker until the test's end.
func startBroker(t *testing.T, directory, port, controller, properties string) {
	t.Helper()
	command := exec.Command(filepath.Join(repository, "test", "broker", "broker.sh"), "run", directory, port, controller, properties)
	var problems bytes.Buffer
	command.Stderr = &problems
	lifeline, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// Its data are thrown away, so good order is not worth the wait.
		if text, err := os.ReadFile(filepath.Join(directory, "pid")); err == nil {
			if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
				_ = syscall.Kill(pid, syscall.SIGKILL) // one that has ended is no error
			}
		}
		_ = lifeline.Close() // the script ends, and stops a broker that is left
		if err := command.Wait(); err != nil {
			t.Errorf("the broker: %v", err)
		}
	})
	if _, err := bufio.NewReader(output).ReadString('\n'); err != nil {
		t.Fatalf("the broker did not start: %v\n%s", err, problems.String())
	}
}

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/sr/srfake"
	"go.yaml.in/yaml/v4"
)

// exampleOfRegistry is the folder of the example with a schema registry in docker compose.
var exampleOfRegistry = filepath.Join(repository, "examples", "registry")

// TestRegistryExample runs the commands of its services, with the files that they mount: the job learns the weights that it learns from the same
// records as JSON. `make foreign` does so with the registry that the file names.
func TestRegistryExample(t *testing.T) {
	var c composeFile
	if err := yaml.Unmarshal(readRepository(t, "examples/registry/docker-compose.yml"), &c); err != nil {
		t.Fatal(err)
	}
	command := func(name string) (arguments []string) {
		service := c.Services[name]
		if err := parses(service.Command); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, argument := range service.Command {
			for _, volume := range service.Volumes {
				outside, inside, _ := strings.Cut(volume, ":")
				if inside, _, readOnly := strings.Cut(inside, ":"); readOnly && inside == argument {
					argument = filepath.Join(exampleOfRegistry, outside)
				}
			}
			arguments = append(arguments, argument)
		}
		return arguments
	}
	if !strings.Contains(string(readRepository(t, "Makefile")), "REGISTRY_VERSION := "+strings.TrimPrefix(c.Services["registry"].Image, "apicurio/apicurio-registry-mem:")+"\n") {
		t.Errorf("%s is not the registry that is tested", c.Services["registry"].Image)
	}

	registry := srfake.New()
	t.Cleanup(registry.Close)
	config := filepath.Join(exampleOfRegistry, "loans.yaml")
	weights := func(setting ...string) string {
		_, _, b := onEmbedded(t, adultSections)
		t.Setenv("FAIRSTREAM_KAFKA_BROKERS", b.Addresses()[0])
		t.Setenv("FAIRSTREAM_REGISTRY_URLS", registry.URL())
		t.Setenv("FAIRSTREAM_SERVER_ADDRESS", "")
		succeed(t, append(command("topics"), setting...)...)
		produce := command("producer")
		if len(setting) > 0 {
			produce = slices.Delete(produce, slices.Index(produce, "--schema"), slices.Index(produce, "--schema")+2)
		}
		produce[slices.Index(produce, "--rate")+1] = "0"
		contains(t, succeed(t, append(produce, setting...)...), "Wrote 3,000 records to loans")
		succeed(t, append(append(command("fairstream"), "--until-end"), setting...)...)
		shown := succeed(t, append([]string{"models", "show", "--config", config}, setting...)...)
		contains(t, shown, "Learnt 3,000 records in mode adaptive; rejected 0.")
		_, sum, _ := strings.Cut(shown, "SHA-256 ")
		return sum[:64]
	}
	if avro, json := weights(), weights("--set", "record.format=json"); avro != json {
		t.Errorf("weights %s, of JSON %s", avro, json)
	}
	_, said, _ := fairstream(t, "check", "--config", config, "--input", filepath.Join(exampleOfRegistry, "..", "loans", "sample.jsonl"))
	contains(t, said, "No check found a mistake.")

	readme, err := os.ReadFile(filepath.Join(exampleOfRegistry, "README.md"))
	if err != nil || !strings.Contains(string(readme), "docker compose -f examples/registry/docker-compose.yml up --build") {
		t.Errorf("README.md does not say how to start it: %v", err)
	}
}

package integration

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// repository is the root of the project.
const repository = "../.."

// loadCompose does what `docker compose config` does with a file of a folder, by the same library and without an engine.
func loadCompose(t *testing.T, folder, text string) error {
	t.Helper()
	details := types.ConfigDetails{WorkingDir: folder, ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(folder, "docker-compose.yml"), Content: []byte(text)}}}
	_, err := loader.LoadWithContext(t.Context(), details, func(o *loader.Options) { o.SetProjectName("fairstream", false) })
	return err
}

// TestComposeFilesAreValid, and a file with a mistake is not: a check that lets everything pass would look like success.
// That the services run what there is, cmd/fairstream tests.
func TestComposeFilesAreValid(t *testing.T) {
	composeFile(t, repository, [][2]string{
		{"    hostname: kafka\n", "    hostnames: kafka\n"},
		{"service_healthy", "service_well"},
		{"interval: 5s", "interval: 5 apples"},
		{"127.0.0.1:9092:9092", "127.0.0.1:9092:nine"},
		{"kafka-data:/var/lib", "kafka-date:/var/lib"},
		{"      kafka: {condition", "      kafak: {condition"},
		{"<<: *fairstream", "<<: *fairsteam"},
	})
	composeFile(t, filepath.Join(repository, "examples", "registry"), [][2]string{
		{"service: kafka}", "service: kafak}"},
		{"../../docker-compose.yml", "../docker-compose.yml"},
		{"127.0.0.1:8081:8080", "127.0.0.1:8081:eighty"},
		{"registry: {condition: service_healthy}", "registry: {condition: service_well}"},
		{"      registry: {condition", "      registro: {condition"},
		{"\nvolumes:\n  kafka-data:\n", "\n"},
	})
}

// composeFile loads the file of a folder, and again with each change, which makes it invalid.
func composeFile(t *testing.T, folder string, changes [][2]string) {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(folder, "docker-compose.yml"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(file)
	if err := loadCompose(t, folder, text); err != nil {
		t.Error(err)
	}
	for _, change := range changes {
		changed := strings.Replace(text, change[0], change[1], 1)
		if changed == text {
			t.Errorf("%q is not in the file: this test has lost its point", change[0])
		}
		if err := loadCompose(t, folder, changed); err == nil {
			t.Errorf("with %q for %q it is let pass", change[1], change[0])
		}
	}
}

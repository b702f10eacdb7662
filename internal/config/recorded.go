package config

import (
	"fmt"
	"reflect"

	"go.yaml.in/yaml/v4"
)

// Recorded reads what JSON wrote, such as the configuration in a snapshot: what an auditor is told need not depend on the file that she has. Keys that this program
// does not know are left out; secrets are not in it. An error says that the sections of the learner or the monitor are not those of
// a configuration.
func Recorded(whole []byte) (Config, error) {
	config := Default()
	var document yaml.Node
	if err := yaml.Load(whole, &document); err != nil || len(document.Content) == 0 || document.Content[0].Kind != yaml.MappingNode {
		return Config{}, fmt.Errorf("config: the configuration that was recorded cannot be read: it is not a JSON object")
	}
	d := decoder{origins: map[string]string{}, source: func(*yaml.Node) string { return "the recorded configuration" }}
	d.set(document.Content[0], reflect.ValueOf(&config).Elem(), "")
	config = config.WithDefaults()
	if problems := config.Model().Validate(); len(problems) > 0 {
		return Config{}, fmt.Errorf("config: the configuration that was recorded cannot be used: %s: %s", problems[0].Path, problems[0].Message)
	}
	return config, nil
}

package main

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// TestMonitoringProfile: what docker-compose.yml mounts is there, and the files agree on names, ports and paths.
func TestMonitoringProfile(t *testing.T) {
	c := readCompose(t)
	mounted := map[string]string{} // by service and path within it, the file of the repository
	for name, service := range c.Services {
		monitors := name == "prometheus" || name == "grafana"
		if monitors != slices.Equal(service.Profiles, []string{"monitoring"}) {
			t.Errorf("%s has the profiles %v", name, service.Profiles)
		}
		for _, volume := range service.Volumes {
			if parts := strings.Split(volume, ":"); strings.HasPrefix(volume, "./") {
				mounted[name+":"+parts[1]] = strings.TrimPrefix(parts[0], "./")
				if len(parts) != 3 || parts[2] != "ro" {
					t.Errorf("%s may write %s", name, parts[0])
				}
			}
		}
	}
	read := func(service, inside string, into any) {
		t.Helper()
		file, there := mounted[service+":"+inside]
		if !there {
			t.Fatalf("%s has no %s", service, inside)
		}
		if err := yaml.Unmarshal(readRepository(t, file), into); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}

	const settings = "/etc/prometheus/prometheus.yaml"
	if !slices.Contains(c.Services["prometheus"].Command, "--config.file="+settings) {
		t.Errorf("Prometheus runs %v", c.Services["prometheus"].Command)
	}
	var prometheus struct {
		Rules  []string `yaml:"rule_files"`
		Scrape []struct {
			Static []struct{ Targets []string } `yaml:"static_configs"`
		} `yaml:"scrape_configs"`
	}
	read("prometheus", settings, &prometheus)
	var rules map[string]any
	read("prometheus", path.Join(path.Dir(settings), prometheus.Rules[0]), &rules)
	if target := prometheus.Scrape[0].Static[0].Targets[0]; target != "fairstream:8468" || c.Services["fairstream"].Image == "" {
		t.Errorf("Prometheus scrapes %s", target)
	}

	var source struct {
		Datasources []struct{ UID, Type, URL string }
	}
	read("grafana", "/etc/grafana/provisioning/datasources/fairstream.yaml", &source)
	if found := source.Datasources[0]; found.Type != "prometheus" || found.URL != "http://prometheus:9090" {
		t.Errorf("Grafana asks %+v", found)
	}
	var provider struct {
		Providers []struct{ Options struct{ Path string } }
	}
	read("grafana", "/etc/grafana/provisioning/dashboards/fairstream.yaml", &provider)
	board := path.Join(provider.Providers[0].Options.Path, "grafana.json")
	if !json.Valid(readRepository(t, mounted["grafana:"+board])) || c.Services["grafana"].Environment["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"] != board {
		t.Errorf("Grafana has no dashboard at %s", board)
	}
}

// TestTheImage has a health command that there is, labels, and no shell.
func TestTheImage(t *testing.T) {
	dockerfile := string(readRepository(t, "Dockerfile"))
	final := dockerfile[strings.LastIndex(dockerfile, "\nFROM "):]
	contains(t, final, "\nFROM scratch\n", "org.opencontainers.image.licenses=\"Apache-2.0\"", "org.opencontainers.image.source=", "HEALTHCHECK ")
	if strings.Contains(final, "\nRUN ") {
		t.Error("an image without a shell runs nothing while it is built")
	}
	_, list, _ := strings.Cut(final, " CMD [\"/usr/local/bin/fairstream\", ")
	list, _, _ = strings.Cut(list, "]")
	var command []string
	if err := json.Unmarshal([]byte("["+list+"]"), &command); err != nil {
		t.Fatal(err)
	}
	if err := parses(command); err != nil {
		t.Errorf("%v: %v", command, err)
	}
	health, _ := readCompose(t).Services["fairstream"].HealthCheck["test"].([]any)
	if len(health) != 3 || health[1] != "fairstream" || parses([]string{health[2].(string)}) != nil {
		t.Errorf("the health check of compose is %v", health)
	}
}

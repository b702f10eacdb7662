package integration

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"
)

// manifests checks each object of a file against Kubernetes' own schema; no cluster is needed, and none has run it.
func manifests(t *testing.T, schemas *jsonschema.Compiler, text []byte) (kinds []string, problem error) {
	t.Helper()
	groups := map[string]string{"v1": "core.v1", "apps/v1": "apps.v1", "policy/v1": "policy.v1"}
	for part := range bytes.SplitSeq(text, []byte("\n---\n")) {
		var object map[string]any
		if err := yaml.Unmarshal(part, &object); err != nil {
			return nil, err
		}
		version, _ := object["apiVersion"].(string)
		kind, _ := object["kind"].(string)
		schema, err := schemas.Compile("kubernetes.json#/definitions/io.k8s.api." + groups[version] + "." + kind)
		if err != nil {
			return nil, err
		}
		if err := schema.Validate(plain(object)); err != nil {
			return nil, err
		}
		kinds = append(kinds, kind)
	}
	return kinds, nil
}

// plain makes what the schema validator knows of what YAML gives.
func plain(node any) any {
	switch x := node.(type) {
	case map[string]any:
		for key := range x {
			x[key] = plain(x[key])
		}
	case []any:
		for i := range x {
			x[i] = plain(x[i])
		}
	case int:
		return float64(x)
	}
	return node
}

// TestKubernetesTakesTheManifest, and one with a mistake it does not.
func TestKubernetesTakesTheManifest(t *testing.T) {
	file, err := os.Open(filepath.Join("testdata", "kubernetes.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }() // it was read
	definitions, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	schemas := jsonschema.NewCompiler()
	if err := schemas.AddResource("kubernetes.json", definitions); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(repository, "deploy", "kubernetes.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	kinds, err := manifests(t, schemas, text)
	if err != nil || strings.Join(kinds, " ") != "PodDisruptionBudget ConfigMap Deployment" {
		t.Errorf("%v: %v", kinds, err)
	}
	for _, change := range [][2]string{
		{"replicas: 2", "replicas: two"},
		{"  replicas: 2", "  replica: 2"},
		{"kind: Deployment", "kind: Deploymnet"},
		{"readOnlyRootFilesystem: true", "readOnlyRootFileSystem: true"},
		{"containerPort: 8468", "containerPort: http"},
		{"minAvailable: 1", "minAvailable: [1]"},
		{"drop: [ALL]", "drop: ALL"},
	} {
		changed := strings.Replace(string(text), change[0], change[1], 1)
		if changed == string(text) {
			t.Errorf("%q is not in the file: this test has lost its point", change[0])
		}
		if _, err := manifests(t, schemas, []byte(changed)); err == nil {
			t.Errorf("with %q for %q it is let pass", change[1], change[0])
		}
	}
}

package artifacts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// chart is the directory of the chart, from here.
const chart = "../../deploy/chart"

// helm renders the chart.
func helm(t *testing.T, arguments ...string) (string, error) {
	t.Helper()
	program := os.Getenv("FAIRSTREAM_HELM")
	if program == "" {
		t.Skip("skipped: FAIRSTREAM_HELM names no helm: the chart was not rendered; make chart builds helm")
	}
	output, err := exec.Command(program, arguments...).CombinedOutput()
	return string(output), err
}

// TestChart: with each file of values, helm finds no fault, and each object is one that Kubernetes knows, with no other field.
func TestChart(t *testing.T) {
	values, err := filepath.Glob(chart + "/ci/*.yaml")
	if err != nil || len(values) < 6 {
		t.Fatalf("%v, %v", values, err)
	}
	for _, file := range values {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			if said, err := helm(t, "lint", "--strict", "--kube-version", "1.37.0", chart, "-f", file); err != nil {
				t.Error(said)
			}
			text, err := helm(t, "template", "loans", chart, "--kube-version", "1.37.0", "-f", file)
			if err != nil {
				t.Fatal(text)
			}
			// The kind of the operator is not in Kubernetes' schemas.
			var known []string
			for object := range strings.SplitSeq(text, "\n---\n") {
				if !strings.Contains(object, "kind: PodMonitor\n") {
					known = append(known, object)
				}
			}
			if said := validated(t, strings.Join(known, "\n---\n")); said != "" {
				t.Errorf("%s\n%s", said, text)
			}
		})
	}
}

// validated is what kubernetes-validate finds wrong.
func validated(t *testing.T, text string) string {
	t.Helper()
	program := os.Getenv("FAIRSTREAM_KUBERNETES_VALIDATE")
	if program == "" {
		t.Fatal("FAIRSTREAM_KUBERNETES_VALIDATE names no kubernetes-validate: run make chart")
	}
	file := filepath.Join(t.TempDir(), "manifests.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command(program, "--strict", file).CombinedOutput(); err != nil {
		return string(said) + err.Error()
	}
	return ""
}

// TestChartRefusesMistakes: what the values may not be is an error of helm, and a field that Kubernetes does not know is one of the schemas.
func TestChartRefusesMistakes(t *testing.T) {
	for _, set := range []string{"replicas=3", "command=score", "replica=2", "config=", "image.digest=latest", "networkPolicy.form=x", "goMemoryLimit=400M"} {
		if said, err := helm(t, "template", "loans", chart, "--kube-version", "1.37.0", "--set", set); err == nil {
			t.Errorf("%s was let pass:\n%s", set, said)
		}
	}
	text, err := helm(t, "template", "loans", chart, "--kube-version", "1.37.0")
	if err != nil {
		t.Fatal(text)
	}
	if validated(t, strings.Replace(text, "readOnlyRootFilesystem", "readOnlyRootFileSystem", 1)) == "" {
		t.Error("an unknown field was let pass")
	}
}

// TestChartIsTheManifest: deploy/kubernetes.yaml is the chart with its defaults.
func TestChartIsTheManifest(t *testing.T) {
	text, err := helm(t, "template", "fairstream", chart, "--kube-version", "1.37.0")
	if err != nil {
		t.Fatal(text)
	}
	manifest, err := os.ReadFile("../../deploy/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	header, err := os.ReadFile(chart + "/header.txt")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(strings.TrimPrefix(text, "---\n")) {
		if !strings.HasPrefix(line, "# Source: ") {
			lines = append(lines, line)
		}
	}
	if string(header)+strings.Join(lines, "") != string(manifest) {
		t.Error("deploy/kubernetes.yaml is another: run make manifests")
	}
}

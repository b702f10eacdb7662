package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.yaml.in/yaml/v4"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/server"
)

// manifest is what of deploy/kubernetes.yaml has to agree with the program.
type manifest struct {
	Kind     string
	Metadata struct{ Name string }
	Data     map[string]string // of the ConfigMap
	Spec     struct {          // of the Deployment
		Replicas int
		Strategy struct{ Type string }
		Selector struct {
			MatchLabels map[string]string `yaml:"matchLabels"`
		}
		Template struct {
			Metadata struct{ Labels, Annotations map[string]string }
			Spec     struct {
				Grace           int `yaml:"terminationGracePeriodSeconds"`
				SecurityContext struct {
					RunAsUser int `yaml:"runAsUser"`
				} `yaml:"securityContext"`
				Containers []struct {
					Args  []string
					Ports []struct {
						Name          string
						ContainerPort int `yaml:"containerPort"`
					}
					Liveness     probe `yaml:"livenessProbe"`
					Readiness    probe `yaml:"readinessProbe"`
					VolumeMounts []struct {
						Name      string
						MountPath string `yaml:"mountPath"`
					} `yaml:"volumeMounts"`
				}
			}
		}
	}
}

type probe struct {
	HTTPGet struct{ Path, Port string } `yaml:"httpGet"`
}

func readManifests(t *testing.T) map[string]manifest {
	t.Helper()
	all := map[string]manifest{}
	for text := range bytes.SplitSeq(readRepository(t, "deploy/kubernetes.yaml"), []byte("\n---\n")) {
		var m manifest
		// The separator ends the last line of a manifest, and a block of text keeps that end.
		if err := yaml.Unmarshal(append(bytes.Clone(text), '\n'), &m); err != nil {
			t.Fatal(err)
		}
		all[m.Kind] = m
	}
	return all
}

// TestKubernetesRunsWhatThereIs: the manifest's configuration, command, port, probes and user are the
// program's and the image's.
func TestKubernetesRunsWhatThereIs(t *testing.T) {
	all := readManifests(t)
	deployment := all["Deployment"].Spec
	pod, container := deployment.Template.Spec, deployment.Template.Spec.Containers[0]

	if deployment.Replicas != 2 || deployment.Strategy.Type != "RollingUpdate" {
		t.Errorf("%d replicas, strategy %s: nobody stands by", deployment.Replicas, deployment.Strategy.Type)
	}
	for label, value := range deployment.Selector.MatchLabels {
		if deployment.Template.Metadata.Labels[label] != value {
			t.Errorf("the pod has no label %s: %s", label, value)
		}
	}
	if err := parses(container.Args); err != nil {
		t.Errorf("%v: %v", container.Args, err)
	}
	if user := "\nUSER " + strconv.Itoa(pod.SecurityContext.RunAsUser) + ":"; !strings.Contains(string(readRepository(t, "Dockerfile")), user) {
		t.Errorf("user %d is not the image's", pod.SecurityContext.RunAsUser)
	}

	// The configuration, with the secret where it is mounted.
	path := container.Args[len(container.Args)-1]
	mounts := map[string]string{}
	for _, mount := range container.VolumeMounts {
		mounts[mount.Name] = mount.MountPath
	}
	text, found := all["ConfigMap"].Data[strings.TrimPrefix(path, mounts["job"]+"/")]
	if !found {
		t.Fatalf("%s is not in the ConfigMap", path)
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(text))); deployment.Template.Metadata.Annotations["checksum/config"] != sum {
		t.Errorf("the checksum of the configuration is %s", sum)
	}
	here := t.TempDir()
	if err := os.WriteFile(filepath.Join(here, "password"), []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(here, "job.yaml")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, mounts["kafka"], here)), 0o600); err != nil {
		t.Fatal(err)
	}
	loaded, err := config.Load(config.Sources{Files: []string{file}}, config.Streaming)
	if err != nil {
		t.Fatal(err)
	}
	if loaded.Kafka.SASLPasswordFile != filepath.Join(here, "password") {
		t.Errorf("the password is read from %s", loaded.Kafka.SASLPasswordFile)
	}
	if !loaded.Stream.Standby {
		t.Error("without stream.standby the two pods take the job from each other")
	}
	if grace := time.Duration(pod.Grace) * time.Second; grace <= loaded.Stream.ShutdownTimeout {
		t.Errorf("the pod has %v to end, the program takes %v", grace, loaded.Stream.ShutdownTimeout)
	}

	_, port, err := net.SplitHostPort(loaded.Server.Address)
	if err != nil || port != strconv.Itoa(container.Ports[0].ContainerPort) || port != deployment.Template.Metadata.Annotations["prometheus.io/port"] {
		t.Errorf("the server listens on %s, %v; the container's ports are %v", loaded.Server.Address, err, container.Ports)
	}
	handler := server.NewMonitor("test", "adult").Handler(zap.NewAtomicLevel(), nil, server.Access{})
	for probed, want := range map[string]int{container.Liveness.HTTPGet.Path: http.StatusOK, container.Readiness.HTTPGet.Path: http.StatusServiceUnavailable,
		deployment.Template.Metadata.Annotations["prometheus.io/path"]: http.StatusOK} {
		recorder := httptest.NewRecorder()
		if handler.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, probed, nil)); recorder.Code != want {
			t.Errorf("GET %s answers %d before anything runs, want %d", probed, recorder.Code, want)
		}
	}
	for _, p := range []probe{container.Liveness, container.Readiness} {
		if p.HTTPGet.Port != container.Ports[0].Name {
			t.Errorf("%s is asked at port %s", p.HTTPGet.Path, p.HTTPGet.Port)
		}
	}
}

// TestConfigurationsOfTheChart: a configuration among the examples of the chart is one of its command, its port is the one that is probed, and
// the files of its secrets are where the chart mounts them.
func TestConfigurationsOfTheChart(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(repository, "deploy/chart/ci/*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, filepath.Join(repository, "deploy/chart/values.yaml")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var values struct {
			Command, Config string
			TLS             bool
			Secrets         []struct{ Name string }
		}
		if err := yaml.Unmarshal(text, &values); err != nil {
			t.Fatal(err)
		}
		if values.Config == "" {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			here := t.TempDir()
			certificateFile, keyFile := certificate(t)
			for _, secret := range values.Secrets {
				directory := filepath.Join(here, secret.Name)
				must(t, os.Mkdir(directory, 0o700))
				must(t, os.WriteFile(filepath.Join(directory, "password"), []byte("secret\n"), 0o600))
				must(t, os.WriteFile(filepath.Join(directory, "token"), []byte("a-token-of-some-length"), 0o600))
				must(t, os.Symlink(certificateFile, filepath.Join(directory, "tls.crt")))
				must(t, os.Symlink(keyFile, filepath.Join(directory, "tls.key")))
			}
			purpose, port := config.Running, "8468"
			if values.Command == "serve" {
				purpose, port = config.Serving, "8470"
			}
			c, err := config.Load(config.Sources{Text: []byte(strings.ReplaceAll(values.Config, "/run/secrets", here))}, purpose)
			if err != nil {
				t.Fatal(err)
			}
			address := c.Server.Address
			if values.Command == "serve" {
				address = c.Serve.Address
			}
			if address != "0.0.0.0:"+port || (c.Server.TLS.CertificateFile != "") != values.TLS {
				t.Errorf("it listens on %s, with the certificate %q; tls of the chart is %t", address, c.Server.TLS.CertificateFile, values.TLS)
			}
			if values.Command == "serve" && c.Serve.Drain < 15*time.Second {
				t.Errorf("serve.drain is %v: requests reach a pod that has ended", c.Serve.Drain)
			}
		})
	}
}

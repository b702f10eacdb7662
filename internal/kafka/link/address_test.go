package link

import (
	"strings"
	"testing"
)

// TestAddressProblem: what people write instead of host:port, each with what to write.
func TestAddressProblem(t *testing.T) {
	for broker, says := range map[string]string{
		"127.0.0.1:9092":    "",
		"[::1]:9092":        "",
		"127.0.0.1":         "not of the form host:port",
		"a:9092,b:9092":     "each as an entry of its own",
		"http://a:9092":     `write "a:9092" without http://`,
		"a:port":            "the port must be 1 to 65535",
		"user:secret@a:909": "before its @",
	} {
		if got := addressProblem(broker); (got == "") != (says == "") || !strings.Contains(got, says) {
			t.Errorf("%s: %s", broker, got)
		}
	}
}

package config_test

import (
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/config"
)

// TestLimits: the least and the largest value of a key are good, and what is beyond is a problem of this key.
func TestLimits(t *testing.T) {
	for key, c := range map[string]struct{ good, bad []string }{
		"serve.log_timeout":    {[]string{"1ms", "1h"}, []string{"999us", "3601s"}},
		"serve.log_buffer":     {[]string{"10000", "10000000"}, []string{"0", "10000001"}},
		"serve.body_bytes":     {[]string{"1024", "1073741824"}, []string{"1023", "1073741825"}},
		"serve.records":        {[]string{"1", "1000000"}, []string{"0", "1000001"}},
		"serve.concurrency":    {[]string{"1", "4096"}, []string{"0", "4097"}},
		"serve.timeout":        {[]string{"100ms", "1h"}, []string{"99ms", "3601s"}},
		"serve.drain":          {[]string{"0s", "1h"}, []string{"-1s", "3601s"}},
		"serve.address":        {[]string{":0", "127.0.0.1:65535"}, []string{":65536", ":-1", "8470", ":x"}},
		"serve.topic":          {[]string{"a.b_c-1", strings.Repeat("a", 249)}, []string{".", "..", "a b", strings.Repeat("a", 250)}},
		"serve.log":            {[]string{"none"}, []string{"all"}},
		"server.address":       {[]string{":0", ":65535", ""}, []string{":65536", ":-1", "8468"}},
		"log.level":            {[]string{"debug", "info", "warn", "error"}, []string{"loud"}},
		"log.format":           {[]string{"json", "console"}, []string{"xml"}},
		"learner.level":        {[]string{"0.5", "0.999"}, []string{"0", "1", "-1"}},
		"constraints[0].tau":   {[]string{"0.01", "0.99"}, []string{"-0.1", "1"}},
		"stream.keep_versions": {[]string{"1"}, []string{"-1"}},
	} {
		load := func(value string) error {
			set := func(path, value string) config.Assignment {
				return config.Assignment{Flag: "--set", Path: path, Value: value}
			}
			_, err := config.Load(config.Sources{Flags: []config.Assignment{set("record.label.field", "y"), set("record.label.positive", "1"),
				set("constraints", "[{name: sex, attribute: sex, group: m, versus: f, tau: 0.1}]"), set("kafka.brokers", "a:9092"), set("topics.input", "in"), set("topics.model", "m"), set("topics.state", "s"),
				set("topics.dead_letter", "d"), set("job", "j"), set(key, value)}}, config.Streaming)
			return err
		}
		for _, value := range c.good {
			if err := load(value); err != nil {
				t.Errorf("%s=%s: %v", key, value, err)
			}
		}
		for _, value := range c.bad {
			if err := load(value); err == nil || !strings.Contains(err.Error(), key) {
				t.Errorf("%s=%s: %v", key, value, err)
			}
		}
	}
}

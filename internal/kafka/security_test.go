package kafka

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol/createacls"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka/link"
	"github.com/fairstream/fairstream/internal/kafka/wire"
	"github.com/fairstream/fairstream/test/broker"
)

// allow grants a principal operations on a topic.
func (w *world) allow(principal, topic string, operations ...kafkago.ACLOperationType) {
	w.t.Helper()
	request := &createacls.Request{}
	for _, operation := range operations {
		request.Creations = append(request.Creations, createacls.RequestACLs{ResourceType: int8(kafkago.ResourceTypeTopic), ResourceName: topic,
			ResourcePatternType: int8(kafkago.PatternTypeLiteral), Principal: principal, Host: "*", Operation: int8(operation), PermissionType: int8(kafkago.ACLPermissionTypeAllow)})
	}
	response, err := link.Ask[*createacls.Response](w.context(), w.link, w.controller(w.context()), request)
	w.must(err)
	for _, result := range response.Results {
		w.must(wire.Code(result.ErrorCode))
	}
}

// as opens another client.
func (w *world) as(config Config) *Client {
	w.t.Helper()
	c, err := Open(config, Options{})
	w.must(err)
	w.t.Cleanup(func() {
		if err := c.Close(); err != nil {
			w.t.Error(err)
		}
	})
	return c
}

func TestEveryWayToAuthenticate(t *testing.T) {
	w := onReal(t)
	s := w.real.Security
	topic := w.create(1)
	for _, principal := range []string{"User:" + broker.PlainUser, "User:" + broker.ScramUser, broker.ClientPrincipal} {
		w.allow(principal, topic, kafkago.ACLOperationTypeRead, kafkago.ACLOperationTypeWrite)
	}
	t.Setenv("FAIRSTREAM_TEST_SECRET", broker.ScramPassword)
	for name, config := range map[string]Config{
		"PLAIN":                {Brokers: []string{s.SASL}, SecurityProtocol: "SASL_PLAINTEXT", SASLMechanism: "PLAIN", SASLUsername: broker.PlainUser, SASLPassword: broker.PlainPassword},
		"SCRAM-SHA-256":        {Brokers: []string{s.SASL}, SecurityProtocol: "SASL_PLAINTEXT", SASLMechanism: "SCRAM-SHA-256", SASLUsername: broker.ScramUser, SASLPassword: broker.ScramPassword},
		"SCRAM-SHA-512, env":   {Brokers: []string{s.SASL}, SecurityProtocol: "sasl_plaintext", SASLMechanism: "SCRAM-SHA-512", SASLUsername: broker.ScramUser, SASLPasswordEnv: "FAIRSTREAM_TEST_SECRET"},
		"PLAIN over TLS":       {Brokers: []string{s.SASLTLS}, SecurityProtocol: "SASL_SSL", SASLMechanism: "PLAIN", SASLUsername: broker.PlainUser, SASLPassword: broker.PlainPassword, CALocation: s.CA},
		"SCRAM over TLS":       {Brokers: []string{s.SASLTLS}, SecurityProtocol: "SASL_SSL", SASLMechanism: "SCRAM-SHA-512", SASLUsername: broker.ScramUser, SASLPassword: broker.ScramPassword, CALocation: s.CA},
		"client certificate":   {Brokers: []string{s.MutualTLS}, SecurityProtocol: "SSL", CALocation: s.CA, CertificateLocation: s.Certificate, KeyLocation: s.Key},
		"name is not compared": {Brokers: []string{s.MutualTLS}, SecurityProtocol: "SSL", CALocation: s.CA, CertificateLocation: s.Certificate, KeyLocation: s.Key, EndpointIdentification: "none"},
	} {
		t.Run(name, func(t *testing.T) {
			c := w.as(config)
			if err := c.Ping(w.context()); err != nil {
				t.Fatal(err)
			}
			offset, err := c.Produce(w.context(), topic, 0, Message{Value: []byte(name)})
			if err != nil {
				t.Fatal(err)
			}
			var got string
			if _, err := c.Read(w.context(), topic, 0, offset, offset+1, func(r *Record) error { got = string(r.Value); return nil }); err != nil || got != name {
				t.Errorf("read %q, %v", got, err)
			}
		})
	}
}

// Each cause comes with its own words, from every call, though kafka-go says "topic not found" for all of them.
func TestRefusedConnections(t *testing.T) {
	w := onReal(t)
	s := w.real.Security
	topic := w.create(1)
	plainUser := Config{SASLMechanism: "PLAIN", SASLUsername: broker.PlainUser, SASLPassword: broker.PlainPassword}
	with := func(address, protocol string, change func(*Config)) Config {
		c := plainUser
		c.Brokers, c.SecurityProtocol = []string{address}, protocol
		if !strings.HasPrefix(c.SecurityProtocol, "SASL") {
			c = Config{Brokers: c.Brokers, SecurityProtocol: protocol}
		}
		change(&c)
		return c
	}
	for _, test := range []struct {
		name   string
		config Config
		class  Class
		want   string
	}{
		{"wrong password", with(s.SASL, "SASL_PLAINTEXT", func(c *Config) { c.SASLPassword = "wrong" }), Fatal, "check sasl.username, the password"},
		{"wrong SCRAM password", with(s.SASL, "SASL_PLAINTEXT", func(c *Config) {
			c.SASLMechanism, c.SASLUsername, c.SASLPassword = "SCRAM-SHA-512", broker.ScramUser, "wrong"
		}), Fatal, "check sasl.username, the password"},
		{"unknown user", with(s.SASL, "SASL_PLAINTEXT", func(c *Config) { c.SASLUsername = "nobody" }), Fatal, "check sasl.username, the password"},
		{"unknown authority", with(s.SASLTLS, "SASL_SSL", func(c *Config) { c.CALocation = s.OtherCA }), Fatal, "point ssl.ca.location at its CA"},
		{"unknown authority, name not compared", with(s.SASLTLS, "SASL_SSL", func(c *Config) { c.CALocation, c.EndpointIdentification = s.OtherCA, "none" }), Fatal, "point ssl.ca.location at its CA"},
		{"another host name", with(strings.Replace(s.SASLTLS, "127.0.0.1", "localhost", 1), "SASL_SSL", func(c *Config) { c.CALocation = s.CA }), Fatal, "names another host"},
		{"no client certificate", with(s.MutualTLS, "SSL", func(c *Config) { c.CALocation = s.CA }), Fatal, "check ssl.certificate.location"},
		{"a client certificate of another authority", with(s.MutualTLS, "SSL", func(c *Config) {
			c.CALocation, c.CertificateLocation, c.KeyLocation = s.CA, s.OtherCertificate, s.OtherKey
		}), Fatal, "check ssl.certificate.location"},
		{"no TLS where it is wanted", with(s.MutualTLS, "PLAINTEXT", func(*Config) {}), Fatal, "set security.protocol to SSL or SASL_SSL"},
		{"TLS where there is none", with(w.addresses[0], "SSL", func(c *Config) { c.CALocation = s.CA }), Fatal, "security.protocol does not fit the listener"},
		{"SASL where there is none", with(w.addresses[0], "SASL_PLAINTEXT", func(*Config) {}), Fatal, "the listener does not speak SASL"},
		{"no SASL where it is wanted", with(s.SASL, "PLAINTEXT", func(*Config) {}), Fatal, "security.protocol does not fit the listener"},
		{"nobody listens", Config{Brokers: []string{"127.0.0.1:1"}}, Retry, "no broker listens there"},
		{"no such host", Config{Brokers: []string{"no-such-host.invalid:9092"}}, Retry, "the name does not resolve"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := w.as(test.config)
			for call, run := range map[string]func(context.Context) error{
				"ping": c.Ping,
				"append": func(ctx context.Context) error {
					_, err := c.Append(ctx, topic, 0, Message{Value: []byte("v")})
					return err
				},
				"bounds": func(ctx context.Context) error { _, err := c.Bounds(ctx, topic); return err },
				"topic":  func(ctx context.Context) error { _, err := c.Topic(ctx, topic); return err },
			} {
				var err error
				if test.class == Fatal { // at once or, where the broker says nothing, after a few attempts
					err = c.Retry(w.context(), call, run)
				} else {
					err = run(w.context())
				}
				if err == nil || ClassOf(err) != test.class || !strings.Contains(err.Error(), test.want) {
					t.Errorf("%s: class %v, %v; want %v, %q", call, ClassOf(err), err, test.class, test.want)
				}
				if err != nil && strings.Contains(err.Error(), string(broker.PlainPassword)) {
					t.Errorf("%s: the error shows the password: %v", call, err)
				}
			}
			if test.class == Fatal {
				f, err := c.NewFetcher(FetchOptions{Topic: topic})
				w.must(err)
				defer f.Close()
				if _, err := f.Next(w.context()); err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("fetch: %v", err)
				}
			}
		})
	}
}

func TestMissingACLs(t *testing.T) {
	w := onReal(t)
	topic, state := w.create(1), w.create(1, "cleanup.policy=compact")
	w.write(topic, 0, 0, 1)
	c := w.as(Config{Brokers: []string{w.real.Security.SASL}, SecurityProtocol: "SASL_PLAINTEXT", SASLMechanism: "PLAIN",
		SASLUsername: broker.PlainUser, SASLPassword: broker.PlainPassword})
	refused := func(call string, err error, want string) {
		t.Helper()
		if err == nil || ClassOf(err) != Fatal || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: class %v, %v; want %q", call, ClassOf(err), err, want)
		}
	}
	read := func() error {
		_, err := c.Read(w.context(), topic, 0, 0, 1, func(*Record) error { return nil })
		return err
	}
	write := func() error { _, err := c.Produce(w.context(), topic, 0, Message{Value: []byte("v")}); return err }
	refused("read without Describe", read(), "an ACL is missing")

	w.allow("User:"+broker.PlainUser, topic, kafkago.ACLOperationTypeDescribe)
	w.waitFor("the ACL", func() bool { _, err := c.Bounds(w.context(), topic); return err == nil })
	refused("read without Read", read(), "reading needs Read and Describe")
	refused("write without Write", write(), "writing Write")
	f, err := c.NewFetcher(FetchOptions{Topic: topic})
	w.must(err)
	defer f.Close()
	_, err = f.Next(w.context())
	refused("fetch without Read", err, "reading needs Read and Describe")

	w.allow("User:"+broker.PlainUser, state, kafkago.ACLOperationTypeDescribe)
	w.waitFor("the ACL", func() bool { _, err := c.Topic(w.context(), state); return err == nil })
	_, err = c.VerifyTopics(w.context(), TopicSpec{Name: state, Kind: StateTopic})
	refused("verify without DescribeConfigs", err, "grant DescribeConfigs")
	_, err = c.CreateTopics(w.context(), TopicSpec{Name: "new-" + topic, Kind: InputTopic})
	refused("create without Create", err, "an ACL is missing")

	w.allow("User:"+broker.PlainUser, topic, kafkago.ACLOperationTypeRead, kafkago.ACLOperationTypeWrite)
	w.waitFor("the ACL", func() bool { return read() == nil && write() == nil })
}

// A broker that is away for good: within the caller's time, the error says both.
func TestRetryEndsWithItsContext(t *testing.T) {
	w := embedded(t, devbroker.Options{})
	topic := w.create(1)
	w.dev.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 400*time.Millisecond)
	defer cancel()
	_, err := w.Produce(ctx, topic, 0, Message{Value: []byte("v")})
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "attempts; the last") {
		t.Errorf("%v", err)
	}
	if !w.outages.has(fmt.Sprintf("write to %s/0", topic)) {
		t.Errorf("nobody was told:\n%s", w.outages)
	}
}

package fault

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	kafkago "github.com/segmentio/kafka-go"
)

func TestClasses(t *testing.T) {
	for _, test := range []struct {
		err  error
		want Class
	}{
		{kafkago.NotLeaderForPartition, Retry}, {kafkago.LeaderNotAvailable, Retry}, {kafkago.RequestTimedOut, Retry}, {kafkago.NotEnoughReplicas, Retry},
		{kafkago.NotEnoughReplicasAfterAppend, Retry}, {kafkago.KafkaStorageError, Retry}, {kafkago.Unknown, Retry}, {kafkago.UnknownTopicOrPartition, Retry},
		{kafkago.UnknownTopicID, Retry}, {kafkago.FencedLeaderEpoch, Retry}, {kafkago.OffsetOutOfRange, Retry}, {kafkago.InvalidMessage, Retry},
		{kafkago.TopicAuthorizationFailed, Fatal}, {kafkago.ClusterAuthorizationFailed, Fatal}, {kafkago.SASLAuthenticationFailed, Fatal},
		{kafkago.MessageSizeTooLarge, Fatal}, {kafkago.InvalidRecord, Fatal}, {kafkago.InvalidConfiguration, Fatal}, {kafkago.UnsupportedVersion, Fatal},
		{syscall.ECONNREFUSED, Retry}, {syscall.ECONNRESET, Retry}, {io.ErrUnexpectedEOF, Retry}, {context.DeadlineExceeded, Retry},
		{errors.New("something new"), Retry},
		{&DataLoss{}, Fatal}, {&CorruptError{}, Fatal}, {ErrClosed, Fatal},
		{Doubted(&CorruptError{}), Retry},
	} {
		wrapped := fmt.Errorf("while reading: %w", test.err)
		if got := ClassOf(wrapped); got != test.want {
			t.Errorf("%v is %v, want %v", test.err, got, test.want)
		}
	}
}

// TestNoFailureIsNotFatal: a caller who asks before she looks whether there was an error goes on.
func TestNoFailureIsNotFatal(t *testing.T) {
	if got := ClassOf(nil); got != Retry {
		t.Errorf("no error is %v, want %v", got, Retry)
	}
}

func TestErrorsSayWhereAndWhatToDo(t *testing.T) {
	err := Explain("write to", "models", 3, kafkago.TopicAuthorizationFailed)
	for _, words := range []string{"kafka: write to models/3", "Topic Authorization Failed", "an ACL is missing"} {
		if !strings.Contains(err.Error(), words) {
			t.Errorf("%q does not say %q", err, words)
		}
	}
	if !errors.Is(err, kafkago.TopicAuthorizationFailed) {
		t.Errorf("%v hides its cause", err)
	}
	for name, known := range map[string]error{"explained before": err, "no error": nil, "the end of the client": ErrClosed, "a loss": &DataLoss{}, "a corrupt batch": &CorruptError{}} {
		if again := Explain("fetch", "other", 1, known); again != known { //nolint:errorlint // the same one
			t.Errorf("%s is explained: %v", name, again)
		}
	}
	for where, want := range map[Error]string{
		{Operation: "write to", Topic: "models", Partition: 0, Err: io.EOF}:             "kafka: write to models/0: EOF",
		{Operation: "describe", Topic: "models", Partition: -1, Err: io.EOF}:            "kafka: describe models: EOF",
		{Operation: "connect", Partition: 3, Err: io.EOF, Advice: "look at the broker"}: "kafka: connect: EOF: look at the broker",
	} {
		if got := where.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestConnectionsThatFail: each failure before an answer says what to look at, and whether waiting can help.
func TestConnectionsThatFail(t *testing.T) {
	for _, test := range []struct {
		err    error
		want   Class
		advice string
	}{
		{x509.UnknownAuthorityError{}, Fatal, "ssl.ca.location"}, {x509.HostnameError{Certificate: &x509.Certificate{}, Host: "b"}, Fatal, "ssl.endpoint.identification.algorithm"},
		{x509.CertificateInvalidError{Cert: &x509.Certificate{}}, Fatal, "renew"}, {tls.RecordHeaderError{}, Fatal, "does not speak TLS"},
		{&net.OpError{Op: "remote error", Err: io.EOF}, Fatal, "ssl.certificate.location"}, {&net.OpError{Op: "read", Err: io.EOF}, Retry, "closed the connection"},
		{ErrSpeaksTLS, Fatal, "SASL_SSL"}, {&ClosedError{Final: true}, Fatal, "security.protocol"}, {&ClosedError{}, Retry, "if this goes on, security.protocol"},
		{errors.New("SASL handshake failed: EOF"), Fatal, "sasl.username"}, {errors.New("invalid server signature"), Fatal, "sasl.username"},
		{&net.DNSError{}, Retry, "does not resolve"}, {syscall.ECONNREFUSED, Retry, "is it running"}, {context.DeadlineExceeded, Retry, "no answer in time"},
		{os.ErrDeadlineExceeded, Retry, "no answer in time"}, {io.EOF, Retry, "closed the connection"}, {syscall.EPIPE, Retry, "closed the connection"},
		{&TokenError{Class: Fatal, Problem: "no token", Advice: "sasl.oauthbearer"}, Fatal, "sasl.oauthbearer"}, {&TokenError{Class: Retry}, Retry, ""},
	} {
		var got *Error
		if err := Explain("connect to", "", -1, fmt.Errorf("dial: %w", test.err)); !errors.As(err, &got) || got.Class != test.want || !strings.Contains(got.Advice, test.advice) || (got.Advice == "") != (test.advice == "") {
			t.Errorf("%T %v: %v, %q; want %v, %q", test.err, test.err, got.Class, got.Advice, test.want, test.advice)
		}
	}
}

// TestCorruptBatchesAreNamed, with the topic, the offset and what a person can do.
func TestCorruptBatchesAreNamed(t *testing.T) {
	err := &CorruptError{Topic: "in", Partition: 2, Offset: 77, Problem: "its length is negative"}
	for _, words := range []string{"in/2", "offset 77", "its length is negative", "stream.data_loss"} {
		if !strings.Contains(err.Error(), words) {
			t.Errorf("%q does not say %q", err, words)
		}
	}
	if doubted := Doubted(err); !errors.Is(doubted, kafkago.InvalidMessage) || !strings.Contains(doubted.Error(), "offset 77") || ClassOf(doubted) != Retry {
		t.Errorf("%v, %v", doubted, ClassOf(doubted))
	}
	if Retry.String() != "retry" || Fatal.String() != "fatal" {
		t.Errorf("%v, %v", Retry, Fatal)
	}
}

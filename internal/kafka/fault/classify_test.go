package fault

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	if again := Explain("fetch", "other", 1, err); again.Error() != err.Error() {
		t.Errorf("explained twice: %v", again)
	}
}

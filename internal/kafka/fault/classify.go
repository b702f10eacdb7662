package fault

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	kafkago "github.com/segmentio/kafka-go"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// ClassOf is the class of any error of this package. No error is not fatal.
func ClassOf(err error) Class {
	if err == nil {
		return Retry
	}
	var known *Error
	if errors.As(err, &known) {
		return known.Class
	}
	class, _ := classify(err)
	return class
}

// Explain wraps an error once, with its class and advice.
func Explain(operation, topic string, partition int32, err error) error {
	var known *Error
	var loss *DataLoss
	var corrupt *CorruptError
	if err == nil || errors.Is(err, ErrClosed) || errors.As(err, &known) || errors.As(err, &loss) || errors.As(err, &corrupt) {
		return err
	}
	class, advice := classify(err)
	return &Error{operation, topic, partition, class, advice, err}
}

// classify is the one place that decides what a failure means.
func classify(err error) (Class, string) {
	var loss *DataLoss
	var corrupt *CorruptError
	switch {
	case errors.As(err, &loss), errors.As(err, &corrupt), errors.Is(err, wire.ErrNoTopicID):
		return Fatal, "" // they carry their own advice
	case errors.Is(err, ErrClosed):
		return Fatal, ""
	}
	var code kafkago.Error
	if errors.As(err, &code) {
		return classifyCode(code)
	}
	return classifyConnection(err)
}

// classifyCode: the codes are those of https://kafka.apache.org/protocol#protocol_error_codes.
func classifyCode(code kafkago.Error) (Class, string) {
	switch code {
	// Leadership moved, or is moving: the next metadata knows. No record is lost by waiting.
	case kafkago.LeaderNotAvailable, kafkago.NotLeaderForPartition, kafkago.ReplicaNotAvailable, kafkago.BrokerNotAvailable,
		kafkago.FencedLeaderEpoch, kafkago.UnknownLeaderEpoch, kafkago.OffsetNotAvailable, kafkago.NotController,
		kafkago.EligibleLeadersNotAvailable, kafkago.UnknownTopicID, kafkago.InconsistentTopicID:
		return Retry, ""
	// The broker is slow or short of replicas. After 7 and 20 the records are in the leader's log nevertheless.
	case kafkago.RequestTimedOut, kafkago.NotEnoughReplicas, kafkago.NotEnoughReplicasAfterAppend:
		return Retry, "fewer in-sync replicas than min.insync.replicas: look at the brokers"
	// The coordinator of a group or a transactional id moved, or still ends the transaction before.
	case kafkago.GroupLoadInProgress, kafkago.GroupCoordinatorNotAvailable, kafkago.NotCoordinatorForGroup, kafkago.ConcurrentTransactions,
		kafkago.TransactionCoordinatorFenced, kafkago.UnstableOffsetCommit:
		return Retry, ""
	case kafkago.NetworkException, kafkago.KafkaStorageError, kafkago.Unknown, kafkago.ThrottlingQuotaExceeded:
		return Retry, ""
	// A topic made a moment ago is unknown to some brokers for a moment; one that was deleted stays unknown, and the
	// Outage of the caller who retries tells that.
	case kafkago.UnknownTopicOrPartition:
		return Retry, "the topic does not exist, or this user may not describe it: create it with 'fairstream topics create', correct its name (under topics, or in --from and --to), or grant Describe"
	// The fetcher asks for the bounds of the log and then knows.
	case kafkago.OffsetOutOfRange:
		return Retry, ""
	// A checksum that failed on the way heals; one on the broker's disk does not. The fetcher gives up after a few.
	case kafkago.InvalidMessage:
		return Retry, "the checksum does not match the bytes"
	case kafkago.TopicAuthorizationFailed:
		return Fatal, "an ACL is missing: reading needs Read and Describe on the topic, writing Write, 'topics.management: create' Create and DescribeConfigs"
	case kafkago.ClusterAuthorizationFailed:
		return Fatal, "an ACL is missing: grant Create on the topic or the cluster, or create the topics by hand and set topics.management to verify"
	case kafkago.TransactionalIDAuthorizationFailed:
		return Fatal, "an ACL is missing: grant Describe and Write on the transactional id"
	case kafkago.GroupAuthorizationFailed:
		return Fatal, "an ACL is missing: grant Read on the group"
	case kafkago.SASLAuthenticationFailed:
		return Fatal, "check sasl.username, the password and sasl.mechanism"
	case kafkago.UnsupportedSASLMechanism:
		return Fatal, "the listener does not offer this sasl.mechanism: ask for one that is in its sasl.enabled.mechanisms"
	case kafkago.IllegalSASLState:
		return Fatal, "the listener does not speak SASL: check security.protocol and the port"
	case kafkago.MessageSizeTooLarge, kafkago.RecordListTooLarge:
		return Fatal, "raise max.message.bytes of the topic" // writeBatch says more
	case kafkago.InvalidRecord:
		return Fatal, "the broker refuses the record: a compacted topic needs a key on every record"
	case kafkago.InvalidReplicationFactor:
		return Fatal, "there are fewer brokers than the replication factor: lower it, or leave it to the brokers' default"
	case kafkago.UnsupportedForMessageFormat, kafkago.UnsupportedVersion:
		return Fatal, "the broker is too old: Apache Kafka 0.11 is the oldest that can work, 2.8 the oldest that can tell a recreated topic"
	case kafkago.UnsupportedCompressionType:
		return Fatal, "the broker cannot take this compression.type: choose another"
	}
	return Fatal, ""
}

// classifyConnection: what went wrong before, or instead of, an answer.
func classifyConnection(err error) (Class, string) {
	var (
		authority   x509.UnknownAuthorityError
		hostname    x509.HostnameError
		invalid     x509.CertificateInvalidError
		noTLS       tls.RecordHeaderError
		unknownHost *net.DNSError
		operation   *net.OpError
		closed      *ClosedError
		token       *TokenError
	)
	const otherProtocol = "security.protocol does not fit the listener: check both, and the port"
	switch {
	case errors.As(err, &token):
		return token.Class, token.Advice
	case errors.As(err, &authority):
		return Fatal, "the broker's certificate is signed by an authority that is not trusted: point ssl.ca.location at its CA"
	case errors.As(err, &hostname):
		return Fatal, "the broker's certificate names another host: use that name in brokers and advertised.listeners, or set ssl.endpoint.identification.algorithm to none"
	case errors.As(err, &invalid):
		return Fatal, "the broker's certificate is not valid: renew it"
	case errors.As(err, &noTLS):
		return Fatal, "the listener does not speak TLS: check security.protocol and the port"
	case errors.As(err, &operation) && operation.Op == "remote error":
		return Fatal, "the broker refuses our certificate: check ssl.certificate.location and ssl.key.location"
	case errors.Is(err, ErrSpeaksTLS):
		return Fatal, "set security.protocol to SSL or SASL_SSL, or use the port of the plain listener"
	case errors.As(err, &closed) && closed.Final:
		return Fatal, otherProtocol
	case errors.As(err, &closed):
		return Retry, "if this goes on, " + otherProtocol
	case strings.Contains(err.Error(), "SASL handshake failed"), strings.Contains(err.Error(), "invalid server signature"):
		return Fatal, "check sasl.username, the password and sasl.mechanism"
	case errors.As(err, &unknownHost):
		return Retry, "the name does not resolve: check brokers, and advertised.listeners on the broker"
	case errors.Is(err, syscall.ECONNREFUSED):
		return Retry, "no broker listens there: is it running, and is the port right?"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return Retry, "no answer in time: is the broker up, and does the network let us through?"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return Retry, "the broker closed the connection: it restarts, or " + otherProtocol
	}
	return Retry, ""
}

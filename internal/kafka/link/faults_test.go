package link

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/protocol/listoffsets"
	"github.com/segmentio/kafka-go/protocol/produce"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka/fault"
	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// broker is one that has the topic "seen" with four partitions, and a link to it.
func broker(t *testing.T, options ...kfake.Opt) (*devbroker.Broker, *Link) {
	t.Helper()
	b, err := devbroker.Start(devbroker.Options{Fake: append(options, kfake.SeedTopics(4, "seen"))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b, opened(t, Config{Brokers: b.Addresses()}, Options{})
}

// answering has the broker answer all requests of an API by a function; nil leaves one to the broker.
func answering(b *devbroker.Broker, api protocol.ApiKey, answer func(kmsg.Request) (kmsg.Response, error)) {
	b.Cluster.ControlKey(int16(api), func(request kmsg.Request) (kmsg.Response, error, bool) {
		b.Cluster.KeepControl()
		response, err := answer(request)
		return response, err, response != nil || err != nil
	})
}

// layoutOf is an answer that names a topic with so many partitions, led by the first broker; none: it names no topic.
func layoutOf(b *devbroker.Broker, request kmsg.Request, partitions int) kmsg.Response {
	response := request.ResponseKind().(*kmsg.MetadataResponse)
	for i, info := range b.Cluster.ListenAddrs() {
		host, port, _ := net.SplitHostPort(info)
		number, _ := net.LookupPort("tcp", port)
		one := kmsg.NewMetadataResponseBroker()
		one.NodeID, one.Host, one.Port = int32(i), host, int32(number)
		response.Brokers = append(response.Brokers, one)
	}
	if partitions > 0 {
		topic := kmsg.NewMetadataResponseTopic()
		topic.Topic, topic.TopicID = kmsg.StringPtr("seen"), [16]byte{1}
		for i := range partitions {
			one := kmsg.NewMetadataResponseTopicPartition()
			one.Partition = int32(i)
			topic.Partitions = append(topic.Partitions, one)
		}
		response.Topics = append(response.Topics, topic)
	}
	return response
}

// TestATopicThatChangesBetweenAnswers is not believed, nor one of which the second answer does not come; one that no answer names is not there.
func TestATopicThatChangesBetweenAnswers(t *testing.T) {
	b, l := broker(t)
	var mutex sync.Mutex // the broker answers on goroutines of its own
	asked := 0
	partitions := func(int) int { return 0 }
	from := func(answer func(asked int) int) {
		mutex.Lock()
		defer mutex.Unlock()
		asked, partitions = 0, answer
	}
	times := func() int {
		mutex.Lock()
		defer mutex.Unlock()
		return asked
	}
	answering(b, protocol.Metadata, func(request kmsg.Request) (kmsg.Response, error) {
		if len(request.(*kmsg.MetadataRequest).Topics) == 0 {
			return nil, nil // who is there
		}
		mutex.Lock()
		defer mutex.Unlock()
		asked++
		if n := partitions(asked); n >= 0 {
			return layoutOf(b, request, n), nil
		}
		return nil, io.ErrUnexpectedEOF
	})
	if _, err := l.Topic(t.Context(), "seen"); !errors.Is(err, kafkago.UnknownTopicOrPartition) {
		t.Errorf("a topic that no answer names: %v", err)
	}
	from(func(n int) int { return n })
	if topic, err := l.Topic(t.Context(), "seen"); fault.ClassOf(err) != fault.Retry || !strings.Contains(err.Error(), "two answers in a row") {
		t.Errorf("of one partition, then of two: %+v, %v", topic, err)
	}
	from(func(n int) int { return 2 - 3*(n/2) }) // 2, and then no answer
	if topic, err := l.Topic(t.Context(), "seen"); err == nil || strings.Contains(err.Error(), "two answers") {
		t.Errorf("the second answer does not come: %+v, %v", topic, err)
	}
	from(func(int) int { return 2 })
	if topic, err := l.Topic(t.Context(), "seen"); err != nil || topic.Partitions != 2 || times() != 2 {
		t.Errorf("%+v, %v, asked %d times", topic, err, times())
	}
	if topic, err := l.Topic(t.Context(), "seen"); err != nil || topic.Partitions != 2 || times() != 3 {
		t.Errorf("what is known is confirmed by one answer: %+v, %v, asked %d times", topic, err, times())
	}
	if leader, _, err := l.Leader(t.Context(), "seen", 0); err != nil || leader.Broker != 0 {
		t.Errorf("%+v, %v", leader, err)
	}
}

// TestNobodyLeads: a partition without a leader is an error that passes, after which the topic is asked for again; so is a cluster that does not answer.
func TestNobodyLeads(t *testing.T) {
	b, l := broker(t)
	layout, err := l.Layout(t.Context(), "seen", false)
	if err != nil {
		t.Fatal(err)
	}
	for _, leader := range []int32{-1, 0} {
		headless := *layout
		headless.Leaders = []wire.Leader{{Broker: leader}}
		l.cluster.topics["seen"] = &headless
		_, _, err := l.Leader(t.Context(), "seen", 0)
		if _, kept := l.cluster.topics["seen"]; leader < 0 && (!errors.Is(err, kafkago.LeaderNotAvailable) || kept) || leader >= 0 && (err != nil || !kept) {
			t.Errorf("leader %d: %v, kept %v", leader, err, kept)
		}
	}
	b.Close()
	l.Forget("seen")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for name, err := range map[string]error{
		"a topic":        second(l.Topic(ctx, "seen")),
		"a leader":       third(l.Leader(ctx, "seen", 0)),
		"the controller": second(l.Controller(ctx)),
		"a version":      second(l.Version(ctx, 0, protocol.Metadata)),
		"everything":     l.Ping(ctx),
	} {
		if err == nil || ctx.Err() != nil {
			t.Errorf("%s of a cluster that is gone: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error        { return err }
func third[T, U any](_ T, _ U, err error) error { return err }

// TestOffsetsThatAreNotGiven: an error of one partition, an answer that lacks some, and an end that cannot be asked for are errors, and the topic is asked for again.
func TestOffsetsThatAreNotGiven(t *testing.T) {
	b, l := broker(t)
	type answer = func(*kmsg.ListOffsetsRequest) (kmsg.Response, error)
	var now atomic.Value // of an answer: the broker may still be asked for the one before
	answering(b, protocol.ListOffsets, func(request kmsg.Request) (kmsg.Response, error) {
		return now.Load().(answer)(request.(*kmsg.ListOffsetsRequest))
	})
	with := func(change func(*kmsg.ListOffsetsResponseTopicPartition), leave int) answer {
		return func(request *kmsg.ListOffsetsRequest) (kmsg.Response, error) {
			response := request.ResponseKind().(*kmsg.ListOffsetsResponse)
			topic := kmsg.NewListOffsetsResponseTopic()
			topic.Topic = request.Topics[0].Topic
			for _, p := range request.Topics[0].Partitions[leave:] {
				one := kmsg.NewListOffsetsResponseTopicPartition()
				one.Partition, one.Offset = p.Partition, 10+int64(p.Partition)
				change(&one)
				topic.Partitions = append(topic.Partitions, one)
			}
			response.Topics = append(response.Topics, topic)
			return response, nil
		}
	}
	good := with(func(*kmsg.ListOffsetsResponseTopicPartition) {}, 0)
	noEnd := func(request *kmsg.ListOffsetsRequest) (kmsg.Response, error) {
		if request.Topics[0].Partitions[0].Timestamp == LatestTime {
			return nil, io.ErrUnexpectedEOF
		}
		return good(request)
	}
	for name, c := range map[string]struct {
		answer answer
		says   string // empty: no error
	}{
		"all":        {good, ""},
		"an error":   {with(func(p *kmsg.ListOffsetsResponseTopicPartition) { p.ErrorCode = 9 * int16(p.Partition/3) }, 0), "seen/3"},
		"one lacks":  {with(func(*kmsg.ListOffsetsResponseTopicPartition) {}, 1), "for 3 of 4 partitions"},
		"of another": {with(func(p *kmsg.ListOffsetsResponseTopicPartition) { p.Partition += 4 * (p.Partition / 3) }, 0), "for 3 of 4 partitions"},
		"no end":     {noEnd, "seen"},
	} {
		now.Store(c.answer)
		for call, ask := range map[string]func() (int, error){
			"bounds":  func() (int, error) { all, err := l.Bounds(t.Context(), "seen"); return len(all), err },
			"by time": func() (int, error) { all, err := l.OffsetsAt(t.Context(), "seen", time.Now()); return len(all), err },
		} {
			n, err := ask()
			_, kept := l.cluster.topics["seen"]
			if (err == nil) != (c.says == "") || err == nil && n != 4 || err != nil && (n != 0 || !strings.Contains(err.Error(), c.says) || kept) {
				t.Errorf("%s, %s: %d, %v, known %v", name, call, n, err, kept)
			}
		}
	}
}

// TestOffsetsThatCannotBeReadYet: where committed records alone are read, bounds end there, and say how many offsets behind are written; else there are none.
func TestOffsetsThatCannotBeReadYet(t *testing.T) {
	for level, want := range map[string]fault.Bounds{"read_committed": {Start: 1, End: 5, Unstable: 4}, "read_uncommitted": {Start: 1, End: 9}} {
		b, _ := broker(t)
		l := opened(t, Config{Brokers: b.Addresses(), IsolationLevel: level}, Options{})
		asked := atomic.Int32{}
		answering(b, protocol.ListOffsets, func(from kmsg.Request) (kmsg.Response, error) {
			asked.Add(1)
			request := from.(*kmsg.ListOffsetsRequest)
			response := request.ResponseKind().(*kmsg.ListOffsetsResponse)
			topic := kmsg.NewListOffsetsResponseTopic()
			topic.Topic = request.Topics[0].Topic
			for _, p := range request.Topics[0].Partitions {
				one := kmsg.NewListOffsetsResponseTopicPartition()
				one.Partition = p.Partition
				switch {
				case p.Timestamp == EarliestTime:
					one.Offset = 1
				case request.IsolationLevel == wire.Uncommitted:
					one.Offset = 9
				default:
					one.Offset = 5
				}
				topic.Partitions = append(topic.Partitions, one)
			}
			response.Topics = append(response.Topics, topic)
			return response, nil
		})
		bounds, err := l.Bounds(t.Context(), "seen")
		if requests := map[string]int32{"read_committed": 3, "read_uncommitted": 2}[level]; err != nil || len(bounds) != 4 || bounds[3] != want || asked.Load() != requests {
			t.Errorf("%s: %+v, %v after %d requests", level, bounds, err, asked.Load())
		}
	}
}

// TestACauseBehindAnUnknownBroker: if no server answers, that is the error, and not that the broker is unknown.
func TestACauseBehindAnUnknownBroker(t *testing.T) {
	b, l := broker(t)
	if _, err := l.Version(t.Context(), 0, protocol.Metadata); err != nil {
		t.Fatal(err)
	}
	cause := errors.New("cut off")
	if err := l.unmask(t.Context(), 0, cause); !errors.Is(err, cause) || len(l.cluster.versions) != 0 {
		t.Errorf("%v, versions %v", err, l.cluster.versions)
	}
	if err := l.unmask(t.Context(), 9, kafkago.BrokerNotAvailable); !errors.Is(err, kafkago.BrokerNotAvailable) {
		t.Errorf("while servers answer: %v", err)
	}
	b.Close()
	if err := l.unmask(t.Context(), 9, kafkago.BrokerNotAvailable); err == nil || errors.Is(err, kafkago.BrokerNotAvailable) {
		t.Errorf("while none answers: %v", err)
	}
}

// TestAnAnswerOfAnotherKind is an error, and one that is cut off is another.
func TestAnAnswerOfAnotherKind(t *testing.T) {
	b, l := broker(t)
	request := &listoffsets.Request{ReplicaID: -1, Topics: []listoffsets.RequestTopic{{Topic: "seen", Partitions: []listoffsets.RequestPartition{{Timestamp: LatestTime}}}}}
	if _, err := Ask[*produce.Response](t.Context(), l, 0, request); err == nil || !strings.Contains(err.Error(), "the answer is a ") {
		t.Error(err)
	}
	answering(b, protocol.ApiVersions, func(kmsg.Request) (kmsg.Response, error) { return nil, io.ErrUnexpectedEOF })
	if err := opened(t, Config{Brokers: b.Addresses()}, Options{}).Ping(t.Context()); err == nil {
		t.Error("a broker that does not tell what it speaks answers")
	}
	conn := &guardedConn{contact: new(contact), Conn: &conversation{sends: strings.NewReader("\x00\x00\x00\x10abc")}}
	conn.asked, conn.api, conn.shape = true, protocol.Produce, wire.ShapeOf(protocol.Produce, 8)
	if _, err := conn.Read(make([]byte, 20)); err == nil || conn.contact.useful.Load() {
		t.Errorf("an answer that is cut off: %v", err)
	}
}

// TestLayoutsNeedTopicIDs: of a broker that speaks version 10 of Metadata, the first that has them, they are known; of an older one they are not.
func TestLayoutsNeedTopicIDs(t *testing.T) {
	for highest, want := range map[int16]bool{9: false, 10: true} {
		versions := kversion.Stable()
		versions.SetMaxKeyVersion(int16(protocol.Metadata), highest)
		b, l := broker(t, kfake.MaxVersions(versions))
		var asked [11]atomic.Bool // by version; kafka-go asks in one of its own
		b.Cluster.ControlKey(int16(protocol.Metadata), func(request kmsg.Request) (kmsg.Response, error, bool) {
			asked[request.GetVersion()].Store(true)
			b.Cluster.KeepControl()
			return nil, nil, false
		})
		topic, err := l.Topic(t.Context(), "seen")
		if !asked[map[bool]int{true: 10, false: 4}[want]].Load() {
			t.Errorf("of a broker that speaks version %d, another is asked for", highest)
		}
		if err != nil || topic.Partitions != 4 || (topic.ID != wire.TopicID{}) != want {
			t.Errorf("version %d: %+v, %v", highest, topic, err)
		}
	}
}

// TestConnectionsAreReplaced once their token is about to end, and are used again before.
func TestConnectionsAreReplaced(t *testing.T) {
	b, _ := broker(t)
	var dials atomic.Int32
	l := opened(t, Config{Brokers: b.Addresses()}, Options{Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		dials.Add(1)
		return new(net.Dialer).DialContext(ctx, network, address)
	}})
	ping := func() int32 {
		t.Helper()
		before := dials.Load()
		if err := l.Ping(t.Context()); err != nil {
			t.Fatal(err)
		}
		return dials.Load() - before
	}
	// The first pings may come before a connection is free again, and open another one.
	settles := func(when string) {
		t.Helper()
		for range 10 {
			if ping() == 0 {
				return
			}
		}
		t.Errorf("%s, each ping opens a connection", when)
	}
	if ping() == 0 {
		t.Error("a ping without a connection")
	}
	settles("at first")
	l.bearer = &bearer{stop: time.Now().Add(-time.Second)}
	if replaced := ping(); replaced == 0 {
		t.Error("a connection of an old token is used again")
	}
	settles("after connections were replaced")
}

// TestTheDialerKnowsItsConnections: it closes those that are open, and one that cannot be opened is an error.
func TestTheDialerKnowsItsConnections(t *testing.T) {
	ours, theirs := net.Pipe()
	gone := errors.New("gone")
	l := opened(t, Config{Brokers: []string{"b:1"}}, Options{Dial: func(_ context.Context, _, address string) (net.Conn, error) {
		if address == "away:1" {
			return nil, gone
		}
		return ours, nil
	}})
	if l.Options.TransactionTimeout != time.Minute || opened(t, Config{Brokers: []string{"b:1"}}, Options{TransactionTimeout: 1}).Options.TransactionTimeout != 1 {
		t.Errorf("a transaction ends after %v", l.Options.TransactionTimeout)
	}
	if connection, err := l.dialer.dial(t.Context(), "tcp", "away:1"); !errors.Is(err, gone) || connection != nil {
		t.Errorf("%v, %v", connection, err)
	}
	connection, err := l.dialer.dial(t.Context(), "tcp", "b:1")
	if err != nil || len(l.dialer.connections) != 1 {
		t.Fatal(err, len(l.dialer.connections))
	}
	l.dialer.close()
	if _, err := theirs.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("it is open: %v", err)
	}
	if _ = connection.Close(); len(l.dialer.connections) != 0 {
		t.Error("a closed connection is kept")
	}
}

// signed makes a certificate of a name, signed by another one or by itself, and its key.
func signed(t *testing.T, name string, by *x509.Certificate, with *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature}
	if by == nil {
		by, with = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, by, &key.PublicKey, with)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return certificate, key
}

// TestAChainOfCertificates is checked to its end, however many are between, also where the name is not.
func TestAChainOfCertificates(t *testing.T) {
	root, rootKey := signed(t, "root", nil, nil)
	between, betweenKey := signed(t, "between", root, rootKey)
	last, lastKey := signed(t, "last", between, betweenKey)
	leaf, _ := signed(t, "leaf", last, lastKey)
	config := &tls.Config{RootCAs: x509.NewCertPool()}
	config.RootCAs.AddCert(root)
	skipName(config)
	for want, chain := range map[bool][]*x509.Certificate{true: {leaf, last, between}, false: {leaf, last}} {
		if err := config.VerifyConnection(tls.ConnectionState{PeerCertificates: chain}); (err == nil) != want {
			t.Errorf("a chain of %d: %v", len(chain), err)
		}
	}
}

// TestCertificatesOfAClient are shown to brokers; what cannot be read or does not fit is an error that names its key and file.
func TestCertificatesOfAClient(t *testing.T) {
	certificate, key := signed(t, "client", nil, nil)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	block := func(name, kind string, der []byte, headers map[string]string) string {
		return write(t, name, string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der, Headers: headers})))
	}
	good, goodKey := block("certificate", "CERTIFICATE", certificate.Raw, nil), block("key", "PRIVATE KEY", der, nil)
	none := filepath.Join(t.TempDir(), "none")
	for name, c := range map[string]struct{ certificate, key, says string }{
		"good":                      {good, goodKey, ""},
		"no certificate":            {none, goodKey, "ssl.certificate.location: open"},
		"no key":                    {good, none, "ssl.key.location: "},
		"a certificate that is not": {write(t, "text", "text"), goodKey, "contains no PEM block"},
		"a key that is not":         {good, write(t, "text", "text"), "contains no PEM block"},
		"an encrypted key":          {good, block("encrypted", "EC PRIVATE KEY", der, map[string]string{"DEK-Info": "AES-128-CBC,00"}), "is encrypted"},
		"the key of another":        {good, good, good + " and " + good},
	} {
		config, err := settings{SecurityProtocol: ssl, CertificateLocation: c.certificate, KeyLocation: c.key}.tlsConfig()
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && len(config.Certificates) != 1 {
			t.Errorf("%s: %d certificates", name, len(config.Certificates))
		}
	}
	if _, err := (settings{SecurityProtocol: ssl, CALocation: none}).tlsConfig(); err == nil || !strings.HasPrefix(err.Error(), "ssl.ca.location: ") {
		t.Error(err)
	}
	client, err := settings{CALocation: good}.tokenClient()
	if err != nil || client.Transport.(*http.Transport).TLSClientConfig == nil {
		t.Errorf("a token endpoint is asked without the authorities of ssl.ca.location: %v", err)
	}
}

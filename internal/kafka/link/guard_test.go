package link

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"slices"
	"testing"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/protocol/produce"
)

// On a connection, a size that is too large, a wrong shape and what follows an answer are refused; an answer of our own
// passes as it is.
func TestGuardedConnection(t *testing.T) {
	ask := func(api protocol.ApiKey, version int16, answer []byte) ([]byte, error) {
		ours, theirs := net.Pipe()
		defer func() { _ = ours.Close() }()
		go func() {
			_, _ = io.ReadFull(theirs, make([]byte, 10))
			_, _ = theirs.Write(answer) // refused halfway, it fails
			_ = theirs.Close()
		}()
		c := &guardedConn{Conn: ours, contact: new(contact)}
		request := binary.BigEndian.AppendUint32(nil, 6)
		request = binary.BigEndian.AppendUint16(request, uint16(api))
		request = binary.BigEndian.AppendUint16(request, uint16(version))
		if _, err := c.Write(append(request, 0, 0)); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(answer))
		_, err := io.ReadFull(c, got)
		return got, err
	}
	var written bytes.Buffer
	if err := protocol.WriteResponse(&written, 8, 7, &produce.Response{Topics: []produce.ResponseTopic{{Topic: "topic", Partitions: make([]produce.ResponsePartition, 2)}}}); err != nil {
		t.Fatal(err)
	}
	good := written.Bytes()
	bad := slices.Clone(good)
	binary.BigEndian.PutUint32(bad[8:], 0x20000001)
	for _, test := range []struct {
		name    string
		api     protocol.ApiKey
		version int16
		answer  []byte
		passes  bool
	}{
		{"good", protocol.Produce, 8, good, true},
		{"forged count", protocol.Produce, 8, bad, false},
		{"2 GiB", protocol.Produce, 8, binary.BigEndian.AppendUint32(nil, 0x7fffffff), false},
		{"negative size", protocol.Fetch, 13, binary.BigEndian.AppendUint32(nil, 0xffffffff), false},
		{"our own", protocol.Fetch, 13, bad, true},
		{"TLS", protocol.Metadata, 8, []byte{0x15, 0x03, 0x03, 0, 2, 2, 40}, false},
		{"more than its size", protocol.Fetch, 13, append(slices.Clone(good), 0x7f, 0xff, 0xff, 0xff, 0), false},
	} {
		got, err := ask(test.api, test.version, test.answer)
		if test.passes != (err == nil) || test.passes && !bytes.Equal(got, test.answer) {
			t.Errorf("%s: %x, %v", test.name, got, err)
		}
	}
}

package wire

import (
	"io"

	"github.com/segmentio/kafka-go/protocol"
)

// AskVersions gives the highest version of each API that the broker at the other end speaks.
func AskVersions(connection io.ReadWriter, clientID string) (map[protocol.ApiKey]int16, error) {
	d, _, err := RoundTrip(connection, NewRequest(protocol.ApiVersions, 0, false, clientID), ControlLimit, Patience{}, nil)
	if err != nil {
		return nil, err
	}
	if err := Code(d.Int16()); err != nil {
		return nil, err
	}
	versions := map[protocol.ApiKey]int16{}
	for range d.Array(6) {
		api := protocol.ApiKey(d.Int16())
		d.Int16() // the lowest
		versions[api] = d.Int16()
	}
	return versions, d.Finish("api versions")
}

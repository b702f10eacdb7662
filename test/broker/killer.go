package broker

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"strconv"
	"sync"
	"testing"
)

// Killer stands between a process and a broker, and strikes at the n-th write of that process: before the broker sees it,
// or when the broker has done it and the process does not know yet. Other processes go to the broker directly.
type Killer struct {
	Address string
	// N is the write at which to strike, the first being 1; 0: none, and all are counted. Kind says when, and Strike what to do.
	N      int
	Kind   Fault
	Strike func()

	broker string
	mutex  sync.Mutex
	count  int
}

// NewKiller begins to listen in front of a broker, whose address is 127.0.0.1 and a port. N, Kind and Strike may be set
// until the process is started.
func NewKiller(t testing.TB, address string) *Killer {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	k := &Killer{Address: listener.Addr().String(), broker: address}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go k.serve(client)
		}
	}()
	return k
}

// Count is the number of writes so far.
func (k *Killer) Count() int {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return k.count
}

// due counts a write, and says whether it is the one.
func (k *Killer) due() bool {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.count++
	return k.count == k.N
}

// serve passes the requests of a connection on, one at a time as the client sends them, and their answers back.
func (k *Killer) serve(client net.Conn) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial("tcp", k.broker) //nolint:noctx // it ends with the client's connection
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	for {
		request, err := frame(client)
		if err != nil || len(request) < requestHead {
			return
		}
		isWrite := binary.BigEndian.Uint16(request[4:]) == produceKey
		due := isWrite && k.due()
		if due && k.Kind == NotSent {
			k.Strike()
			return
		}
		if _, err := server.Write(request); err != nil {
			return
		}
		answer, err := frame(server)
		if err != nil {
			return
		}
		if due {
			k.Strike()
			return
		}
		if _, err := client.Write(k.redirect(answer)); err != nil {
			return
		}
	}
}

const produceKey = 0

// redirect makes the broker's own address, where an answer has it, that of the killer: host as text, then port.
func (k *Killer) redirect(answer []byte) []byte {
	own, other := wireAddress(k.Address), wireAddress(k.broker)
	return bytes.ReplaceAll(answer, other, own)
}

func wireAddress(address string) []byte {
	host, text, err := net.SplitHostPort(address)
	port, err2 := strconv.ParseUint(text, 10, 16)
	if err != nil || err2 != nil {
		panic("broker: an address without a port")
	}
	return binary.BigEndian.AppendUint32([]byte(host), uint32(port))
}

// frame reads a request or an answer, with its length.
func frame(from io.Reader) ([]byte, error) {
	head := make([]byte, 4)
	if _, err := io.ReadFull(from, head); err != nil {
		return nil, err
	}
	whole := make([]byte, 4+int(binary.BigEndian.Uint32(head)))
	copy(whole, head)
	_, err := io.ReadFull(from, whole[4:])
	return whole, err
}

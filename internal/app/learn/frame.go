package learn

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Requests.
const (
	configure = 'C'
	restore   = 'R'
	learn     = 'L'
	predict   = 'P'
	publish   = 'D'
	save      = 'S'
)

// Answers.
const (
	good = '+'
	bad  = '-'
)

// longest bounds the bytes of a request: a state is at most as long.
const longest = 1 << 30

// step is how many bytes are made room for at a time, so that a wrong length alone takes no memory.
const step = 1 << 20

// readRequest reads a request into buffer, which it may replace. The error is io.EOF where the input ends before a request.
func readRequest(from io.Reader, buffer []byte) (what byte, payload []byte, err error) {
	var head [9]byte
	if _, err := io.ReadFull(from, head[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("learn: the input ends within a request")
		}
		return 0, buffer, err
	}
	length := binary.LittleEndian.Uint64(head[1:])
	if length > longest {
		return 0, buffer, fmt.Errorf("learn: a request of %d bytes is longer than %d", length, int64(longest))
	}
	payload = buffer[:0]
	for rest := int(length); rest > 0; {
		start, more := len(payload), min(rest, step)
		payload = append(payload, make([]byte, more)...)
		if _, err := io.ReadFull(from, payload[start:]); err != nil {
			return 0, payload, errors.New("learn: the input ends within a request")
		}
		rest -= more
	}
	return head[0], payload, nil
}

// request is one of the input, or why there is none.
type request struct {
	what    byte
	payload []byte
	err     error
}

// ahead reads requests into buffers that were used, until there is an error.
func ahead(from io.Reader, requests chan<- request, used <-chan []byte) {
	for {
		var r request
		r.what, r.payload, r.err = readRequest(from, <-used)
		requests <- r
		if r.err != nil {
			return
		}
	}
}

// writeAnswer writes an answer.
func writeAnswer(to io.Writer, kind byte, payload []byte) error {
	head := binary.LittleEndian.AppendUint64([]byte{kind}, uint64(len(payload)))
	if _, err := to.Write(head); err != nil {
		return err
	}
	_, err := to.Write(payload)
	return err
}

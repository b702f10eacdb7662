package avro

import (
	"encoding/binary"
	"errors"
	"math"
)

// errShort and errVarint say what is wrong with bytes: the walk makes rejections of them.
var (
	errShort  = errors.New("the message ends within a value")
	errVarint = errors.New("a number is longer than its type allows")
	errLength = errors.New("a length is negative, or longer than the message")
)

// input is what remains of a message.
type input struct {
	data []byte
	at   int
}

// long reads a zigzag number of 64 bits.
func (in *input) long() (int64, error) {
	if in.at < len(in.data) && in.data[in.at] < 0x80 { // most
		b := in.data[in.at]
		in.at++
		return int64(b>>1) ^ -int64(b&1), nil
	}
	value, n := binary.Varint(in.data[in.at:])
	switch {
	case n == 0:
		return 0, errShort
	case n < 0:
		return 0, errVarint
	}
	in.at += n
	return value, nil
}

// int reads a zigzag number of 32 bits, which takes at most five bytes.
func (in *input) int() (int64, error) {
	start := in.at
	value, err := in.long()
	if err == nil && (value < math.MinInt32 || value > math.MaxInt32 || in.at-start > binary.MaxVarintLen32) {
		err = errVarint
	}
	return value, err
}

// cut gives the next n bytes.
func (in *input) cut(n int64) ([]byte, error) {
	if n < 0 || n > int64(len(in.data)-in.at) {
		if n >= 0 && n <= math.MaxInt32 {
			return nil, errShort
		}
		return nil, errLength
	}
	start := in.at
	in.at += int(n)
	return in.data[start:in.at], nil
}

// text gives the next bytes, whose length comes first.
func (in *input) text() ([]byte, error) {
	n, err := in.long()
	if err != nil {
		return nil, err
	}
	return in.cut(n)
}

func (in *input) float() (float64, error) {
	b, err := in.cut(4)
	if err != nil {
		return 0, err
	}
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))), nil
}

func (in *input) double() (float64, error) {
	b, err := in.cut(8)
	if err != nil {
		return 0, err
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b)), nil
}

// boolean is a byte, 0 or 1.
func (in *input) boolean() (bool, error) {
	b, err := in.cut(1)
	if err != nil {
		return false, err
	}
	if b[0] > 1 {
		return false, errors.New("a boolean is neither 0 nor 1")
	}
	return b[0] == 1, nil
}

// block reads how many elements follow, 0 at the end. With a negative count comes the size of the block in bytes, which need not be known: what is
// passed over is read all the same, so that bytes that are not what the schema says are noticed there too.
func (in *input) block() (count int64, err error) {
	count, err = in.long()
	if err != nil || count >= 0 {
		return count, err
	}
	if count == math.MinInt64 {
		return 0, errLength
	}
	size, err := in.long()
	if err == nil && (size < 0 || size > int64(len(in.data)-in.at)) {
		err = errLength
	}
	return -count, err
}

package batches

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/fairstream/fairstream/internal/kafka/wire"
)

// A record batch (magic 2; all integers big-endian):
//
//	 0 base offset     int64      21 attributes         int16    51 producer epoch int16
//	 8 length          int32      23 last offset delta  int32    53 base sequence  int32
//	12 leader epoch    int32      27 base timestamp     int64    57 records        int32
//	16 magic           int8       35 max timestamp      int64    61 the records, compressed together
//	17 crc             uint32     43 producer id        int64
//
// The length counts from byte 12, the checksum (CRC-32C) covers everything from byte 21.
const (
	batchPrefix       = 12
	batchEpochAt      = 12
	batchMagicAt      = 16
	batchCRCAt        = 17
	batchChecked      = 21
	batchAttributesAt = 21
	batchLastDeltaAt  = 23
	batchProducerAt   = 43
	batchHeader       = 61
	smallestRecord    = 7 // length, attributes, two deltas, key length, value length, number of headers
)

// Attributes of a batch. Bit 6 says that the base timestamp is the time at which the cleaner may drop tombstones; record
// times remain base plus delta, so nothing depends on it.
const (
	codecMask      = 0x07
	appendTime     = 1 << 3
	transactional  = 1 << 4
	control        = 1 << 5
	deleteHorizon  = 1 << 6
	knownAttribute = codecMask | appendTime | transactional | control | deleteHorizon
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// batch is a checked batch whose records are to be given; payload is a part of the response.
type batch struct {
	base        int64
	lastDelta   int32
	count       int32
	attributes  int16
	baseTime    int64
	maxTime     int64
	producer    int64
	epoch       int32
	payload     []byte
	inflated    int   // see inflatedSize
	firstWanted int64 // records before it were not asked for
}

func (b *batch) last() int64 { return b.base + int64(b.lastDelta) }

// corruption is a problem within a partition's bytes, before the partition is known.
type corruption string

func (c corruption) Error() string { return string(c) }

// UnsupportedFormat: message sets of Kafka before 0.11.
const UnsupportedFormat = corruption("it is in the message format of Kafka before 0.11 (magic 0 or 1), which fairstream does not read: " +
	"copy the topic with a current producer")

// readBatch reads and checks a batch; size 0 means that it was cut. Nothing but its own length is trusted before the
// checksum matches.
func readBatch(bytes []byte) (b batch, size int, err error) {
	length := int(int32(binary.BigEndian.Uint32(bytes[8:])))
	if length < batchHeader-batchPrefix {
		if len(bytes) > batchMagicAt && bytes[batchMagicAt] < 2 && length >= 14 {
			return b, 0, UnsupportedFormat
		}
		return b, 0, corruption(fmt.Sprintf("its length of %d bytes is impossible", length))
	}
	if len(bytes) > batchMagicAt {
		switch magic := bytes[batchMagicAt]; {
		case magic < 2:
			return b, 0, UnsupportedFormat
		case magic > 2:
			return b, 0, corruption(fmt.Sprintf("its format (magic %d) is unknown: fairstream is older than this topic", magic))
		}
	}
	if length > len(bytes)-batchPrefix {
		return b, 0, nil
	}
	size = batchPrefix + length
	bytes = bytes[:size:size]
	if stored, computed := binary.BigEndian.Uint32(bytes[batchCRCAt:]), crc32.Checksum(bytes[batchChecked:], castagnoli); stored != computed {
		return b, 0, corruption("its checksum does not match its bytes")
	}
	b = batch{
		base:       int64(binary.BigEndian.Uint64(bytes)),
		attributes: int16(binary.BigEndian.Uint16(bytes[21:])),
		lastDelta:  int32(binary.BigEndian.Uint32(bytes[23:])),
		baseTime:   int64(binary.BigEndian.Uint64(bytes[27:])),
		maxTime:    int64(binary.BigEndian.Uint64(bytes[35:])),
		producer:   int64(binary.BigEndian.Uint64(bytes[43:])),
		count:      int32(binary.BigEndian.Uint32(bytes[57:])),
		epoch:      int32(binary.BigEndian.Uint32(bytes[batchEpochAt:])),
		payload:    bytes[batchHeader:],
	}
	switch {
	case b.base < 0 || b.lastDelta < 0 || b.base > math.MaxInt64-int64(b.lastDelta)-1:
		err = corruption(fmt.Sprintf("its offsets (base %d, last delta %d) are impossible", b.base, b.lastDelta))
	case b.count < 0 || int64(b.count) > int64(b.lastDelta)+1:
		err = corruption(fmt.Sprintf("it counts %d records, and has %d offsets", b.count, int64(b.lastDelta)+1))
	case b.attributes&codecMask > wire.Zstd:
		err = corruption(fmt.Sprintf("its compression codec %d is unknown", b.attributes&codecMask))
	case b.attributes&codecMask == wire.None && int64(b.count)*smallestRecord > int64(len(b.payload)):
		err = corruption(fmt.Sprintf("it counts %d records in %d bytes", b.count, len(b.payload)))
	}
	if err != nil {
		return batch{}, 0, err
	}
	return b, size, nil
}

// Seal writes the checksum of a batch.
func Seal(batch []byte) {
	binary.BigEndian.PutUint32(batch[batchCRCAt:], crc32.Checksum(batch[batchChecked:], castagnoli))
}

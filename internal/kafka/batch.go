package kafka

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
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

// unsupportedFormat: message sets of Kafka before 0.11.
const unsupportedFormat = corruption("it is in the message format of Kafka before 0.11 (magic 0 or 1), which fairstream does not read: " +
	"copy the topic with a current producer")

// abortedTransaction: the records of producer from offset first up to its next abort marker are not to be seen.
type abortedTransaction struct {
	producer, first int64
}

// abortFilter is the rule of Java's consumer (Fetcher, CompletedFetch.consumeAbortedTransactionsUpTo): the broker lists
// the aborted transactions that overlap a response; walking the batches in order, a producer is "aborted" from the
// first offset of its transaction until its abort marker.
//
//	records p1 | records p2 | ABORT p1 | records p1 (a new transaction) | COMMIT p1
//
// Dropping by producer id alone would also drop the last one; looking for markers alone would miss that the first must
// go when the marker lies in a later response.
type abortFilter struct {
	waiting []abortedTransaction // by first offset
	active  []int64              // producers whose transaction at hand was aborted
}

func newAbortFilter(list []abortedTransaction) abortFilter {
	slices.SortFunc(list, func(a, b abortedTransaction) int { return compareOffsets(a.first, b.first) })
	return abortFilter{waiting: list}
}

func compareOffsets(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// drops says whether the records of a batch belong to an aborted transaction.
func (f *abortFilter) drops(b *batch) bool {
	for len(f.waiting) > 0 && f.waiting[0].first <= b.last() {
		if producer := f.waiting[0].producer; !slices.Contains(f.active, producer) {
			f.active = append(f.active, producer)
		}
		f.waiting = f.waiting[1:]
	}
	if len(f.active) == 0 || b.attributes&transactional == 0 {
		return false
	}
	at := slices.Index(f.active, b.producer)
	if at < 0 {
		return false
	}
	if b.attributes&control != 0 && isAbortMarker(b.payload) {
		f.active = slices.Delete(f.active, at, at+1)
	}
	return true
}

// isAbortMarker reads the only record of a control batch: its key is version and type, and type 0 is ABORT.
func isAbortMarker(payload []byte) bool {
	var r Record
	if _, problem := decodeRecord(payload, &batch{}, &r); problem != "" {
		return false
	}
	return len(r.Key) >= 4 && binary.BigEndian.Uint16(r.Key[2:]) == 0
}

// scan walks the batches of one partition's bytes. It appends those with records to give to found and gives the offset
// to go on from. Bytes after the last whole batch are the part that did not fit, and are no error. Batches before a
// corrupt one count: the error then comes again, with the corrupt batch first, from the next fetch.
//
// The next offset is base + last offset delta + 1 of the last batch, whatever it holds:
//
//	batch 10..14, cleaned to nothing | end of the response
//
// "Last record + 1" would be 10 again, and the same fetch would be repeated for ever. epoch is the leader epoch of that
// batch, -1 if there is none.
func scan(bytes []byte, from int64, filter *abortFilter, found []batch) (_ []batch, next int64, epoch int32, err error) {
	next, epoch = from, -1
	for len(bytes) >= batchPrefix {
		b, size, err := readBatch(bytes)
		if err != nil {
			if next > from {
				return found, next, epoch, nil
			}
			return found, next, epoch, err
		}
		if size == 0 {
			break // the batch was cut
		}
		bytes = bytes[size:]
		if b.last() < next {
			continue // wholly before the offset asked for
		}
		dropped := filter.drops(&b)
		if !dropped && b.attributes&control == 0 && b.count > 0 {
			b.firstWanted = next
			b.inflated = inflatedSize(b.attributes&codecMask, b.payload)
			found = append(found, b)
		}
		next, epoch = b.last()+1, b.epoch
	}
	if next == from && len(bytes) > 0 {
		return found, next, epoch, corruption("the response ends within its first batch")
	}
	return found, next, epoch, nil
}

// readBatch reads and checks a batch; size 0 means that it was cut. Nothing but its own length is trusted before the
// checksum matches.
func readBatch(bytes []byte) (b batch, size int, err error) {
	length := int(int32(binary.BigEndian.Uint32(bytes[8:])))
	if length < batchHeader-batchPrefix {
		if len(bytes) > batchMagicAt && bytes[batchMagicAt] < 2 && length >= 14 {
			return b, 0, unsupportedFormat
		}
		return b, 0, corruption(fmt.Sprintf("its length of %d bytes is impossible", length))
	}
	if len(bytes) > batchMagicAt {
		switch magic := bytes[batchMagicAt]; {
		case magic < 2:
			return b, 0, unsupportedFormat
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
	case b.attributes&codecMask > codecZstd:
		err = corruption(fmt.Sprintf("its compression codec %d is unknown", b.attributes&codecMask))
	case b.attributes&codecMask == codecNone && int64(b.count)*smallestRecord > int64(len(b.payload)):
		err = corruption(fmt.Sprintf("it counts %d records in %d bytes", b.count, len(b.payload)))
	}
	if err != nil {
		return batch{}, 0, err
	}
	return b, size, nil
}

package batches

import (
	"fmt"
	"math"
)

// recordsOf is what is still to be decoded of a batch. The layout of a record is
//
//	length varint | attributes int8 | timestamp delta varint | offset delta varint | key | value | headers
//
// where key and value are a varint length (-1: null) and bytes, and headers a varint count of pairs of the same.
type recordsOf struct {
	*batch
	rest     []byte // of the payload, decompressed
	decoded  int32
	previous int64 // offset
}

func newRecordsOf(b *batch, payload []byte) (recordsOf, error) {
	if int64(b.count)*smallestRecord > int64(len(payload)) {
		return recordsOf{}, corruption(fmt.Sprintf("it counts %d records in %d bytes", b.count, len(payload)))
	}
	return recordsOf{batch: b, rest: payload, previous: b.base - 1}, nil
}

// decode appends the next records, at most so many. The error at the end is of the batch as a whole.
func (d *recordsOf) decode(found []Record, most int32) ([]Record, error) {
	b, rest, previous := d.batch, d.rest, d.previous
	end := min(b.count, d.decoded+most)
	for i := d.decoded; i < end; i++ {
		found = append(found, Record{})
		r := &found[len(found)-1]
		after, problem := decodeRecord(rest, b, r)
		if problem == "" && (r.Offset <= previous || r.Offset > b.last()) {
			problem = "its offset is out of order"
		}
		if problem != "" {
			return found[:len(found)-1], corruption(fmt.Sprintf("of record %d of %d, %s", i+1, b.count, problem))
		}
		rest, previous = after, r.Offset
		if r.Offset < b.firstWanted {
			found = found[:len(found)-1]
		}
	}
	d.rest, d.previous, d.decoded = rest, previous, end
	if end == b.count && len(rest) > 0 {
		return found, corruption(fmt.Sprintf("%d bytes remain after its last record", len(rest)))
	}
	return found, nil
}

// check decodes all records, and keeps none.
func (d recordsOf) check() (err error) {
	var one [1]Record
	for err == nil && d.decoded < d.count {
		_, err = d.decode(one[:0], 1)
	}
	return err
}

// decodeRecord reads one record and gives the bytes after it, or the problem.
func decodeRecord(payload []byte, b *batch, r *Record) (rest []byte, problem string) {
	length, size := varint(payload)
	if size == 0 || length < smallestRecord-1 || length > int64(len(payload)-size) {
		return nil, "the length is impossible"
	}
	body, rest := payload[size:size+int(length)], payload[size+int(length):]
	body = body[1:] // attributes: none is defined
	timeDelta, size := varint(body)
	if size == 0 {
		return nil, "the timestamp cannot be read"
	}
	body = body[size:]
	offsetDelta, size := varint(body)
	if size == 0 || offsetDelta < 0 || offsetDelta > math.MaxInt32 {
		return nil, "the offset cannot be read"
	}
	r.Offset, r.Epoch = b.base+offsetDelta, b.epoch
	r.Timestamp = b.baseTime + timeDelta
	if b.attributes&appendTime != 0 {
		r.Timestamp = b.maxTime
	}
	var ok bool
	if r.Key, body, ok = sized(body[size:]); !ok {
		return nil, "the key is longer than the record"
	}
	if r.Value, body, ok = sized(body); !ok {
		return nil, "the value is longer than the record"
	}
	if len(body) == 1 && body[0] == 0 {
		return rest, "" // no header, as in most records
	}
	count, size := varint(body)
	if size == 0 || count < 0 || count > int64(len(body)-size)/2 {
		return nil, "the headers cannot be counted"
	}
	r.HeaderBytes, r.HeaderCount = body[size:], int32(count)
	return rest, checkHeaders(r.HeaderBytes, r.HeaderCount)
}

func checkHeaders(bytes []byte, count int32) (problem string) {
	for range count {
		key, rest, ok := sized(bytes)
		if !ok || key == nil {
			return "a header's key cannot be read"
		}
		if _, rest, ok = sized(rest); !ok {
			return "a header's value cannot be read"
		}
		bytes = rest
	}
	if len(bytes) > 0 {
		return "bytes remain after the headers"
	}
	return ""
}

package batches

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

package input

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/fairstream/fairstream/pkg/record"
)

// mostShuffled is how many bytes the rows of a shuffled source may take in memory, what keeps them apart included.
const mostShuffled = 1 << 30

// shuffled is a source that is read in a random order. It keeps the rows in memory, so it reads even standard input
// several times. The order is a function of the seed and the number of rows alone.
type shuffled struct {
	from Source
	seed uint64
	most int // bytes

	loaded   bool
	header   []byte // of a CSV file
	csv      bool
	rows     []keptRow // in the file's order
	bytes    int64     // of the rows, with their line ends
	rejected []*record.Rejection
	placed   []int // the rows in the order of the seed, since it was opened
}

// keptRow is a row without its line end, and where it begins.
type keptRow struct {
	text []byte
	place
}

const (
	keptRowBytes       = 80  // what a row takes beside its text, its place in an order included
	keptRejectionBytes = 200 // what a rejection takes
	rowEnd             = "\r\n"
)

// Shuffle returns the source in the random order of a seed. Its rows are read when it is opened for the first time. A source
// that is shuffled already keeps its rows, and gets another order.
func Shuffle(from Source, seed uint64) Source {
	if s, again := from.memory.(*shuffled); again {
		s.seed = seed
		return from
	}
	s := &shuffled{from: from, seed: seed, most: mostShuffled}
	return Source{Name: from.Name, Open: s.open, Takes: from.Takes, memory: s}
}

func (s *shuffled) rejections() []*record.Rejection { return s.rejected }

// order returns the rows' places in the file, in the order of the seed.
func (s *shuffled) order() []int {
	return rand.New(rand.NewPCG(s.seed, 1)).Perm(len(s.rows))
}

// place returns where a row begins that is read as the n-th, from 0.
func (s *shuffled) place(n int) place { return s.rows[s.placed[n]].place }

// open returns a reader over the rows in the order of the seed. Rows that cannot be told apart in the file are not
// among them, they are in rejected.
func (s *shuffled) open(as record.Config) (Rows, error) {
	if !s.loaded {
		if err := s.load(as); err != nil {
			return nil, err
		}
		s.loaded = true
	}
	// No row comes first in JSON lines: the first line of a file is looked at for what no line may be.
	first, format := "{}", record.JSONLines
	if s.csv {
		first, format = string(s.header), record.CSV
	}
	first += rowEnd
	s.placed = s.order()
	rows := &rowReader{next: []byte(first), rows: s.rows, order: s.placed, left: s.bytes + int64(len(first))}
	reader, err := record.NewReader(rows, format, as.Limits)
	if err == nil && !s.csv {
		err = reader.Next()
	}
	return reader, err
}

func (s *shuffled) load(as record.Config) (err error) {
	reader, err := s.from.Open(as)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	var kept texts
	if s.csv = reader.Header() != nil; s.csv {
		s.header = kept.keep(reader.Raw())
	}
	s.rows, s.rejected, s.bytes = nil, nil, 0
	for {
		err := reader.Next()
		if err == io.EOF {
			return nil
		}
		if rejection, bad := err.(*record.Rejection); bad {
			placeOf(reader).of(rejection)
			s.rejected = append(s.rejected, rejection)
		} else if err != nil {
			return fmt.Errorf("%s: %w", s.from.Name, err)
		} else {
			s.rows = append(s.rows, keptRow{kept.keep(reader.Raw()), placeOf(reader)})
			s.bytes += int64(len(reader.Raw()) + len(rowEnd))
		}
		if s.bytes+int64(keptRowBytes*len(s.rows)+keptRejectionBytes*len(s.rejected)) > int64(s.most) {
			return fmt.Errorf("--shuffle keeps the records in memory, and %s needs more than %d MiB for them: shuffle the file itself (as shuf does) and leave --shuffle out",
				s.from.Name, s.most>>20)
		}
	}
}

// texts keeps texts in large pieces of memory.
type texts struct{ free []byte }

func (t *texts) keep(text []byte) []byte {
	if len(text) > cap(t.free)-len(t.free) {
		t.free = make([]byte, 0, max(1<<20, len(text)))
	}
	from := len(t.free)
	t.free = append(t.free, text...)
	return t.free[from:len(t.free):len(t.free)]
}

// rowReader reads rows in an order, each with a line end, after the text that is in next at the beginning.
type rowReader struct {
	next, buffer []byte // next is what remains of the present row
	rows         []keptRow
	order        []int
	left         int64
}

// Len returns the number of bytes left to read.
func (r *rowReader) Len() int { return int(r.left) }

// Read reads the next bytes.
func (r *rowReader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(r.next) == 0 {
			if len(r.order) == 0 {
				break
			}
			r.buffer = append(append(r.buffer[:0], r.rows[r.order[0]].text...), rowEnd...)
			r.next, r.order = r.buffer, r.order[1:]
		}
		copied := copy(p[n:], r.next)
		r.next = r.next[copied:]
		n += copied
	}
	r.left -= int64(n)
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

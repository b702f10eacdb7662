package owner

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// simulated is an owner in a simulation of the state topic: it has read the log up to some place, and
// may be paused anywhere.
type simulated struct {
	claim    Claim
	journal  *journal
	next     int // offset to be read
	sequence int64
	attempts int // of everything: no key is used twice
	parent   Reference
	begun    bool // it has seen its claim in force, and took over what counted
	over     bool // it has seen another owner, or lost the race
}

// simulation is a log with owners that write to it as keeper does: late and lost appends, appends that
// are tried again although they succeeded, pauses, rivals, and a cleaner that may run at any time.
type simulation struct {
	random *rand.Rand
	log    []simulatedRecord
	late   []simulatedRecord // appends on their way
	owners []*simulated
	// parents of every snapshot ever written.
	parents map[Reference]Reference
}

type simulatedRecord struct {
	key, value []byte
	gone       bool // cleaned
}

func (s *simulation) append(key, value []byte) {
	record := simulatedRecord{key: key, value: value}
	switch s.random.IntN(5) {
	case 0: // lost
	case 1:
		s.late = append(s.late, record)
	default:
		s.log = append(s.log, record)
	}
}

// arrive lets a late append arrive.
func (s *simulation) arrive() {
	if len(s.late) == 0 {
		return
	}
	i := s.random.IntN(len(s.late))
	s.log = append(s.log, s.late[i])
	s.late = append(s.late[:i], s.late[i+1:]...)
}

// clean removes what a later record with the same key replaces, as compaction does.
func (s *simulation) clean() {
	last := map[string]int{}
	for i := range s.log {
		last[string(s.log[i].key)] = i
	}
	for i := range s.log {
		s.log[i].gone = last[string(s.log[i].key)] != i
	}
}

// read lets an owner read up to a place in the log.
func (s *simulation) read(t *testing.T, o *simulated, to int) {
	for ; o.next < to; o.next++ {
		record := &s.log[o.next]
		if record.gone {
			continue
		}
		if err := o.journal.apply(record.key, record.value); err != nil {
			t.Fatal(err)
		}
		if o.begun && o.journal.holder.Owner != o.claim.Owner {
			o.over = true
		}
	}
}

// start begins an owner: it reads the log, and claims.
func (s *simulation) start(t *testing.T) {
	o := &simulated{journal: newJournal("job")}
	o.journal.check = func([]byte) error { return nil }
	s.read(t, o, len(s.log))
	o.claim = Claim{Job: "job", Owner: fmt.Sprint("owner", len(s.owners)), Term: o.journal.holder.Term + 1}
	s.owners = append(s.owners, o)
	s.claim(t, o)
}

func (s *simulation) claim(t *testing.T, o *simulated) {
	value := o.claim.encode()
	o.attempts++
	s.append(o.claim.key(o.attempts), value)
}

// step lets an owner do something.
func (s *simulation) step(t *testing.T, o *simulated) {
	if o.over {
		return
	}
	s.read(t, o, o.next+s.random.IntN(len(s.log)-o.next+1))
	if !o.begun {
		switch {
		case o.journal.holder.Owner == o.claim.Owner:
			o.begun, o.parent = true, o.journal.last
		case o.journal.holder.Term >= o.claim.Term:
			o.over = true
		case s.random.IntN(4) == 0:
			s.claim(t, o)
		}
		return
	}
	if o.over {
		return
	}
	if s.random.IntN(3) == 0 {
		for _, key := range o.journal.garbage() {
			s.append(key, nil)
		}
		return
	}
	// A snapshot is written, perhaps in several attempts, and the next one begins when it counts.
	if o.sequence > 0 && o.journal.last != (Reference{o.claim.Owner, o.claim.Term, o.sequence}) {
		s.write(t, o)
		return
	}
	if o.sequence > 0 {
		o.parent = o.journal.last
	}
	o.sequence++
	s.parents[Reference{o.claim.Owner, o.claim.Term, o.sequence}] = o.parent
	s.write(t, o)
}

func (s *simulation) write(t *testing.T, o *simulated) {
	for part := range 2 {
		h := partHeader{Job: "job", Owner: o.claim.Owner, Term: o.claim.Term, Sequence: o.sequence, Part: part, Parts: 2}
		value, err := partEnvelope.seal(h, fmt.Appendf(nil, "%s %d ", o.claim.Owner, o.sequence))
		if err != nil {
			t.Fatal(err)
		}
		o.attempts++
		s.append(h.key(o.attempts), value)
	}
}

// descends says whether a snapshot is another one or was learnt from it.
func (s *simulation) descends(from, ancestor Reference) bool {
	for ; from != (Reference{}); from = s.parents[from] {
		if from == ancestor {
			return true
		}
	}
	return ancestor == Reference{}
}

// TestTheHeadOnlyMovesForward is the point of the term rule: what a reader finds at any time descends
// from what any reader found before, whatever late, lost and doubled appends, paused owners, rivals and
// the cleaner do.
func TestTheHeadOnlyMovesForward(t *testing.T) {
	schedules := 150
	if testing.Short() {
		schedules = 60
	}
	moved, rivals := 0, 0
	for seed := range schedules {
		s := &simulation{random: rand.New(rand.NewPCG(uint64(seed), 1)), parents: map[Reference]Reference{}}
		var head Reference
		s.start(t)
		for range 120 {
			switch s.random.IntN(20) {
			case 0:
				if len(s.owners) < 6 {
					s.start(t)
				}
			case 1:
				s.clean()
			case 2, 3:
				s.arrive()
			default:
				s.step(t, s.owners[s.random.IntN(len(s.owners))])
			}
			reader := &simulated{journal: newJournal("job")}
			reader.journal.check = func([]byte) error { return nil }
			s.read(t, reader, len(s.log))
			found := reader.journal.last
			if !s.descends(found, head) {
				t.Fatalf("schedule %d: the head went from %v to %v, which does not descend from it", seed, head, found)
			}
			if found != head {
				moved++
				want := strings.Repeat(fmt.Sprintf("%s %d ", found.Owner, found.Sequence), 2)
				if string(reader.journal.state) != want {
					t.Fatalf("schedule %d: the state of %v is %q", seed, found, reader.journal.state)
				}
			}
			head = found
		}
		if len(s.owners) > 1 {
			rivals++
		}
	}
	if moved < 5*schedules || rivals < schedules/2 {
		t.Errorf("the head moved %d times, %d of %d schedules had rivals: the simulation shows too little", moved, rivals, schedules)
	}
}

func TestJournalRefusesWhatItDoesNotKnow(t *testing.T) {
	claim := Claim{Job: "job", Owner: "a", Term: 1}.encode()
	part, err := partEnvelope.seal(partHeader{Job: "job", Owner: "a", Term: 1, Sequence: 1, Parts: 1}, []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	newer := append([]byte(nil), part...)
	newer[len(partEnvelope.Magic)] = 9
	damaged := append([]byte(nil), part...)
	damaged[len(damaged)-6] ^= 1
	huge, err := partEnvelope.seal(partHeader{Job: "job", Owner: "a", Term: 1, Sequence: 1, Parts: 1 << 30}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, key, want string
		value           []byte
	}{
		{"another job", "job2/claim/1/a/1", "", []byte("?")},
		{"a job whose name begins alike", "jobs/claim/1/a/1", "", []byte("?")},
		{"a claim", "job/claim/1/a/1", "", claim},
		{"a newer claim", "job/claim/1/a/1", "newer one", []byte(`{"format_version":2}`)},
		{"no claim", "job/claim/1/a/1", "not a claim", []byte("x")},
		{"a part", "job/state/a/1/0/1", "", part},
		{"a newer part", "job/state/a/1/0/1", "format version 9", newer},
		{"a damaged part", "job/state/a/1/0/1", "checksum", damaged},
		{"an absurd part", "job/state/a/1/0/1", "damaged", huge},
		{"a short part", "job/state/a/1/0/1", "not a part", []byte("FSPT")},
		{"an unknown kind", "job/lease/1", "unknown kind", []byte("x")},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := newJournal("job").apply([]byte(test.key), test.value)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

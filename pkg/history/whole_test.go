package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/goldentest"
)

// TestAnAuditOfEverything: two years of a job with every kind of entry, entries that are refused, disowned, told twice and told differently, and
// owners with two clocks, as an auditor gets them.
func TestAnAuditOfEverything(t *testing.T) {
	when := begin.Add(time.Hour)
	owner := func(hours float64, term int64) Entry {
		e := at(hours, term, Owned)
		e.Owner = &Owner{Before: term - 1, HostBefore: "g", Version: 10, Left: &when}
		return e
	}
	configured := func(hours float64, whole string, changes ...Change) Entry {
		e := at(hours, 1, Configuration)
		e.ID, e.Configuration = "configuration", &Configured{Version: 7, Whole: json.RawMessage(whole), Changes: changes}
		return e
	}
	step := func(hours float64, number int64) Entry {
		e := at(hours, 1, Release)
		e.Release = &Released{Number: number, Step: "promoted", Record: 9, To: &Weights{1, 10, "w10"}, Reason: "as good"}
		return e
	}
	verdict := at(6, 1, Decisions)
	verdict.Decisions = &Judged{Subject: "as_made", Number: 1, Change: "verdict", Constraint: "sex", Tau: .05, From: inconclusive, To: met}
	loss := at(6.5, 1, DataLoss)
	loss.Loss = &Loss{Topic: "loans", Partition: 2, Offset: 5, Resume: 9, Lost: 4}
	differently := published(4, 1, 20, .05, .04, .02, .06, met)
	differently.ID = fmt.Sprint(Publication, 2.)
	other := published(7, 1, 50, .05, .5, .4, .6, violated)
	entries := []Entry{
		owner(0, 1), configured(0, `{"tau":0.05,"mode":"adaptive"}`), published(2, 1, 10, .05, .01, -.01, .03, met),
		configured(3, `{"tau":0.15,"mode":"adaptive"}`, Change{"tau", json.RawMessage("0.04"), json.RawMessage("0.15")}), configured(3, `{"tau":0.15,"mode":"adaptive"}`),
		differently, step(5, 1), verdict, loss, other, step(7.5, 2),
		at(8, 1, Reset), owner(7, 2), published(9, 2, 10, .15, -.02, -.08, .04, inconclusive),
	}
	values := write(t, entries...)
	c := NewChain(Head{}, Everything)
	for i, value := range values {
		if _, _, _, err := c.Follow(int64(i), value); err != nil {
			t.Fatal(err)
		}
	}
	disown := at(9.5, 2, Disown)
	disown.Disowned = &Disowning{[]Disowned{{10, Sum(values[9]), "nobody published it"}, {3, "another sum", "x"}}}
	value, _, err := c.Next(disown)
	if err != nil {
		t.Fatal(err)
	}
	values = append(values, value)
	l := NewLog()
	for i, value := range values {
		seal := Seal{Checked: true}
		if i < 2 || i == 10 {
			seal.Problem = "it is not signed"
		}
		if err := l.Add(int64(i), value, seal); err != nil {
			t.Fatal(err)
		}
	}
	l.ExpectWeights("k", "w10", "a document of the first publication") // of the second as well, which has the same key and weights
	for name, period := range map[string]Period{"audit.json": {}, "audit_period.json": {begin.Add(3 * time.Hour), begin.Add(8 * time.Hour)}} {
		text, err := json.MarshalIndent(l.Audit(period, begin.Add(10*time.Hour), 100*time.Minute), "", " ")
		if err != nil {
			t.Fatal(err)
		}
		goldentest.Compare(t, name, string(text)+"\n")
	}
	if l.Told() != "k" || len(l.Decisions()) != 1 || l.Decisions()[0] != *verdict.Decisions {
		t.Errorf("%q is published, and decisions are %+v", l.Told(), l.Decisions())
	}
}

// TestAnEmptyHistory: an audit of it answers, and so do the other questions; what something refers to is missing.
func TestAnEmptyHistory(t *testing.T) {
	l, now := NewLog(), begin.Add(time.Hour)
	a := l.Audit(Period{}, now, time.Minute)
	if !a.Chain.Whole || !a.Since.IsZero() || !a.Until.Equal(now) || len(a.Gaps) != 1 || len(a.Clocks.Back) != 0 || a.Job != "" || l.Told() != "" || len(l.Decisions()) != 0 {
		t.Errorf("%+v", a)
	}
	text, err := json.MarshalIndent(a, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	goldentest.Compare(t, "audit_empty.json", string(text)+"\n")
	l.Expect(0, "", "a snapshot from before the history")
	if len(l.broken(time.Time{})) != 0 {
		t.Error("no entry is missed")
	}
	for range 2 {
		l.Expect(1, "s", "the snapshot")
	}
	if breaks := l.broken(time.Time{}); len(breaks) != 1 || breaks[0].Problem != "the snapshot refers to entry 1, which is not in the history: it was altered or deleted" {
		t.Errorf("%+v", breaks)
	}
	l = NewLog()
	if err := l.Add(0, []byte("x"), Seal{}); err != nil {
		t.Fatal(err)
	}
	l.Expect(1, "s", "the snapshot")
	if breaks := l.broken(time.Time{}); len(breaks) != 2 {
		t.Errorf("an altered entry to which a snapshot refers: %+v", breaks)
	}
	l = read(t, six(t)[2:], six(t))
	l.Expect(2, "s", "a document from before the first entry that is left")
	l.Expect(4, "s", "a document")
	l.Expect(3, "s", "a document")
	if breaks := l.broken(begin.Add(3 * time.Second)); len(breaks) != 2 || breaks[0].Sequence != 3 || breaks[1].Sequence != 4 {
		t.Errorf("%+v", breaks)
	}
}

// TestWhatAnEntryMustHold: an entry that lacks something is none, and the error names it.
func TestWhatAnEntryMustHold(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*Entry)
		want  string
	}{
		"whole":          {func(*Entry) {}, ""},
		"later":          {func(e *Entry) { e.Sequence, e.Previous = 2, "p" }, ""},
		"reset":          {func(e *Entry) { e.Kind, e.Publication = Reset, nil }, ""},
		"format":         {func(e *Entry) { e.FormatVersion = 0 }, "format_version is missing"},
		"kind":           {func(e *Entry) { e.Kind = "x" }, "the kind is unknown"},
		"publication":    {func(e *Entry) { e.Publication = nil }, "the field of kind publication is missing"},
		"owner":          {func(e *Entry) { e.Kind = Owned }, "the field of kind owner is missing"},
		"configuration":  {func(e *Entry) { e.Kind = Configuration }, "the field of kind configuration is missing"},
		"loss":           {func(e *Entry) { e.Kind = DataLoss }, "the field of kind data_loss is missing"},
		"decisions":      {func(e *Entry) { e.Kind = Decisions }, "the field of kind decisions is missing"},
		"release":        {func(e *Entry) { e.Kind = Release }, "the field of kind release is missing"},
		"disowned":       {func(e *Entry) { e.Kind = Disown }, "the field of kind disown is missing"},
		"disowns nobody": {func(e *Entry) { e.Kind, e.Disowned = Disown, &Disowning{} }, "the field of kind disown is missing"},
		"job":            {func(e *Entry) { e.Job = "" }, "job, id or time is missing"},
		"id":             {func(e *Entry) { e.ID = "" }, "job, id or time is missing"},
		"time":           {func(e *Entry) { e.Time = time.Time{} }, "job, id or time is missing"},
		"sequence":       {func(e *Entry) { e.Sequence = 0 }, "sequence or term is below 1"},
		"term":           {func(e *Entry) { e.Term = 0 }, "sequence or term is below 1"},
		"previous":       {func(e *Entry) { e.Previous = "p" }, "the first entry, and no other, has no previous"},
		"a text":         {func(e *Entry) { e.Who.Host = "no text" }, "not a JSON object of the right form"},
		"no previous":    {func(e *Entry) { e.Sequence = 2 }, "the first entry, and no other, has no previous"},
	} {
		e := entry(1, 1)
		e.FormatVersion, e.Sequence = FormatVersion, 1
		c.spoil(&e)
		data, err := json.Marshal(&e)
		if err != nil {
			t.Fatal(err)
		}
		read, err := Decode(bytes.Replace(data, []byte(`"no text"`), []byte(`5`), 1))
		if c.want == "" {
			if err != nil || !read.SameEvent(&e) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err == nil || err.Error() != "history: not an entry: "+c.want || read != nil {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// TestPeriodsWithoutTime: of a period that has no length, or ends before it begins, no share is known, and no version is in use.
func TestPeriodsWithoutTime(t *testing.T) {
	l := tenHours(t)
	for _, p := range []Period{{begin.Add(4 * time.Hour), begin.Add(4 * time.Hour)}, {begin.Add(4 * time.Hour), begin.Add(2 * time.Hour)}} {
		a := l.Audit(p, begin.Add(11*time.Hour), time.Nanosecond)
		if len(a.Versions) != 1 || a.Versions[0].InUse != 0 || len(a.Gaps) != 0 || len(a.Constraints) != 1 {
			t.Errorf("%+v", a)
		}
		if c := a.Constraints[0]; fmt.Sprint(c.Share) != "map[inconclusive:0 met:0 none:0 not_estimable:0 violated:0]" || c.Within.Lo != 0 || c.Within.Hi != 0 {
			t.Errorf("%+v", c)
		}
	}
	one := followed(t, at(2, 1, Reset)).Audit(Period{}, begin, time.Hour)
	if one.Clocks.Ahead != 7200 || !one.Until.Equal(begin.Add(2*time.Hour+time.Second)) {
		t.Errorf("one entry, two hours ahead: %+v", one)
	}
	if first, again := l.tell(), l.tell(); first != again {
		t.Error("a long history is sorted out again with each question")
	}
}

// TestTheLargestEntry: what has as many bytes as are allowed is written and read, and one more is refused in both directions.
func TestTheLargestEntry(t *testing.T) {
	e := entry(1, 1)
	e.Sequence = 1
	data, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	e.Who.Reason = strings.Repeat("r", LargestEntry-len(data)-len(`,"reason":""`))
	data, err = e.Encode()
	if err != nil || len(data) != LargestEntry {
		t.Fatalf("%d bytes: %v", len(data), err)
	}
	if _, err := Decode(data); err != nil {
		t.Error(err)
	}
	e.Who.Reason += "r"
	if _, err := e.Encode(); err == nil {
		t.Error("a longer one was written")
	}
	if _, err := Decode(append(data, ' ')); err == nil || errors.Is(err, ErrNewer) {
		t.Errorf("a longer one was read: %v", err)
	}
	e = entry(1, 1)
	e.Kind, e.Configuration = Configuration, &Configured{Whole: json.RawMessage("{")}
	if _, err := e.Encode(); err == nil {
		t.Error("a configuration that is not JSON was written")
	}
	defer func() {
		if said := recover(); said == nil || !strings.HasPrefix(fmt.Sprint(said), "history: ") {
			t.Errorf("compared with one that cannot be written: %v", said)
		}
	}()
	e.SameEvent(&e)
}

// TestWhatCannotBe: sequences and terms above Most go up one by one, and what cannot stand behind the head is a break where the next entry would be.
func TestWhatCannotBe(t *testing.T) {
	value := func(sequence, term int64, previous string) []byte {
		e := entry(term, 1)
		e.Sequence, e.Previous = sequence, previous
		data, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var problems []string
	for name, c := range map[string]struct {
		head           Head
		sequence, term int64
		want           Standing
		broken         int64 // sequence of the break; 0 if there is none
	}{
		"next":                       {Head{5, "p", 3}, 6, 3, Counts, 0},
		"of a later term":            {Head{5, "p", 3}, 6, Most, Counts, 0},
		"of an earlier term":         {Head{5, "p", 3}, 6, 2, Superseded, 6},
		"of an impossible term":      {Head{5, "p", 3}, 6, Most + 1, Unreadable, 6},
		"behind the last term":       {Head{5, "p", Most}, 6, Most + 1, Counts, 0},
		"two behind the last term":   {Head{5, "p", Most}, 6, Most + 2, Unreadable, 6},
		"some are missing":           {Head{5, "p", 3}, 9, 3, Counts, 6},
		"as many as there can be":    {Head{5, "p", 3}, Most, 3, Counts, 6},
		"more than there can be":     {Head{5, "p", 3}, Most + 1, 3, Unreadable, 6},
		"behind the last one":        {Head{Most, "p", 3}, Most + 1, 3, Counts, 0},
		"two behind the last one":    {Head{Most, "p", 3}, Most + 2, 3, Unreadable, Most + 1},
		"beside the head":            {Head{5, "q", 3}, 5, 3, Superseded, 0},
		"behind a forgotten one":     {Head{5, "q", 3}, 4, 3, Superseded, 0},
		"the beginning is gone":      {Head{}, 3, 1, Counts, 1},
		"one of the beginning":       {Head{}, 2, 1, Counts, 1},
		"does not continue the head": {Head{5, "q", 3}, 6, 3, Counts, 6},
	} {
		chain := NewChain(c.head, Everything)
		read, standing, found, err := chain.Follow(70, value(c.sequence, c.term, "p"))
		if err != nil || standing != c.want || (found != nil) != (c.broken != 0) || (read == nil) != (standing == Unreadable) {
			t.Errorf("%s: standing %d, break %+v, %v", name, standing, found, err)
			continue
		}
		if found != nil {
			problems = append(problems, name+": "+found.Problem)
		}
		if found != nil && (found.Sequence != c.broken || found.Offset != 70 || !found.Time.Equal(begin.Add(time.Second))) {
			t.Errorf("%s: %+v", name, found)
		}
		want := c.head
		if standing == Counts {
			want = Head{c.sequence, Sum(value(c.sequence, c.term, "p")), max(c.term, c.head.Term)}
		}
		if chain.Head() != want {
			t.Errorf("%s: the head is %+v, want %+v", name, chain.Head(), want)
		}
	}
	slices.Sort(problems)
	goldentest.Compare(t, "breaks.txt", strings.Join(problems, "\n")+"\n")
	chain := NewChain(Head{5, "p", 3}, Everything)
	if _, standing, found, err := chain.Follow(70, []byte("x")); standing != Unreadable || found.Sequence != 6 || found.Offset != 70 || err != nil {
		t.Errorf("what is not an entry: %d, %+v, %v", standing, found, err)
	}
	newer := bytes.Replace(value(6, 3, "p"), []byte(`"format_version":1`), []byte(`"format_version":2`), 1)
	if read, standing, found, err := chain.Follow(70, newer); read != nil || standing != Unreadable || found != nil || !errors.Is(err, ErrNewer) {
		t.Errorf("a newer one: %d, %+v, %v", standing, found, err)
	}
}

// TestABranchThatWasMoved: an entry below the head that continues no entry which counts was moved or altered; one that does is the work of a slower
// process.
func TestABranchThatWasMoved(t *testing.T) {
	for _, moved := range []bool{false, true} {
		c := NewChain(Head{}, Everything)
		for i, value := range six(t) {
			if _, _, _, err := c.Follow(int64(i), value); err != nil {
				t.Fatal(err)
			}
		}
		e := entry(2, 7)
		e.Sequence, e.Previous = 3, c.sums[2]
		if moved {
			e.Previous = c.sums[3]
		}
		data, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, standing, found, err := c.Follow(6, data); standing != Superseded || (found != nil) != moved || err != nil {
			t.Errorf("moved %t: standing %d, %+v, %v", moved, standing, found, err)
		}
	}
}

// TestWhoIsDisowned: by an entry that counts itself, and by the bytes of what it disowns.
func TestWhoIsDisowned(t *testing.T) {
	disown := func(sequence int64, of ...Disowned) noted {
		return noted{Entry: &Entry{Sequence: sequence, Kind: Disown, Disowned: &Disowning{of}}, sum: fmt.Sprint("s", sequence)}
	}
	plain := noted{Entry: &Entry{Sequence: 1, Kind: Owned}, sum: "s1"}
	for name, c := range map[string]struct {
		all     []noted
		refused map[int64]bool
		want    string
	}{
		"one":                         {[]noted{plain, disown(2, Disowned{1, "s1", "r"})}, nil, "map[1:{1 s1 r}]"},
		"with other bytes":            {[]noted{plain, disown(2, Disowned{1, "s9", "r"})}, nil, "map[]"},
		"by one that is refused":      {[]noted{plain, disown(2, Disowned{1, "s1", "r"})}, map[int64]bool{2: true}, "map[]"},
		"by one that is disowned":     {[]noted{plain, disown(2, Disowned{1, "s1", "r"}), disown(3, Disowned{2, "s2", "q"})}, nil, "map[2:{2 s2 q}]"},
		"two by one":                  {[]noted{plain, disown(2), disown(3, Disowned{2, "s2", "q"}, Disowned{1, "s1", "r"})}, nil, "map[1:{1 s1 r} 2:{2 s2 q}]"},
		"by the first of the history": {[]noted{disown(1), plain}, nil, "map[]"},
	} {
		if got := fmt.Sprint(disowned(c.all, c.refused)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

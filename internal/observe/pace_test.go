package observe

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/release"
)

// TestPace: streams of a few stretches, and the halvings after each.
func TestPace(t *testing.T) {
	type stretch struct {
		records int64
		each    int64 // records with the same timestamp, one millisecond apart from the next
		gap     int64 // milliseconds before the first
		want    int
	}
	const block = paceRecords
	for name, test := range map[string]struct {
		share float64
		rate  int64
		of    []stretch
	}{
		"slow":              {1, 100_000, []stretch{{3 * block, 50, 0, 0}}},
		"a load":            {1, 100_000, []stretch{{block - 1, 1000, 0, 0}}},
		"fast":              {1, 100_000, []stretch{{block, 400, 0, 3}, {block, 400, 0, 3}}}, // 163 steps in a block: 402,000 a second
		"just above":        {1, 100_000, []stretch{{block, 101, 0, 1}}},
		"a share":           {.25, 100_000, []stretch{{block, 390, 0, 0}, {block, 801, 0, 2}}},
		"nearly as fast":    {1, 100_000, []stretch{{block, 390, 0, 2}, {4 * block, 210, 0, 2}, {block, 190, 0, 2}, {2 * block, 95, 0, 1}, {2 * block, 40, 0, 0}}},
		"fast, then slow":   {1, 100_000, []stretch{{block, 1000, 0, 4}, {1, 1, 0, 4}, {1, 1, paceMillis, 0}}},
		"slow, then fast":   {1, 100_000, []stretch{{2001, 1, 0, 0}, {2 * block, 1000, 0, 4}}},
		"a small rate":      {1, 100, []stretch{{1001, 1, 0, 4}}}, // 1,001 in a second: a sixteenth is 63
		"the least share":   {1, 1, []stretch{{block, 1000, 0, mostHalvings}}},
		"one timestamp":     {1, 100, []stretch{{3 * block, 3 * block, 0, 0}}},
		"nobody limits it":  {1, 1 << 40, []stretch{{3 * block, 60_000, 0, 0}}},
		"other than before": {.01, 1000, []stretch{{block, 390, 0, 2}}},
	} {
		p, now := newPace(release.Config{Share: test.share, Rate: test.rate}), int64(1_700_000_000_000)
		for i, s := range test.of {
			now += s.gap
			for n := range s.records {
				if n > 0 && n%s.each == 0 {
					now++
				}
				before := p.Halvings
				if changed := p.note(now); changed != (p.Halvings != before) {
					t.Fatalf("%s: it says %v, and there are %d halvings after %d", name, changed, p.Halvings, before)
				}
				if p.note(-1) || p.note(0) {
					t.Fatalf("%s: a record without a timestamp changes the share", name)
				}
			}
			if p.Halvings != s.want || p.present() != test.share/float64(int(1)<<s.want) {
				t.Errorf("%s, stretch %d: %d halvings, a share of %v", name, i, p.Halvings, p.present())
			}
			now++
		}
	}
}

// TestPaceOfAnyTimestamps: whatever the timestamps are, the state is one that a snapshot may hold, and goes through it.
func TestPaceOfAnyTimestamps(t *testing.T) {
	p := newPace(release.Config{Share: .3, Rate: 1000})
	for n := range uint64(300_000) {
		at := int64(record.Mix(n, 1))
		switch record.Mix(n, 2) % 100 {
		case 0, 1: // anything
		default:
			at = int64(n/100 + record.Mix(n, 3)%50)
		}
		p.note(at)
		if n%977 > 0 && p.Records > 1 {
			continue
		}
		data, err := json.Marshal(p.paced)
		if err != nil {
			t.Fatal(err)
		}
		var saved paced
		restored := newPace(release.Config{Share: .3, Rate: 1000})
		if err := json.Unmarshal(data, &saved); err != nil || restored.restore(saved) != nil || restored != p {
			t.Fatalf("record %d: %+v is %+v after a snapshot, %v", n, p, restored, err)
		}
		if share := p.present(); !(share > 0 && share <= .3) {
			t.Fatalf("a share of %v", share)
		}
	}
}

func TestAnImpossiblePaceIsRefused(t *testing.T) {
	for _, bad := range []paced{{Halvings: -1}, {Halvings: mostHalvings + 1}, {Records: -1}, {Records: paceRecords}, {First: -1}, {First: 2, Last: 1},
		{Last: paceMillis}, {First: 1, Last: math.MaxInt64}} {
		p := newPace(release.Default())
		if p.restore(bad) == nil || p.paced != (paced{}) {
			t.Errorf("%+v passes", bad)
		}
	}
}

// TestTheBoundsOfAPaceAreRestored: what may just be.
func TestTheBoundsOfAPaceAreRestored(t *testing.T) {
	for _, good := range []paced{{}, {Halvings: mostHalvings}, {Records: paceRecords - 1}, {First: 5, Last: 5}, {First: 5, Last: 5 + paceMillis - 1}} {
		p := newPace(release.Default())
		if err := p.restore(good); err != nil || p.paced != good {
			t.Errorf("%+v: %v", good, err)
		}
	}
}

// TestHalvedPanelsAreSubsets: what a panel of a smaller share decides, one of a larger share decides as well.
func TestHalvedPanelsAreSubsets(t *testing.T) {
	const records = 50_000
	for _, keyed := range []bool{false, true} {
		for _, share := range []float64{1, .3} {
			var panels []Panel
			for k := range mostHalvings + 1 {
				p := newPace(release.Config{Share: share, Rate: 1})
				p.Halvings = k
				panels = append(panels, Panel{share: p.present(), keyed: keyed})
			}
			count := make([]int, len(panels))
			for n := range records {
				source, r := kafka.Record{Offset: int64(n / 4)}, record.Record{Key: binary.AppendVarint(nil, int64(n))}
				larger := true
				for k := range panels {
					in := panels[k].samples(int32(n%4), &source, &r)
					if in && !larger {
						t.Fatalf("record %d is in the sample of %v, not in one twice as large", n, panels[k].share)
					}
					if larger = in; in {
						count[k]++
					}
				}
			}
			for k, n := range count {
				if expected := records * panels[k].share; math.Abs(float64(n)-expected) > 5*math.Sqrt(expected*(1-panels[k].share)) {
					t.Errorf("keyed %v, share %v: %d of %d records", keyed, panels[k].share, n, records)
				}
			}
		}
	}
}

package waiting

import (
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/fairstream/fairstream/internal/kafka"
)

// TestWhenAFolderIsFilledAgain from the changelog: if it is of another job, topic, term or format, or an older one, or the mark is of nobody. What the
// changelog lacks then is counted as lost, and a changelog that ends too early is told of.
func TestWhenAFolderIsFilledAgain(t *testing.T) {
	w := filled(t)
	end := w.kafka.Topics[topic].Partitions[0].End()
	for name, c := range map[string]struct {
		change  func(o *Options, m *Mark)
		rebuilt bool
		cut     bool
		lost    int64
	}{
		"nothing is changed":           {func(*Options, *Mark) {}, false, false, 0},
		"another job":                  {func(o *Options, _ *Mark) { o.Job = "jobs" }, true, false, 10},
		"another topic":                {func(o *Options, _ *Mark) { o.Topic = "topic 2" }, true, false, 0},
		"a term that never used it":    {func(_ *Options, m *Mark) { m.Lineage = append(slices.Clone(m.Lineage), Stretch{9, m.Number, m.Epoch}) }, true, false, 0},
		"a mark of nobody":             {func(_ *Options, m *Mark) { *m = Mark{} }, true, false, 0},
		"a later mark":                 {func(_ *Options, m *Mark) { m.Epoch++ }, true, false, 0},
		"the mark before":              {func(_ *Options, m *Mark) { m.Epoch-- }, false, false, 0}, // nothing behind it was deleted
		"an earlier mark":              {func(_ *Options, m *Mark) { m.Epoch -= 2 }, true, false, 0},
		"another changelog":            {func(o *Options, _ *Mark) { o.ID = kafka.TopicID{7} }, false, false, 0},
		"a changelog that is cut":      {func(o *Options, m *Mark) { o.End = m.Offset - 1 }, false, false, 0},
		"a changelog that ends there":  {func(o *Options, m *Mark) { o.End = m.Offset }, false, false, 0},
		"another job, and it is cut":   {func(o *Options, m *Mark) { o.Job, o.End = "jobs", m.Offset-1 }, true, true, 10},
		"another job, and it is whole": {func(o *Options, m *Mark) { o.Job, o.End = "jobs", m.Offset }, true, false, 10},
	} {
		o := Options{Folder: w.folder, Job: "job", Topic: topic, ID: w.kafka.Topics[topic].ID, End: end, Term: w.term + 1, Read: w.read, files: w.disk.CrashClone(vfs.CrashCloneCfg{})}
		mark := w.saved.mark
		c.change(&o, &mark)
		s, how, err := Open(t.Context(), o, mark)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if how != (Opened{Rebuilt: c.rebuilt, Cut: c.cut, Lost: c.lost}) {
			t.Errorf("%s: %+v", name, how)
		}
		same := s.meant.ID == o.ID
		if known := name != "another changelog" && name != "a changelog that is cut"; same != known || s.now != o.ID || s.meant.Job != o.Job || s.meant.Topic != o.Topic || s.meant.Terms[len(s.meant.Terms)-1] != o.Term {
			t.Errorf("%s: %+v", name, s.meant)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package jobs

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestTheFilesOfAJob: its own stands in place of its directory, between those that were named before and after it; other directories have no part in it.
func TestTheFilesOfAJob(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, directory := range []string{"jobs", "others"} {
		if err := os.Mkdir(directory, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	own := filepath.Join("jobs", "a.yaml")
	for _, c := range []struct{ named, want []string }{
		{[]string{"base.yaml", "jobs/", "others", "top.yaml"}, []string{"base.yaml", own, "top.yaml"}}, {[]string{"jobs"}, []string{own}}, {[]string{"others"}, nil}, {[]string{"c.yaml"}, []string{"c.yaml"}},
	} {
		if got := layers(c.named, own); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.named, got, c.want)
		}
	}
}

// TestErrorsOfJobs are those of the jobs that failed, by their names; the last run of one that was removed is waited for.
func TestErrorsOfJobs(t *testing.T) {
	ended := make(chan struct{})
	close(ended)
	failed := errors.New("the disk is full")
	s := &Set{members: map[string]*member{"b": {ended: ended, err: failed}, "a": {ended: ended}, "c": {ended: ended, err: failed}}, leaving: map[string]chan struct{}{"d": ended}}
	if err := s.Wait(); !errors.Is(err, failed) || err.Error() != "job b: the disk is full\njob c: the disk is full" {
		t.Error(err)
	}
	delete(s.members, "b")
	delete(s.members, "c")
	if err := s.Wait(); err != nil {
		t.Errorf("of jobs that did not fail: %v", err)
	}
}

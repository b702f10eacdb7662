package page_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/test/page/story"
)

// sound fails if a page is wider than its window, hard to use for anybody, or has words for those who run the job only.
func (p *tab) sound(what string) {
	p.t.Helper()
	p.fits(what)
	p.accessible(what)
	p.plain(what)
	p.written(what)
}

// written writes the first screens, and the whole page, if PICTURES=DIRECTORY is in the environment.
func (p *tab) written(what string) {
	p.t.Helper()
	if directory := os.Getenv("PICTURES"); directory != "" {
		width, height := eval[int64](p, "innerWidth"), eval[int64](p, "innerHeight")
		p.do(chromedp.EmulateViewport(width, 2500))
		_ = os.WriteFile(filepath.Join(directory, what+".png"), p.picture(false), 0o644)
		p.do(chromedp.EmulateViewport(width, height))
		_ = os.WriteFile(filepath.Join(directory, what+"-whole.jpg"), p.picture(true), 0o644)
	}
}

// TestStates: the states in which there is little to show, or nothing of now, are told in words, on a phone and on a desktop.
func TestStates(t *testing.T) {
	t.Parallel()
	for state, words := range map[string][]string{
		"warming-up": {"Warming up", "of 1,000 records", "so fairstream gives no decisions. The first version comes after 1,000 records with an outcome", "There has been no version yet, so there was nothing to watch", "Since 21 Nov 2026, 08:00 UTC, when the job began, "},
		"standby":    {"Standby", "Another instance of fairstream runs the job", "takes over", "The verdict is on another page", "on kappa-1", "This one raises no alarms", "has run the job since", "This one has not watched the decisions", "The page of the instance that runs the job shows them"},
		"halted":     {"Stopped", "does not go on by itself", "Details for those who run the job", "What you see is from 23 Nov 2026", "Were the decisions fair?", "Not known now. Last known, at 23 Nov 2026", "fairstream has not watched its decisions since", "no alarm is raised, and no version is withdrawn", "Decisions have not been watched since 23 Nov 2026"},
		"empty":      {"No records yet", "waits for the first record", "there is no version", "Nothing yet."},
	} {
		for _, width := range []int64{375, 1440} {
			t.Run(fmt.Sprintf("%s at %d", state, width), func(t *testing.T) {
				url, _ := serve(t, story.New(t, state, nil), "")
				p := open(t, url, width)
				p.theme("light")
				for _, word := range words {
					p.wait("document.body.innerText.includes(" + quote(word) + ")")
				}
				p.sound(fmt.Sprintf("%s-%d", state, width))
				if width == 1440 {
					p.keep("state-" + state + ".png")
				}
			})
		}
	}
}

// TestEnded: of a job that has ended, what was open could not be decided, and nothing is said of records to come.
func TestEnded(t *testing.T) {
	t.Parallel()
	job := story.New(t, "learning", nil)
	job.Scene().Status.Phase = "ended"
	job.Scene().Status.StandStill()
	url, _ := serve(t, job, "")
	for _, width := range []int64{375, 1440} {
		p := open(t, url, width)
		for _, words := range []string{"What you see is final", "Not known now. Last known, at 23 Nov 2026", "Its last records came on 23 Nov 2026", "Because the job has ended, fairstream has not watched its decisions since", "The alarm was on when the job ended", "Could not be decided", "the job ended; a verdict would have needed about", "The job ended before the tests of the version under test were complete"} {
			p.wait("document.querySelector('main').textContent.includes(" + quote(words) + ")")
		}
		for _, words := range []string{"It is rejected if", "Each change is followed by a pause", "It is not known yet whether", "The alarm goes on", "may replace it", "has not reported for"} {
			if eval[bool](p, "document.querySelector('main').textContent.includes("+quote(words)+")") {
				t.Errorf("the page says %q", words)
			}
		}
		p.sound(fmt.Sprintf("ended-%d", width))
	}
}

// TestReconnects: the page says that the connection is lost, and follows the job again after a restart.
func TestReconnects(t *testing.T) {
	t.Parallel()
	job := story.New(t, "learning", nil)
	url, stop := serve(t, job, "")
	p := open(t, url, 1000)
	p.expect("net::ERR_CONNECTION_REFUSED", "net::ERR_INCOMPLETE_CHUNKED_ENCODING", "net::ERR_EMPTY_RESPONSE")
	p.wait(panels["time"])
	stop()
	p.wait("document.querySelector('#live').innerText.includes('Disconnected') && document.querySelector('#banner').innerText.includes('tries again') && document.querySelector('#headline').innerText.startsWith('Not known now. Last known, at 23 Nov 2026')")
	for _, width := range []int64{375, 1440} {
		p.do(chromedp.EmulateViewport(width, 900))
		p.sound(fmt.Sprintf("disconnected-%d", width))
	}
	p.keep("state-disconnected.png")
	for range 5 {
		job.Advance()
	}
	count := func() string { return board.Grouped(job.Status().Version) }
	next := &starting{Job: job}
	serve(t, next, strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/"))
	p.wait("document.querySelector('#live').innerText.includes('Standby')")
	next.started.Store(true)
	job.Advance()
	p.wait("document.querySelector('#live').innerText.includes(" + quote(count()) + ") && document.querySelector('#banner').hidden")
	p.wait("document.querySelector('#time-readout').innerText.startsWith(" + quote(newest(job)) + ")")
}

// starting is a process that has not read yet which comparisons its job has.
type starting struct {
	*story.Job
	started atomic.Bool
}

func (s *starting) Status() *board.Status {
	status := s.Job.Status()
	if !s.started.Load() {
		status.Phase, status.Constraints = "standby", []board.Constraint{}
	}
	return status
}

func (s *starting) Series(key board.Key) *board.Series {
	if s.started.Load() {
		return s.Job.Series(key)
	}
	return nil
}

// newest is the number of the newest point of the comparison that the page shows first.
func newest(job *story.Job) string {
	points := job.Scene().Series[0].Points
	return board.Grouped(points[len(points)-1].N)
}

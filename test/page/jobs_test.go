package page_test

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"
	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/server"
	"github.com/fairstream/fairstream/pkg/model"
)

// TestIndex: the index of a process with many jobs lists them and the files that are refused, and leads to the page of each job, whose files and
// data come from below its path.
func TestIndex(t *testing.T) {
	t.Parallel()
	many := server.NewJobs("test", zap.NewAtomicLevel(), server.Access{})
	for _, job := range []string{"north", "south"} {
		many.Add(job, server.NewLive(server.NewMember(job), board.Run, job, model.Config{}))
	}
	s := httptest.NewServer(many.Handler())
	t.Cleanup(s.CloseClientConnections)
	for _, width := range []int64{375, 1440} {
		many.Refuse([]board.Refused{{File: "jobs/wrong.yaml", Reason: "record.lable: unknown key"}})
		p := open(t, s.URL+"/", width)
		p.wait("document.querySelectorAll('#jobs tbody tr').length === 2 && document.querySelector('#refused-list').innerText.includes('wrong.yaml')")
		p.fits("the index")
		p.accessible("the index")
		p.do(chromedp.Focus("#jobs tbody tr:last-child a"))
		eval[bool](p, "document.activeElement.kept = true")
		many.Refuse([]board.Refused{{File: fmt.Sprintf("jobs/wrong at %d.yaml", width), Reason: "record.lable: unknown key"}})
		p.wait(fmt.Sprintf("document.querySelector('#refused-list').innerText.includes('wrong at %d')", width))
		p.wait("document.activeElement.kept && document.activeElement.innerText === 'south'") // drawing anew leaves the keyboard where it is
		p.do(chromedp.Click("#jobs tbody tr:last-child a"))
		p.wait("location.pathname === '/jobs/south/' && document.querySelector('#job')?.innerText === 'south'")
	}
}

package page_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/signoff"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/test/page/story"
)

var (
	update  = flag.Bool("update", false, "write the pictures in docs/pictures")
	looking = flag.String("look", "", "serve the page of a moment of the package story until interrupted")
)

// TestLook is for people who work on the page.
func TestLook(t *testing.T) {
	if *looking == "" {
		t.Skip("without -look")
	}
	job := story.New(t, *looking, nil)
	url, _ := serve(t, job, "")
	t.Log(url)
	fmt.Println(url)
	for range time.Tick(2 * time.Second) {
		job.Advance()
	}
}

// panels are what each panel shows once it has data.
var panels = map[string]string{
	"verdicts":    "document.querySelectorAll('#cards .card .sentence').length > 0",
	"time":        "document.querySelector('#time-chart canvas') && document.querySelector('#time-readout').innerText.includes('records')",
	"groups":      "document.querySelectorAll('#groups-body tbody tr').length > 1",
	"gaps":        "document.querySelectorAll('#gaps-body tbody tr').length > 0",
	"calibration": "document.querySelectorAll('#calibration-body svg').length > 0",
	"drivers":     "document.querySelectorAll('#drivers-body tbody tr').length > 0",
	"learner":     "document.querySelectorAll('#learner-body .tile').length > 3",
	"stream":      "document.querySelectorAll('#stream-body .tile').length > 3",
	"releases":    "document.querySelectorAll('#releases-body tbody tr').length > 4 && document.querySelectorAll('#releases-steps li').length > 3",
	"versions":    "document.querySelectorAll('#versions-body .evidence li').length > 0",
	"history":     "document.querySelectorAll('#history-body li').length > 0 && document.querySelector('#history-body').innerText.includes('by ')",
}

// TestPanels: every panel shows data, on a phone and on a desktop, light and dark, and anybody can use it.
func TestPanels(t *testing.T) {
	t.Parallel()
	url, _ := serve(t, story.New(t, "learning", nil), "")
	for _, width := range []int64{375, 1440} {
		p := open(t, url, width)
		for _, theme := range []string{"light", "dark"} {
			what := fmt.Sprintf("%s at %d pixels", theme, width)
			p.theme(theme)
			for _, shown := range panels {
				p.wait(shown)
			}
			p.fits(what)
			p.accessible(what)
			p.keep(fmt.Sprintf("page-%s-%d.jpg", theme, width))
		}
		if width == 1440 {
			p.theme("light")
			p.do(chromedp.EmulateViewport(width, 1780))
			p.wait(panels["time"])
			p.keep("page.png") // what one sees first
		}
	}
}

// keep writes a picture, if that is asked for.
func (p *tab) keep(name string) {
	p.t.Helper()
	if !*update {
		return
	}
	directory := "../../docs/pictures"
	if err := os.MkdirAll(directory, 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(directory, name), p.picture(strings.HasSuffix(name, ".jpg")), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// TestFirstLook: the first screen answers in words and with a clock whether the version in use is fair, on which records, how sure that is, since when, and
// what happened.
func TestFirstLook(t *testing.T) {
	t.Parallel()
	for state, words := range map[string][]string{
		"starting": {"No records yet", "Not ready", "The job is starting"},
		"ok":       {"Are the decisions fair now?", "Yes: both comparisons are within their limits", "It has been in use since", "95 %", "Last 24 hours: no alarm", "The six days before: ", "A positive decision predicts a positive outcome"},
		"learning": {"Alarm about version ", " since 23 Nov 2026", "in the newest decisions, Black and all others are farther apart than the limit allows", "alarm about version ", "Alarm. In the last ",
			"Fairstream does not withdraw this version because of \"race\"", "may replace it", "The numbers on this page are as of record", "1 of the 3 applications that decide by the versions has not reported for 12 minutes", "fairstream was not running, so no alarm could be raised", "Not judged: the same by race, where the lowest ratio to the highest share is", "groups below are not compared on their own", "Not judged, because no limit is set: Male minus Female in the", "This difference is larger than every one that has a limit"},
		"alarm":     {"An alarm about version", " lasted ", "Hide this message here", "is not recorded"},
		"kafka":     {"Were the decisions fair?", "Not known now. Last known, at ", "No records for 12 minutes", "has not answered since", "What you see is from before"},
		"sixteen":   {"of 16 comparisons", "born in"},
		"numbers":   {"Are the predictions fair now?", "Which predictions", "on average"},
		"restarted": {"No version has been published since fairstream was started again"},
	} {
		for _, width := range []int64{375, 1440} {
			t.Run(fmt.Sprintf("%s at %d", state, width), func(t *testing.T) {
				t.Parallel()
				job := story.New(t, state, nil)
				url, _ := serve(t, job, "")
				p := open(t, url, width)
				d := job.Status().Deciding
				if state != "starting" {
					words = append(words, d.Answers.Headline, d.Answers.Fair, d.Answers.Sure, d.Answers.Since, d.Answers.Follows, d.Answers.Unchecked)
					words = append(words, strings.Split(d.Answers.Happened, ". ")...) // which are paragraphs
				}
				for _, word := range words {
					p.wait("document.body.innerText.replace(/\\s+/g, ' ').includes(" + quote(word) + ")")
				}
				p.sound(fmt.Sprintf("%s-%d", state, width))
			})
		}
	}
}

// TestSixteenComparisons: at 375 pixels the last verdict is at most 2,500 pixels down, with room for longer names; the worst is the first, and details open in
// place.
func TestSixteenComparisons(t *testing.T) {
	t.Parallel()
	url, _ := serve(t, story.New(t, "sixteen", nil), "")
	p := open(t, url, 375)
	p.wait("document.querySelectorAll('#ledger .line').length === 16 && document.querySelector('#ledger .line').matches('.violated')")
	if bottom := eval[float64](p, "[...document.querySelectorAll('#ledger .line')].pop().getBoundingClientRect().bottom + scrollY"); bottom > 2400 {
		t.Errorf("the last verdict ends at %v pixels", bottom)
	}
	eval[bool](p, "document.querySelector('#ledger .open').click() || true")
	p.wait("document.querySelector('#ledger .more').innerText.includes('Show over time') && document.activeElement.getAttribute('aria-expanded') === 'true'")
	p.accessible("open details")
}

// TestAlarmIsSeen: an alarm stays at the top until somebody hides it, also after the page was loaded again.
func TestAlarmIsSeen(t *testing.T) {
	t.Parallel()
	url, _ := serve(t, story.New(t, "alarm", nil), "")
	p := open(t, url, 1000)
	p.wait("!document.querySelector('#alarms').hidden")
	eval[bool](p, "document.querySelector('#alarms button').click() || true")
	p.wait("document.querySelector('#alarms').hidden")
	p.do(chromedp.Navigate(url))
	p.wait("document.querySelectorAll('.card').length > 0 && document.querySelector('#alarms').hidden")
}

// TestKafkaIsAway: the page says it once, with the age of its numbers beside each heading.
func TestKafkaIsAway(t *testing.T) {
	t.Parallel()
	url, _ := serve(t, story.New(t, "kafka", nil), "")
	p := open(t, url, 1000)
	p.wait("document.querySelector('#time-title').innerText.includes(' as of ') && document.querySelector('#stream-title').innerText.includes(' as of ')")
	if n := eval[int](p, "document.body.innerText.split('has not answered').length - 1"); n != 1 {
		t.Errorf("it is said %d times", n)
	}
}

// TestAlarmPlan: the numbers say how soon a change would raise the alarm, and no card of a raised alarm or of a ratio does.
func TestAlarmPlan(t *testing.T) {
	t.Parallel()
	url, _ := serve(t, story.New(t, "learning", nil), "")
	p := open(t, url, 1440)
	p.wait("document.querySelector('#numbers-body').textContent.match(/if the difference became ±0\\.15, an alarm would follow after about [0-9,]+ records/)")
	const says = "[...document.querySelectorAll('#numbers-body tbody tr')].filter(c => c.textContent.includes('an alarm would follow')).length"
	if says, alarms := eval[int](p, says), eval[int](p, "document.querySelectorAll('#numbers-body .alarm').length"); says == 0 || alarms == 0 ||
		eval[bool](p, "[...document.querySelectorAll('#numbers-body tbody tr')].some(c => c.querySelector('.alarm') && c.textContent.includes('an alarm would follow'))") {
		t.Errorf("%d rows tell of a change, %d of an alarm", says, alarms)
	}
}

// TestUnlabelled: the share without an outcome is shown by decision, and why a difference cannot be estimated.
func TestUnlabelled(t *testing.T) {
	t.Parallel()
	job := story.New(t, "learning", nil)
	for i := range job.Status().Gaps {
		g := &job.Status().Gaps[i]
		g.Value, g.Lo, g.Hi, g.Reason = board.Unknown(), board.Unknown(), board.Unknown(), "labels come only for positive decisions"
	}
	url, _ := serve(t, job, "")
	p := open(t, url, 1440)
	p.wait("/outcome missing: 2\\.\\d % of the positive, [12]\\.\\d % of the negative/.test(document.querySelector('#groups-body').innerText)")
	p.wait("document.querySelector('#gaps-body').innerText.includes('outcomes come only for positive decisions')")
}

// TestFollows: what is new appears without a reload.
func TestFollows(t *testing.T) {
	t.Parallel()
	job := story.New(t, "learning", nil)
	url, _ := serve(t, job, "")
	p := open(t, url, 1440)
	p.wait("document.querySelector('#time-readout').innerText.startsWith(" + quote(newest(job)) + ")")
	job.Advance()
	p.wait("document.querySelector('#live').innerText.includes(" + quote(board.Grouped(job.Status().Version)) + ")")
	p.wait("document.querySelector('#time-readout').innerText.startsWith(" + quote(newest(job)) + ")")
	job.Become(t, "halted")
	p.wait("document.querySelector('#banner').innerText.includes('Stopped')")
}

// TestManyComparisons: those that need a person come first, in a table of a line each.
func TestManyComparisons(t *testing.T) {
	t.Parallel()
	url, _ := serve(t, story.New(t, "many", nil), "")
	p := open(t, url, 1000)
	p.wait("document.querySelectorAll('#ledger .line').length > 30 && document.querySelector('#ledger .line').matches('.violated') && document.querySelector('#cards').hidden")
	p.fits("many comparisons")
	p.accessible("many comparisons")
}

// TestHostileNames: texts of records and configurations stay texts.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	hostile := map[string]string{
		"adult":          `<script>window.owned=1</script>`,
		"sex":            `"><img src=x onerror="window.owned=1">`,
		"Male":           `<img src=x onerror=window.owned=1>`,
		"Female":         "\u202eelameF " + strings.Repeat("wide", 80),
		"race":           `{{7*7}}${window.owned=1}`,
		"Black":          `<svg onload=window.owned=1></svg>&amp;&lt;`,
		"marital-status": `</td></tr></table><style>*{display:none}</style>`,
	}
	var names []string
	for name, other := range hostile {
		names = append(names, name, other)
	}
	url, _ := serve(t, story.New(t, "learning", strings.NewReplacer(names...)), "")
	p := open(t, url, 375)
	for _, shown := range panels {
		p.wait(shown)
	}
	text := eval[string](p, "document.body.textContent")
	for name, other := range hostile {
		if !strings.Contains(text, other) {
			t.Errorf("%s is not shown as it is in place of %s", other, name)
		}
	}
	if eval[bool](p, "window.owned !== undefined || document.querySelectorAll('main img, main script, main style').length > 0") {
		t.Error("a name became a part of the page")
	}
	p.fits("hostile names")
	p.accessible("hostile names")
}

// TestKeyboard: everything can be reached and read without a mouse.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	job := story.New(t, "learning", nil)
	url, _ := serve(t, job, "")
	p := open(t, url, 1440)
	p.wait(panels["time"])
	const card = `document.querySelectorAll('#cards .card')[0]`
	eval[bool](p, card+".focus() || true")
	p.do(chromedp.KeyEvent("\r"))
	p.wait(card + ".getAttribute('aria-pressed') === 'true' && document.querySelector('#time-note').innerText.startsWith('Black')")
	at := eval[string](p, "document.querySelector('#time-readout').innerText")
	eval[bool](p, "document.querySelector('#time-chart').focus() || true")
	p.do(chromedp.KeyEvent(kb.ArrowLeft))
	p.wait("document.querySelector('#time-readout').innerText !== " + quote(at))
	eval[bool](p, "document.querySelector('#time summary').click() || true")
	p.wait("document.querySelectorAll('#time-table tbody tr').length > 10")
	p.accessible("an open table")
	eval[bool](p, "(document.querySelector('#stream-body summary').click(), document.querySelector('#stream-body summary').focus(), true)")
	job.Advance()
	p.wait("document.querySelector('#live').innerText.includes(" + quote(board.Grouped(job.Status().Version)) + ")")
	p.wait("document.querySelector('#stream-body details').open && document.activeElement.matches('#stream-body summary')") // what came changed nothing
	before := eval[string](p, "getComputedStyle(document.body).backgroundColor")
	for range 2 { // light, dark
		eval[bool](p, "document.querySelector('#theme').click() || true")
	}
	if after := eval[string](p, "getComputedStyle(document.body).backgroundColor"); before == after {
		t.Errorf("the colours stay %s", after)
	}
}

// TestReport: the report for signature reads on a phone and on a desktop, without a script, and prints on two pages, with one comparison and with many.
func TestReport(t *testing.T) {
	t.Parallel()
	open(t, "about:blank", 1440) // starts the browser, or skips
	one := story.New(t, "learning", nil).Status()
	one.Deciding.Constraints = one.Deciding.Constraints[:1]
	one.Deciding.Answer()
	week := story.New(t, "learning", nil)
	for name, status := range map[string]*board.Status{"one": one, "five": week.Status(), "sixteen": story.New(t, "sixteen", nil).Status(), "week": week.Status()} {
		t.Run(name, func(t *testing.T) {
			sheet := signoff.Sheet{Audit: fullAudit(status.Deciding.Constraints), Label: status.Meaning, Status: status}
			if name == "week" {
				sheet.Audit = week.Scene().Audit
			}
			sheet.Made = sheet.Audit.Until
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				w.Header().Set("Content-Security-Policy", signoff.Policy())
				_ = sheet.HTML(w)
			}))
			t.Cleanup(server.Close)
			for _, width := range []int64{375, 1440} {
				p := open(t, server.URL+"/", width)
				p.expect("favicon")
				p.wait("document.querySelectorAll('h2').length >= 9 && getComputedStyle(document.querySelector('main')).maxWidth === '820px'")
				p.sound(fmt.Sprintf("report-%s-%d", name, width))
				if text := eval[string](p, "document.body.innerText"); strings.Contains(text, "constraints[") || strings.Contains(text, " -> ") || name != "week" && !strings.Contains(text, "the limit is now 0.15; before, it was 0.05.") {
					t.Errorf("changes are not told in words in %s", text)
				}
				printed := get(p, "the print", chromedp.PrintToPDF())
				if pages := bytes.Count(printed, []byte("/Type /Page\n")); pages < 1 || pages > 2 {
					t.Errorf("the report prints on %d pages", pages)
				}
				if directory := os.Getenv("PICTURES"); directory != "" {
					_ = os.WriteFile(filepath.Join(directory, fmt.Sprintf("report-%s.pdf", name)), printed, 0o644)
				}
			}
		})
	}
}

// fullAudit is of three days with more of everything than a report has room for, and of the comparisons of a job.
func fullAudit(rows []board.Constraint) *history.Audit {
	day := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	audit := &history.Audit{Job: "adult", Period: history.Period{Since: day, Until: day.AddDate(0, 0, 3)}, Chain: history.ChainReport{Whole: true, Entries: 999, Head: history.Head{SHA256: strings.Repeat("b2", 32)}}}
	for i := range 14 {
		weights := &history.Weights{Term: 1, Version: int64(300 * (i + 1)), WeightsSHA256: strings.Repeat("a1", 32)}
		audit.Releases = append(audit.Releases, history.ReleaseStep{Event: history.Event{Time: day}, Released: history.Released{Step: "promoted", Version: weights, To: weights, Reason: "it passed every test"}})
	}
	for i := range 60 {
		at := day.Add(time.Duration(i) * time.Hour)
		audit.Decisions = append(audit.Decisions, history.Judgement{Event: history.Event{Time: at}, Judged: history.Judged{Subject: "stable", Constraint: "race", Group: "Black", Versus: "rest",
			Change: []string{"alarm", "alarm_ended"}[i%2]}})
		who := history.Who{Service: "fairstream run", Host: "kappa-1", Actor: "mira", Reason: "a trial that was agreed with the officer for equal treatment"}
		audit.Changes = append(audit.Changes, history.Changed{Event: history.Event{Time: at, Who: who}, Change: history.Change{Key: "constraints[0].tau", Old: json.RawMessage("0.05"), New: json.RawMessage("0.15")}})
		audit.Owners = append(audit.Owners, history.Takeover{Event: history.Event{Time: at.Add(time.Hour)}, Owner: history.Owner{Before: 1, Left: &at}})
	}
	for i := range rows {
		c := &rows[i]
		audit.Constraints = append(audit.Constraints, history.ConstraintReport{Name: c.Name, Criterion: string(c.Criterion), Group: c.Group, Versus: c.Versus, Taus: []float64{0.15, c.Tau}})
	}
	return audit
}

// TestReplayReport: the page of replay is as accessible as the others, on a phone and on a desktop.
func TestReplayReport(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	config, page := filepath.Join(directory, "config.yaml"), filepath.Join(directory, "page.html")
	const text = "record: {label: {field: income, positive: \">50K\"}}\nconstraints:\n  - {name: sex, attribute: sex, group: Male, versus: Female, tau: 0.05}\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	open(t, "about:blank", 1440) // starts the browser, or skips
	do(t, "go", "run", "github.com/fairstream/fairstream/cmd/fairstream", "replay", "--config", config, "--input", people(t, 4000), "--holdout", "0.2", "--tau", "0.1,0.05", "--report", page)
	server := httptest.NewServer(http.FileServer(http.Dir(directory)))
	t.Cleanup(server.Close)
	for _, width := range []int64{375, 1440} {
		p := open(t, server.URL+"/page.html", width)
		p.expect("favicon")
		p.wait("document.querySelector('details[open] summary').innerText.includes('tau 0.05')") // that of the configuration, and not the first of the list
		what := fmt.Sprintf("replay-%d", width)
		p.fits(what)
		p.accessible(what)
		p.written(what)
		if text := eval[string](p, "document.body.innerText"); !strings.Contains(text, "Made ") || !regexp.MustCompile(`Verdict\s+sex: the difference between Male and Female (is|may be) (with|bey)`).MatchString(text) ||
			!regexp.MustCompile(`people\.csv\s+\S.*\s[0-9a-f]{64}`).MatchString(text) || !eval[bool](p, "document.querySelector('h1 ~ h2').innerText === 'Verdict' && [...document.querySelectorAll('details pre')].some(e => e.textContent.includes('tau'))") {
			t.Errorf("the page lacks date, verdict in words, files with hashes or configuration: %s", text)
		}
	}
}

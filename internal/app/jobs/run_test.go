package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/stream"
)

// yard is a directory of jobs over an embedded broker, and the process that runs them.
type yard struct {
	t      *testing.T
	dir    string
	broker *apptest.Job
	log    apptest.Screen
	url    string
	loaded func(*config.Loaded) // what a test changes
	stop   context.CancelFunc
	ended  chan error
}

func newYard(t *testing.T) *yard {
	t.Helper()
	return &yard{t: t, dir: t.TempDir(), broker: apptest.NewJob(t, apptest.Loans)}
}

// write writes the file of a job, with topics of its own.
func (y *yard) write(file, job, more string) {
	y.t.Helper()
	text := fmt.Sprintf(`job: %s
topics: {input: in-%[1]s}
record: {label: {field: paid, positive: 1}, ignore: [pay]}
constraints:
  - {name: sex, attribute: sex, group: M, versus: F, tau: 0.2}
%s`, job, more)
	y.text(file, text)
}

func (y *yard) text(file, text string) {
	y.t.Helper()
	if err := os.WriteFile(filepath.Join(y.dir, file), []byte(text), 0o600); err != nil {
		y.t.Fatal(err)
	}
}

func (y *yard) feed(job string, values []string) {
	y.t.Helper()
	if _, err := y.broker.Client.CreateTopics(y.t.Context(), kafka.TopicSpec{Name: "in-" + job, Kind: kafka.InputTopic, Partitions: 1}); err != nil {
		y.t.Fatal(err)
	}
	y.broker.Produce(y.t, "in-"+job, values)
}

func (y *yard) load(files []string) (*config.Loaded, error) {
	l, err := config.Load(config.Sources{Files: files, Environment: nil, Adjust: func(c *config.Config) {
		c.Kafka, c.Server.Address = y.broker.Config.Kafka, "127.0.0.1:0"
		c.Stream.Publish = stream.Cadence{Records: 1_000_000}
	}}, config.Running)
	if err == nil && y.loaded != nil {
		y.loaded(l)
	}
	return l, err
}

func (y *yard) process(untilEnd bool) (*Process, *Found) {
	named := []string{y.dir}
	return &Process{Streams: &program.Streams{Out: io.Discard, Err: &y.log}, Named: named, Load: y.load, UntilEnd: untilEnd}, Scan(named, y.load)
}

var address = regexp.MustCompile(`"page":"(http://[^"]+)/"`)

func (y *yard) start() {
	y.t.Helper()
	p, found := y.process(false)
	if err := found.Err(); err != nil {
		y.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(y.t.Context())
	y.stop, y.ended = stop, make(chan error, 1)
	go func() { y.ended <- p.Run(ctx, found) }()
	y.until("the page is served", func() bool {
		m := address.FindStringSubmatch(y.log.String())
		if m != nil {
			y.url = m[1]
		}
		return m != nil
	})
	y.t.Cleanup(func() {
		stop()
		if err := <-y.ended; err != nil && !strings.Contains(err.Error(), "poison") && y.loaded == nil { // which halted
			y.t.Error(err)
		}
	})
}

// until waits for what is to come.
func (y *yard) until(what string, is func() bool) {
	y.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			y.t.Fatalf("not within 30 s: %s\n%s", what, y.log.String())
		}
	}
}

func (y *yard) get(path string) (code int, text string) {
	y.t.Helper()
	response, err := http.Get(y.url + path)
	if err != nil {
		y.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		y.t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

func (y *yard) jobs() (all board.Jobs) {
	y.t.Helper()
	_, text := y.get("/api/v1/jobs")
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		y.t.Fatalf("%v: %s", err, text)
	}
	return all
}

// row is a job as /api/v1/jobs has it.
func (y *yard) row(job string) (row board.JobRow) {
	y.t.Helper()
	for _, r := range y.jobs().Jobs {
		if r.Job == job {
			return r
		}
	}
	return row
}

func (y *yard) hangUp() {
	y.t.Helper()
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		y.t.Fatal(err)
	}
}

// TestJobsOfADirectory: valid files run beside wrong ones, every path of a job is below its name, and a job that halts stops no other.
func TestJobsOfADirectory(t *testing.T) {
	y := newYard(t)
	rows := apptest.JSON(600)
	y.write("a.yaml", "a", "")
	y.write("b.yml", "b", "")
	y.write("poison.yaml", "poison", "stream: {reject_limit: {share: 0.5, window: 10}}\n")
	y.text("wrong.yaml", "job: wrong\ntau: 7\n")
	y.write("twin1.yaml", "twin", "")
	y.write("twin2.yaml", "twin", "")
	y.text("notes.txt", "no configuration")
	if err := errors.Join(syscall.Mkfifo(filepath.Join(y.dir, "pipe.yaml"), 0o600), os.Symlink("loop.yaml", filepath.Join(y.dir, "loop.yaml"))); err != nil {
		t.Fatal(err)
	}
	y.text("up.yaml", "job: ..\n")
	y.feed("a", rows)
	y.feed("b", rows[:300])
	y.feed("poison", strings.Split(strings.Repeat("no object,", 50), ","))
	y.start()
	y.until("a and b learn, and poison halts", func() bool {
		return y.row("a").Version == 594 && y.row("b").Version == 297 && y.row("poison").Phase == "halted"
	})
	all := y.jobs()
	if len(all.Jobs) != 3 || all.Ready || len(all.Refused) != 6 {
		t.Fatalf("%+v", all)
	}
	for i, want := range [][2]string{{"loop.yaml", "too many levels"}, {"pipe.yaml", "not a regular file"}, {"twin1.yaml", "job twin"}, {"twin2.yaml", "job twin"},
		{"up.yaml", "not a valid name"}, {"wrong.yaml", "tau"}} {
		if r := all.Refused[i]; filepath.Base(r.File) != want[0] || !strings.Contains(r.Reason, want[1]) {
			t.Errorf("refused %+v, want %v", r, want)
		}
	}
	for path, want := range map[string]string{
		"/": "jobs.js", "/assets/jobs.js": "api/v1/jobs", "/livez": "ok", "/loglevel": "info",
		"/jobs/a/": "assets/app.js", "/jobs/a/assets/app.js": "follow", "/jobs/a/api/v1/status": `"job":"a"`, "/jobs/b/readyz": "role: owner", "/jobs/b/livez": "ok",
		"/jobs/a/metrics": `fairstream_records_learnt_total{job_name="a"} 594`,
	} {
		if code, text := y.get(path); code != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s: %d, %.200s: want %q", path, code, text, want)
		}
	}
	for _, path := range []string{"/readyz", "/jobs/poison/readyz"} {
		if code, text := y.get(path); code != http.StatusServiceUnavailable || !strings.Contains(text, "halted") {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
	if _, text := y.get("/readyz"); !strings.Contains(text, "wrong.yaml") || !strings.Contains(text, "job poison: halted") || strings.Contains(text, "job a") {
		t.Errorf("/readyz: %s", text)
	}
	if code, _ := y.get("/jobs/twin/api/v1/status"); code != http.StatusNotFound {
		t.Errorf("a job that is refused: %d", code)
	}
	_, metrics := y.get("/metrics")
	for _, want := range []string{`fairstream_records_learnt_total{job_name="a"} 594`, `fairstream_records_learnt_total{job_name="b"} 297`,
		`fairstream_jobs{state="owner"} 2`, `fairstream_jobs{state="not_ready"} 1`, "wrong.yaml\"} 1", "\ngo_goroutines "} {
		if !strings.Contains(metrics, want) {
			t.Errorf("/metrics lacks %s", want)
		}
	}
}

// TestFilesThatChange: what is added, changed and removed is picked up at a SIGHUP, and other jobs are not touched.
func TestFilesThatChange(t *testing.T) {
	y := newYard(t)
	rows := apptest.JSON(300)
	for _, job := range []string{"stays", "changes", "goes", "breaks", "comes"} {
		y.feed(job, rows)
		if job != "comes" {
			y.write(job+".yaml", job, "")
		}
	}
	y.start()
	learns := func(job string) bool { return y.row(job).Version == 297 && y.row(job).Ready }
	y.until("all learn", func() bool { return learns("stays") && learns("changes") && learns("goes") && learns("breaks") })
	y.write("comes.yaml", "comes", "")
	y.write("changes.yaml", "changes", "stream: {keep_versions: 7}\n")
	y.text("breaks.yaml", "job: [")
	if err := os.Remove(filepath.Join(y.dir, "goes.yaml")); err != nil {
		t.Fatal(err)
	}
	y.hangUp()
	y.until("the new job learns, and another term of the changed one", func() bool {
		return learns("comes") && learns("changes") && y.row("changes").Term == 2 && y.row("goes").Job == ""
	})
	if now := y.jobs(); y.row("stays").Term != 1 || y.row("breaks").Term != 1 || !y.row("breaks").Ready || len(now.Refused) != 1 || now.Ready {
		t.Errorf("%+v", now)
	}
	y.write("breaks.yaml", "breaks", "")
	y.hangUp()
	y.until("ready again", func() bool { code, _ := y.get("/readyz"); return code == http.StatusOK })
	if y.row("breaks").Term != 1 {
		t.Error("a job whose file is as it was is begun again")
	}
	y.stop()
	if err := <-y.ended; err != nil {
		t.Error(err)
	}
	y.ended <- nil
}

// TestADirectoryThatIsMovedAway: its jobs go on, the process says that it cannot read the directory, and is ready when it is back. So does a storm of SIGHUPs.
func TestADirectoryThatIsMovedAway(t *testing.T) {
	y := newYard(t)
	y.feed("a", apptest.JSON(300))
	y.write("a.yaml", "a", "")
	y.start()
	learns := func() bool { return y.row("a").Version == 297 && y.row("a").Ready && y.row("a").Term == 1 }
	y.until("it learns", learns)
	away := y.dir + "-away"
	if err := os.Rename(y.dir, away); err != nil {
		t.Fatal(err)
	}
	y.hangUp()
	y.until("the directory is refused", func() bool {
		_, text := y.get("/readyz")
		return strings.Contains(text, "refused: "+y.dir+": ")
	})
	if !learns() {
		t.Errorf("%+v", y.jobs())
	}
	if err := os.Rename(away, y.dir); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		y.hangUp()
	}
	y.until("ready again", func() bool { code, _ := y.get("/readyz"); return code == http.StatusOK })
	if !learns() {
		t.Errorf("%+v", y.jobs())
	}
}

// TestAJobWithoutAClient: a job that finds no way to its cluster is on the page, and not ready; it is begun again, and others go on. One whose cluster is away
// ends when its file is removed, and one that gets another name begins under it.
func TestAJobWithoutAClient(t *testing.T) {
	y := newYard(t)
	for _, job := range []string{"a", "b", "away"} {
		y.feed(job, apptest.JSON(300))
		y.write(job+".yaml", job, "")
	}
	missing := filepath.Join(t.TempDir(), "authorities.pem") // it went away after the configuration was read
	y.loaded = func(l *config.Loaded) {
		switch l.Job {
		case "b":
			l.Kafka.SecurityProtocol, l.Kafka.CALocation = "SSL", missing
		case "away":
			l.Kafka.Brokers = []string{"127.0.0.1:1"}
		}
	}
	y.start()
	y.until("a learns, and b is not ready", func() bool {
		_, text := y.get("/readyz")
		return y.row("a").Version == 297 && strings.Contains(text, "job b: ") && strings.Contains(text, missing) && strings.Contains(text, "job away: ") && strings.Contains(y.log.String(), "is begun again")
	})
	y.feed("other", apptest.JSON(300))
	y.write("a.yaml", "other", "")
	if err := os.Remove(filepath.Join(y.dir, "away.yaml")); err != nil {
		t.Fatal(err)
	}
	y.hangUp()
	y.until("one job is gone, and one has another name", func() bool {
		return y.row("away").Job == "" && y.row("a").Job == "" && y.row("other").Version == 297 && !strings.Contains(y.log.String(), "panic")
	})
}

// TestProcessesShareJobs: two processes over one directory have some jobs each; when one leaves, the other has them all, and every record
// is learnt once.
func TestProcessesShareJobs(t *testing.T) {
	const count = 6
	y := newYard(t)
	rows := apptest.JSON(600)
	for i := range count {
		job := fmt.Sprintf("j%d", i)
		y.feed(job, rows[:300])
		y.write(job+".yaml", job, "stream: {standby: true, standby_timeout: 10s}\n")
	}
	other := &yard{t: t, dir: y.dir, broker: y.broker}
	y.start()
	other.start()
	owned := func(y *yard, learnt int64) (n int) {
		for _, row := range y.jobs().Jobs {
			if row.Role == "owner" && row.Phase == "learning" && row.Version == learnt {
				n++
			}
		}
		return n
	}
	y.until("every job has an owner", func() bool { return owned(y, 297)+owned(other, 297) == count })
	if n := owned(y, 297); n < 1 || n > count-1 { // about half, where both begin at the same time
		t.Errorf("one process has %d of %d jobs", n, count)
	}
	other.stop()
	if err := <-other.ended; err != nil {
		t.Error(err)
	}
	other.ended <- nil
	for i := range count {
		y.broker.Produce(t, fmt.Sprintf("in-j%d", i), rows[300:])
	}
	y.until("one process has all jobs", func() bool { return owned(y, 594) == count })
}

// TestNoFileIsValid: then nothing runs.
func TestNoFileIsValid(t *testing.T) {
	y := newYard(t)
	_, found := y.process(true)
	if err := found.Err(); err == nil || !strings.Contains(err.Error(), ".yaml") {
		t.Errorf("an empty directory: %v", err)
	}
	y.text("wrong.yaml", "job: wrong\ntau: 7\n")
	_, found = y.process(true)
	var problems config.Problems
	if err := found.Err(); !errors.As(err, &problems) || !strings.Contains(err.Error(), "wrong.yaml") {
		t.Errorf("only a wrong file: %v", err)
	}
}

// TestWhatIsNoFile: a directory in place of the file of a job, a file in place of the directory, and a directory without any file, as of a disk that is gone, are
// refused by name, and the jobs that run go on. Of two links to one file both are refused.
func TestWhatIsNoFile(t *testing.T) {
	y := newYard(t)
	common := filepath.Join(t.TempDir(), "common.yaml")
	if err := os.WriteFile(common, []byte("job: none\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	scan := func() *Found { return Scan([]string{common, y.dir}, y.load) }
	file := filepath.Join(y.dir, "a.yaml")
	refused := func(found *Found, name, words string) {
		t.Helper()
		for _, r := range found.Refused {
			if r.File == name && strings.Contains(r.Reason, words) {
				return
			}
		}
		t.Errorf("%s is not refused with %q: %+v", name, words, found.Refused)
	}
	y.write("a.yaml", "a", "")
	if err := os.Symlink("a.yaml", filepath.Join(y.dir, "b.yaml")); err != nil {
		t.Fatal(err)
	}
	found := scan()
	refused(found, file, "is configured by")
	refused(found, filepath.Join(y.dir, "b.yaml"), "is configured by")
	if len(found.Jobs) != 0 || !found.keeps("a", file) {
		t.Errorf("%+v", found)
	}
	for _, remove := range []string{"b.yaml", "a.yaml"} {
		if err := os.Remove(filepath.Join(y.dir, remove)); err != nil {
			t.Fatal(err)
		}
	}
	y.write("c.yaml", "c", "")
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	found = scan()
	if refused(found, file, "is a directory"); len(found.Jobs) != 1 || !found.keeps("a", file) {
		t.Errorf("%+v", found)
	}
	for _, remove := range []string{"a.yaml", "c.yaml"} {
		if err := os.Remove(filepath.Join(y.dir, remove)); err != nil {
			t.Fatal(err)
		}
	}
	found = scan()
	if refused(found, y.dir, "holds no configuration"); len(found.Refused) != 1 || !found.keeps("c", filepath.Join(y.dir, "c.yaml")) {
		t.Errorf("%+v", found)
	}
	if err := os.RemoveAll(y.dir); err != nil {
		t.Fatal(err)
	}
	found = scan()
	if refused(found, y.dir, "no such file"); len(found.Refused) != 1 || strings.Contains(found.Refused[0].Reason, y.dir) {
		t.Errorf("%+v", found)
	}
	if err := os.WriteFile(y.dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	found = scan()
	if refused(found, y.dir, "is a file"); len(found.Jobs) != 0 || !found.keeps("c", filepath.Join(y.dir, "c.yaml")) {
		t.Errorf("%+v", found)
	}
}

// TestTheSettingsOfTheProcess are those of the first file that has a section server; of one file they are its own.
func TestTheSettingsOfTheProcess(t *testing.T) {
	y := newYard(t)
	y.write("a.yaml", "a", "")
	y.write("b.yaml", "b", "server: {address: 127.0.0.1:1}\n")
	y.write("c.yaml", "c", "server: {address: 127.0.0.1:2}\n")
	load := func(files []string) (*config.Loaded, error) {
		return config.Load(config.Sources{Files: files}, config.Serving)
	}
	for named, want := range map[string]string{y.dir: "127.0.0.1:1", filepath.Join(y.dir, "c.yaml"): "127.0.0.1:2"} {
		if settings, err := Settings([]string{named}, load); err != nil || settings.Server.Address != want {
			t.Errorf("%s: %v, %+v", named, err, settings)
		}
	}
}

// TestJobsLearnAsAlone: beside others a job publishes the weights that it publishes alone.
func TestJobsLearnAsAlone(t *testing.T) {
	y := newYard(t)
	rows := apptest.JSON(1200)
	y.feed("many", rows)
	y.feed("more", rows[:700])
	y.write("many.yaml", "many", "")
	y.write("more.yaml", "more", "")
	p, found := y.process(true)
	if err := p.Run(t.Context(), found); err != nil {
		t.Fatalf("%v\n%s", err, y.log.String())
	}
	alone := newYard(t)
	alone.feed("many", rows)
	alone.write("many.yaml", "many", "")
	own, err := alone.load([]string{filepath.Join(alone.dir, "many.yaml")})
	if err != nil {
		t.Fatal(err)
	}
	one := &apptest.Job{Config: own, Client: alone.broker.Client}
	one.Learn(t.Context(), t)
	if together, apart := weights(t, y.broker, "many"), weights(t, alone.broker, "many"); together == "" || together != apart {
		t.Errorf("weights %s beside another job, %s alone", together, apart)
	}
}

// weights is the hash of the newest weights of a job.
func weights(t *testing.T, j *apptest.Job, job string) string {
	t.Helper()
	models, err := stream.ReadModels(t.Context(), stream.Kafka(j.Client), "in-"+job+".models", job)
	if err != nil || models.Newest() == nil {
		t.Fatalf("%v: %+v", err, models)
	}
	return models.Newest().WeightsSHA256
}

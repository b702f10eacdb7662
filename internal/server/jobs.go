package server

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"
	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/board"
)

// Jobs is what the outside sees of a process with many jobs:
//
//	/jobs/JOB/…     what a process with this job alone serves at /…
//	/               the list of the jobs, and /api/v1/jobs its data
//	/metrics        those of every job, and of the process
//	/readyz         200 while every file of the configuration is valid and every job is ready
//	/livez, /loglevel
type Jobs struct {
	level   zap.AtomicLevel
	access  Access
	process *prometheus.Registry

	mutex   sync.Mutex
	members map[string]servedJob
	refused []board.Refused
}

// servedJob is a job, and what serves its paths.
type servedJob struct {
	live    *Live
	handler http.Handler
}

// Metrics of a process with many jobs.
var (
	jobsRunning  = prometheus.NewDesc("fairstream_jobs", "Number of jobs of this process by what it is for them: owner, standby or not_ready.", []string{"state"}, nil)
	filesRefused = prometheus.NewDesc("fairstream_config_file_refused", "1 for each file of the configuration that is wrong.", []string{"file"}, nil)
)

// NewJobs returns what knows of no job yet. version is that of the program.
func NewJobs(version string, level zap.AtomicLevel, access Access) *Jobs {
	j := &Jobs{level: level, access: access, process: prometheus.NewRegistry(), members: map[string]servedJob{}}
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "fairstream_build_info", Help: "1; the label is the version of the program.",
		ConstLabels: prometheus.Labels{"version": version}})
	build.Set(1)
	j.process.MustRegister(build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), jobsCollector{j})
	return j
}

// jobPath is where a job is served.
func jobPath(job string) string { return "/jobs/" + job + "/" }

// Add serves a job, in place of one of the same name.
func (j *Jobs) Add(job string, live *Live) {
	handler := http.StripPrefix(strings.TrimSuffix(jobPath(job), "/"), live.Handler(j.level, board.New(live), j.access))
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.members[job] = servedJob{live, handler}
}

// Remove no longer serves a job, unless another one has taken its place.
func (j *Jobs) Remove(job string, live *Live) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.members[job].live == live {
		delete(j.members, job)
	}
}

// Refuse says which files are wrong now, and why.
func (j *Jobs) Refuse(files []board.Refused) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.refused = files
}

// now are the jobs by name, and the files that are refused.
func (j *Jobs) now() (names []string, members map[string]servedJob, refused []board.Refused) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	members = maps.Clone(j.members)
	return slices.Sorted(maps.Keys(members)), members, j.refused
}

// Status is the list of the jobs.
func (j *Jobs) Status() *board.Jobs {
	names, members, refused := j.now()
	status := &board.Jobs{Schema: board.Schema, Ready: len(refused) == 0, Refused: refused}
	for _, name := range names {
		row := board.Row(members[name].live.Status(), jobPath(name))
		status.Jobs = append(status.Jobs, row)
		status.Ready = status.Ready && row.Ready
	}
	return status
}

// NotReady says which jobs do not do their work now, and which files are wrong.
func (j *Jobs) NotReady() (reasons []string) {
	names, members, refused := j.now()
	for _, file := range refused {
		reasons = append(reasons, "refused: "+file.File+": "+file.Reason)
	}
	for _, name := range names {
		for _, reason := range members[name].live.NotReady() {
			reasons = append(reasons, "job "+name+": "+reason)
		}
	}
	return reasons
}

// word is NotReady in short.
func (j *Jobs) word() string {
	states, refused := j.count()
	return fmt.Sprintf("%d of %d jobs are not ready, %d files are refused", states[notReady], states[notReady]+states["owner"]+states["standby"], refused)
}

// role is what the process is for its jobs.
func (j *Jobs) role() string {
	states, _ := j.count()
	return fmt.Sprintf("owner of %d jobs, standby of %d", states["owner"], states["standby"])
}

const notReady = "not_ready"

// count counts jobs by state, and refused files.
func (j *Jobs) count() (states map[string]int, refused int) {
	_, members, files := j.now()
	states = map[string]int{"owner": 0, "standby": 0, notReady: 0}
	for _, m := range members {
		if len(m.live.NotReady()) > 0 {
			states[notReady]++
		} else {
			states[m.live.role()]++
		}
	}
	return states, len(files)
}

// Gather is part of prometheus.Gatherer.
func (j *Jobs) Gather() ([]*dto.MetricFamily, error) {
	all := prometheus.Gatherers{j.process}
	_, members, _ := j.now()
	for _, m := range members {
		all = append(all, m.live.registry)
	}
	return all.Gather()
}

// Handler serves all that Jobs lists, to those who have access.
func (j *Jobs) Handler() http.Handler {
	index := board.NewIndex(j.Status)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", j.access.token(promhttp.HandlerFor(j, promhttp.HandlerOpts{MaxRequestsInFlight: scrapesAtOnce})))
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", j.access.readiness(j.NotReady, j.word, j.role))
	mux.Handle("GET /loglevel", j.level)
	mux.Handle("PUT /loglevel", j.access.change(j.level))
	mux.Handle("/api/v1/jobs", j.access.full(index.API()))
	mux.Handle("GET /{$}", index.Page())
	mux.Handle("GET /assets/", index.Page())
	own := guard(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		below, isJob := strings.CutPrefix(r.URL.Path, "/jobs/")
		if !isJob {
			own.ServeHTTP(w, r)
			return
		}
		name, _, hasPath := strings.Cut(below, "/")
		j.mutex.Lock()
		m, there := j.members[name]
		j.mutex.Unlock()
		switch {
		case !there:
			answer(w, http.StatusNotFound, "this process has no such job: /api/v1/jobs lists all")
		case !hasPath:
			http.Redirect(w, r, jobPath(name), http.StatusMovedPermanently)
		default:
			m.handler.ServeHTTP(w, r)
		}
	})
}

type jobsCollector struct{ *Jobs }

// Describe is part of prometheus.Collector.
func (c jobsCollector) Describe(to chan<- *prometheus.Desc) {
	to <- jobsRunning
	to <- filesRefused
}

// Collect is part of prometheus.Collector.
func (c jobsCollector) Collect(to chan<- prometheus.Metric) {
	states, _ := c.count()
	for state, count := range states {
		to <- prometheus.MustNewConstMetric(jobsRunning, prometheus.GaugeValue, float64(count), state)
	}
	_, _, refused := c.now()
	for _, file := range refused {
		to <- prometheus.MustNewConstMetric(filesRefused, prometheus.GaugeValue, 1, file.File)
	}
}

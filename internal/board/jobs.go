package board

import (
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Jobs is how the jobs of one process stand: the answer of /api/v1/jobs.
type Jobs struct {
	Schema int `json:"schema"`
	// Ready is what /readyz answers: every file is valid, and every job is ready.
	Ready bool `json:"ready"`
	// Jobs are sorted by name.
	Jobs []JobRow `json:"jobs"`
	// Refused are the files of the configuration that are wrong, sorted by name.
	Refused []Refused `json:"refused"`
}

// JobRow is a Status in short.
type JobRow struct {
	Job string `json:"job"`
	// Path is that of the page of the job: its API and its probes have paths below it.
	Path       string `json:"path"`
	Role       string `json:"role"`
	Phase      string `json:"phase"`
	Ready      bool   `json:"ready"`
	Reason     string `json:"reason"`
	Term       int64  `json:"term"`
	Version    int64  `json:"version"`
	LagRecords Number `json:"lag_records"`
	LagSeconds Number `json:"lag_seconds"`
	// Verdicts counts the comparisons of the decisions that count by verdict: met, violated, inconclusive or not_estimable.
	Verdicts map[string]int `json:"verdicts"`
	// Conditions are their codes, and Words what they say.
	Conditions []string `json:"conditions"`
	Words      []string `json:"words"`
}

// Refused is a file of the configuration that is wrong. A job that ran before its file became wrong goes on with what it had.
type Refused struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// Row is a status in short, of a job whose page has a path.
func Row(s *Status, path string) JobRow {
	row := JobRow{Job: s.Job, Path: path, Role: s.Role, Phase: s.Phase, Ready: s.Ready, Reason: s.Reason, Term: s.Term, Version: s.Version,
		LagRecords: s.Stream.LagRecords, LagSeconds: s.Stream.LagSeconds, Verdicts: map[string]int{}, Conditions: []string{}, Words: []string{}}
	for i := range s.Deciding.Constraints {
		row.Verdicts[string(s.Deciding.Constraints[i].Verdict())]++
	}
	for _, c := range s.Conditions {
		c.complete()
		row.Conditions = append(row.Conditions, c.Code)
		if !slices.Contains(row.Words, c.Text) {
			row.Words = append(row.Words, c.Text)
		}
	}
	return row
}

// Index serves the list of the jobs of a process.
type Index struct {
	jobs func() *Jobs

	mutex sync.Mutex
	text  []byte
	at    time.Time
}

// NewIndex returns the list that jobs gives. It is asked at most once in sharedFor.
func NewIndex(jobs func() *Jobs) *Index { return &Index{jobs: jobs} }

// Page serves / and /assets/: files, and nothing of the jobs.
func (x *Index) Page() http.Handler { return indexPage() }

// API serves /api/v1/jobs.
func (x *Index) API() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/jobs", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, x.now())
	})
	return ownPages(mux)
}

func (x *Index) now() []byte {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if x.text == nil || time.Since(x.at) >= sharedFor {
		now := x.jobs()
		list(&now.Jobs)
		list(&now.Refused)
		x.text, _ = json.Marshal(now) // texts, whole numbers, and numbers that are null where JSON has none
		x.at = time.Now()
	}
	return x.text
}

package board

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

//go:embed page
var files embed.FS

// policy of the page: its own files and its own API, no text as HTML, in no frame.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// writeTimeout is how long one event may take to be written.
const writeTimeout = 10 * time.Second

// longestName bounds each part of a key that is asked for.
const longestName = 1 << 10

// Board serves one source.
type Board struct{ hub *hub }

// New returns the board of a source.
func New(source Source) *Board { return &Board{newHub(source, everyTick)} }

// Page serves / and /assets/: files, and nothing of the job.
func (b *Board) Page() http.Handler { return jobPage() }

// The pages are the same for every job of a process, and so is the memory that their files take.
var (
	jobPage   = sync.OnceValue(func() http.Handler { return page("index.html") })
	indexPage = sync.OnceValue(func() http.Handler { return page("jobs.html") })
)

// page serves one of the pages at /, and at /assets/ what both need.
func page(index string) http.Handler {
	mux := http.NewServeMux()
	root := embedded(fs.Sub(files, "page"))
	mux.Handle("GET /{$}", file(root, index))
	_ = fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && path.Ext(name) != ".html" {
			mux.Handle("GET /assets/"+name, file(root, name))
		}
		return err
	}) // an embedded file can be read
	return secure(mux)
}

// embedded is what was read of the embedded files; there is no error unless the name is wrong.
func embedded[T any](of T, err error) T {
	if err != nil {
		panic("board: " + err.Error())
	}
	return of
}

// kinds are the content types of the files.
var kinds = map[string]string{".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// file serves one file. A browser asks each time whether it changed.
func file(root fs.FS, name string) http.HandlerFunc {
	content := embedded(fs.ReadFile(root, name))
	sum := sha256.Sum256(content)
	tag := `"` + hex.EncodeToString(sum[:8]) + `"`
	kind := cmp.Or(kinds[path.Ext(name)], "text/plain; charset=utf-8")
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", kind)
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", tag)
		if strings.Contains(r.Header.Get("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write(content) // whoever asked has gone
	}
}

// secure sets the headers of every answer.
func secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}

// API serves /api/v1/. Pages of other origins may not ask.
func (b *Board) API() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/status", b.status)
	mux.HandleFunc("GET /api/v1/series", b.series)
	mux.HandleFunc("GET /api/v1/events", b.events)
	return ownPages(mux)
}

// ownPages lets programs and the pages of this server ask.
func ownPages(next http.Handler) http.Handler {
	return secure(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
			http.Error(w, "a page of another origin may not ask", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	}))
}

func (b *Board) status(w http.ResponseWriter, _ *http.Request) {
	status, err := b.hub.now()
	if err != nil {
		http.Error(w, "the status cannot be written as JSON", http.StatusInternalServerError)
		return
	}
	answer(w, status)
}

func (b *Board) series(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	key := Key{asked.Get("constraint"), fairness.Criterion(asked.Get("criterion")), asked.Get("group"), asked.Get("versus")}
	for _, part := range []string{key.Name, string(key.Criterion), key.Group, key.Versus} {
		if len(part) > longestName {
			http.Error(w, "a part of the query is too long", http.StatusBadRequest)
			return
		}
	}
	series := b.hub.source.Series(key)
	if series == nil {
		http.Error(w, "no constraint has this name, criterion and groups: /api/v1/status lists all", http.StatusNotFound)
		return
	}
	whole := *series
	list(&whole.Points)
	list(&whole.Marks)
	text, err := json.Marshal(whole)
	if err != nil {
		http.Error(w, "the series cannot be written as JSON", http.StatusInternalServerError)
		return
	}
	answer(w, text)
}

func answer(w http.ResponseWriter, text []byte) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(append(text[:len(text):len(text)], '\n')) // whoever asked has gone
}

// events streams until the client goes, or does not keep up.
func (b *Board) events(w http.ResponseWriter, r *http.Request) {
	c := b.hub.join()
	if c == nil {
		w.Header().Set("Retry-After", "30")
		http.Error(w, "too many open pages", http.StatusServiceUnavailable)
		return
	}
	defer b.hub.leave(c)
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // of a server without deadlines there is none to lift
	for {
		select {
		case <-r.Context().Done():
			return
		case text, open := <-c.queue:
			if !open {
				return
			}
			_ = control.SetWriteDeadline(time.Now().Add(writeTimeout))
			if _, err := w.Write(text); err != nil || control.Flush() != nil {
				return
			}
		}
	}
}

package board

import (
	"bytes"
	"encoding/json"
	"sort"
	"sync"
	"time"

	"github.com/fairstream/fairstream/internal/isolate"
)

// Limits of the hub. What is served is at most sharedFor old, so that any number of requests costs no more than one each time.
const (
	everyTick   = time.Second
	sharedFor   = 250 * time.Millisecond
	mostClients = 100
	mostQueued  = 8 // events that a client may lag behind
	quietTicks  = 10
)

// Events is what is new in the series of one constraint: the event points.
type Events struct {
	Name      string `json:"name"`
	Criterion string `json:"criterion"`
	Group     string `json:"group"`
	Versus    string `json:"versus"`
	// Points come after those that were sent before.
	Points []Point `json:"points"`
	// Marks are all marks if there is a new one, else null.
	Marks []Mark `json:"marks"`
}

// hub serialises what the source says once for all who listen. It asks only while somebody does.
type hub struct {
	source Source
	tick   time.Duration
	page   *isolate.Part

	mutex   sync.Mutex
	clients map[*client]struct{}
	running bool
	status  []byte // JSON, of the time at
	rows    []Key  // of its constraints
	at      time.Time
	told    []byte // the status that was last sent to all clients; status may be one that somebody else asked for
	sent    map[Key]progress
}

// progress is what was sent of a series.
type progress struct {
	n     int64
	marks int
	last  Mark
}

// client is one who listens. Its queue is closed when it is dropped.
type client struct{ queue chan []byte }

func newHub(source Source, tick time.Duration) *hub {
	h := &hub{source: source, tick: tick, page: isolate.New("page"), clients: map[*client]struct{}{}, sent: map[Key]progress{}}
	if isolated, is := source.(Isolated); is {
		h.page = isolated.Page()
	}
	return h
}

// now is the status as JSON.
func (h *hub) now() ([]byte, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.fresh(sharedFor)
}

// fresh is the status as JSON, at most so old. The caller holds the mutex.
func (h *hub) fresh(age time.Duration) ([]byte, error) {
	if h.status != nil && time.Since(h.at) < age {
		return h.status, nil
	}
	now := h.source.Status().complete()
	status, err := json.Marshal(now)
	if err != nil {
		return nil, err
	}
	h.status, h.at, h.rows = status, time.Now(), nil
	for i := range now.Constraints {
		h.rows = append(h.rows, now.Constraints[i].Key())
	}
	return status, nil
}

// join adds a client, which is sent the status at once; nil if there are too many.
func (h *hub) join() *client {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if len(h.clients) >= mostClients || !h.page.Works() {
		return nil
	}
	c := &client{make(chan []byte, mostQueued)}
	status, err := h.fresh(sharedFor)
	if err == nil {
		c.queue <- event("status", status)
	}
	h.clients[c] = struct{}{}
	if !h.running {
		h.running, h.told = true, status
		h.skip()
		go h.run()
	}
	return c
}

func (h *hub) leave(c *client) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	delete(h.clients, c)
}

// run tells the clients what is new until there are none.
func (h *hub) run() {
	ticker := time.NewTicker(h.tick)
	defer ticker.Stop()
	for quiet := 0; ; {
		<-ticker.C
		h.mutex.Lock()
		if len(h.clients) == 0 || !h.page.Guard(func() { quiet = h.tellNews(quiet) }) {
			for c := range h.clients { // whose page asks again
				close(c.queue)
				delete(h.clients, c)
			}
			h.running = false
			h.mutex.Unlock()
			return
		}
		h.mutex.Unlock()
	}
}

// tellNews sends what is new, and counts for how many ticks nothing was.
func (h *hub) tellNews(quiet int) int {
	text := h.news()
	if quiet++; len(text) == 0 && quiet >= quietTicks {
		text = []byte(": nothing new\n\n")
	}
	if len(text) > 0 {
		h.send(text)
		quiet = 0
	}
	return quiet
}

// send gives every client the same bytes, and drops those who do not keep up.
func (h *hub) send(text []byte) {
	for c := range h.clients {
		select {
		case c.queue <- text:
		default:
			close(c.queue)
			delete(h.clients, c)
		}
	}
}

// news are the events since the last time.
func (h *hub) news() (text []byte) {
	status, err := h.fresh(0)
	if err != nil || bytes.Equal(h.told, status) {
		return nil
	}
	h.told = status
	text = event("status", status)
	for _, key := range h.rows {
		series := h.source.Series(key)
		if series == nil {
			continue
		}
		if e := h.since(key, series); e != nil {
			if data, err := json.Marshal(e); err == nil {
				text = append(text, event("points", data)...)
			}
		}
	}
	return text
}

// since is what is new of a series; nil if nothing is.
func (h *hub) since(key Key, s *Series) *Events {
	sent := h.sent[key]
	first := sort.Search(len(s.Points), func(i int) bool { return s.Points[i].N > sent.n })
	e := Events{Name: s.Name, Criterion: string(s.Criterion), Group: s.Group, Versus: s.Versus, Points: append([]Point{}, s.Points[first:]...)}
	now := progressOf(s)
	now.n = max(now.n, sent.n)
	if now.marks != sent.marks || now.last != sent.last {
		e.Marks = s.Marks
	}
	h.sent[key] = now
	if len(e.Points) == 0 && e.Marks == nil {
		return nil
	}
	return &e
}

func progressOf(s *Series) (p progress) {
	if len(s.Points) > 0 {
		p.n = s.Points[len(s.Points)-1].N
	}
	if p.marks = len(s.Marks); p.marks > 0 {
		p.last = s.Marks[p.marks-1]
		p.last.Time = nil
	}
	return p
}

// skip takes note of what the first client reads by itself.
func (h *hub) skip() {
	clear(h.sent)
	for _, key := range h.rows {
		if s := h.source.Series(key); s != nil {
			h.sent[key] = progressOf(s)
		}
	}
}

// event is one server-sent event. JSON as Go writes it has no line end.
func event(name string, data []byte) []byte {
	text := make([]byte, 0, len(name)+len(data)+16)
	text = append(text, "event: "+name+"\ndata: "...)
	text = append(text, data...)
	return append(text, "\n\n"...)
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
)

// study is the processes, and what they are asked.
type study struct {
	dir, program, self, model string
	single, batches, clients  int
	lines                     []string
	ours, bare                *child
	asked                     int // requests so far
}

// latency is how long one record took, in microseconds: the median to the answer, and processor time of the server.
type latency struct{ p50, cpu float64 }

// result is one round.
type result struct {
	ours, bare       latency
	batch, bareBatch rate
	several          rate // of as many clients at a time
	parsed, text     rate
}

func (s *study) stop() {
	s.ours.end()
	s.bare.end()
}

// round measures everything once.
func (s *study) round(ctx context.Context) (r result, err error) {
	if r.ours, r.bare, err = s.singles(ctx); err != nil {
		return r, err
	}
	// pkg/document stands between the servers: both meet about the same other work.
	if r.bareBatch, err = s.batched(ctx, s.bare, max(1, s.batches/10), 1); err != nil {
		return r, err
	}
	text, err := exec.CommandContext(ctx, s.self, "-only", "library", "-model", s.model, "-batches", strconv.Itoa(s.batches)).Output()
	if err != nil {
		return r, fmt.Errorf("pkg/document: %w", err)
	}
	var l libraryRates
	if err := json.Unmarshal(text, &l); err != nil {
		return r, err
	}
	r.parsed, r.text = rate{l.ParsedPerSecond, l.ParsedCPU}, rate{l.TextPerSecond, l.TextCPU}
	if r.batch, err = s.batched(ctx, s.ours, s.batches, 1); err != nil {
		return r, err
	}
	r.several, err = s.batched(ctx, s.ours, s.batches, s.clients)
	return r, err
}

// singles asks both servers about one record at a time, in turns.
func (s *study) singles(ctx context.Context) (ours, bare latency, err error) {
	servers := []*child{s.ours, s.bare}
	times, cpu := make([][]time.Duration, 2), make([]time.Duration, 2)
	for i, c := range servers {
		if cpu[i], err = c.cpu(); err != nil {
			return ours, bare, err
		}
	}
	for n := range 2 * s.single {
		which := (n + n/2) % 2 // the first of a pair changes: a, b, b, a
		line := s.lines[s.asked/2%len(s.lines)]
		s.asked++
		took, err := ask(ctx, servers[which], body([]string{line}))
		if err != nil {
			return ours, bare, err
		}
		times[which] = append(times[which], took)
	}
	for i, c := range servers {
		after, err := c.cpu()
		if err != nil {
			return ours, bare, err
		}
		cpu[i] = after - cpu[i]
		slices.Sort(times[i])
	}
	of := func(i int) latency {
		return latency{micros(times[i][len(times[i])/2]), micros(cpu[i]) / float64(s.single)}
	}
	return of(0), of(1), nil
}

// batched has so many clients ask a server about 1,000 records at a time.
func (s *study) batched(ctx context.Context, c *child, requests, clients int) (r rate, err error) {
	var bodies [][]byte
	for part := range slices.Chunk(s.lines, batch) {
		bodies = append(bodies, body(part))
	}
	if _, err := ask(ctx, c, bodies[0]); err != nil { // buffers grow
		return r, err
	}
	used, err := c.cpu()
	if err != nil {
		return r, err
	}
	begun := time.Now()
	var group errgroup.Group
	for client := range clients {
		group.Go(func() error {
			for i := client; i < requests; i += clients {
				if _, err := ask(ctx, c, bodies[i%len(bodies)]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return r, err
	}
	elapsed, records := time.Since(begun), float64(requests*batch)
	after, err := c.cpu()
	return rate{records / elapsed.Seconds(), micros(after-used) / records}, err
}

func micros(d time.Duration) float64 { return d.Seconds() * 1e6 }

// ask sends a request, and gives the time to the last byte of the answer.
func ask(ctx context.Context, c *child, body []byte) (time.Duration, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	read, err := io.Copy(io.Discard, response.Body)
	took := time.Since(begun)
	_ = response.Body.Close() // it was read
	if err == nil && (response.StatusCode != http.StatusOK || read == 0) {
		err = fmt.Errorf("status %d", response.StatusCode)
	}
	return took, err
}

package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// besieged is a server under attack.
type besieged struct {
	*asked
	connections int           // of attacks with many
	lasts       time.Duration // attacks that go on
}

// mostUnderAttack bounds the memory of the process: requests in flight share 256 MiB for bodies and answers, and the garbage collector lets the
// heap grow to twice what is in use.
const mostUnderAttack = 800 << 20

// TestServeSurvivesAttacks: whatever clients send, probes are answered meanwhile and records are decided afterwards, and the memory of the
// process stays bounded.
func TestServeSurvivesAttacks(t *testing.T) {
	t.Parallel()
	j := newServed(t, newEmbedded(t).Addresses())
	s := besieged{newAsked(j, "besieged", "none"), oftenOf(t, "FAIRSTREAM_TEST_SERVE_CONNECTIONS", 500),
		time.Duration(oftenOf(t, "FAIRSTREAM_TEST_SERVE_SECONDS", 1)) * time.Second}
	s.start()
	for _, attack := range []struct {
		name string
		do   func()
	}{
		{"connections that say nothing", func() { s.crowd(func(net.Conn) {}) }},
		{"headers that never end", func() { s.crowd(drip("POST /v1/score HTTP/1.1\r\nHost: " + s.address + "\r\nX: ")) }},
		{"bodies that never end", func() {
			s.crowd(drip("POST /v1/score HTTP/1.1\r\nHost: " + s.address + "\r\nContent-Length: 1000000\r\n\r\n"))
		}},
		{"answers that nobody reads", func() {
			body := `{"records":[` + strings.Repeat("{},", 9999) + `{}]}`
			s.crowd(func(c net.Conn) {
				_, _ = fmt.Fprintf(c, "POST /v1/score HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n%s", s.address, len(body), body)
			})
		}},
		{"a gigabyte of header", func() { s.flood("GET /v1/openapi.yaml HTTP/1.1\r\nHost: "+s.address+"\r\nX: ", 1<<30) }},
		{"a gigabyte of body", func() {
			s.flood("POST /v1/score HTTP/1.1\r\nHost: "+s.address+"\r\nContent-Length: 1073741824\r\n\r\n{\"records\":[", 1<<30)
		}},
		{"clients that send no more", func() {
			s.crowd(func(c net.Conn) {
				_, _ = io.WriteString(c, "POST /v1/score HTTP/1.1\r\nHost: "+s.address+"\r\nContent-Length: 1000000\r\n\r\n{")
				_ = c.(*net.TCPConn).CloseWrite()
			})
		}},
		{"a gigabyte in small chunks", func() {
			chunk := "10000\r\n" + strings.Repeat("a", 1<<16) + "\r\n"
			s.floodOf("POST /v1/score HTTP/1.1\r\nHost: "+s.address+"\r\nTransfer-Encoding: chunked\r\n\r\n", strings.Repeat(chunk, 16), 1<<30)
		}},
		{"a gigabyte in one chunk", func() {
			s.flood("POST /v1/score HTTP/1.1\r\nHost: "+s.address+"\r\nTransfer-Encoding: chunked\r\n\r\n40000000\r\n{\"records\":[", 1<<30)
		}},
		{"a gigabyte of tensor", func() {
			s.flood("POST /v2/models/adult/infer HTTP/1.1\r\nHost: "+s.address+"\r\nInference-Header-Content-Length: 100\r\nContent-Length: 1073741824\r\n\r\n", 1<<30)
		}},
		{"random bytes", s.noise},
	} {
		t.Run(attack.name, func(t *testing.T) {
			done := make(chan struct{})
			go func() {
				defer close(done)
				attack.do()
			}()
			probes, slowest := s.probe(t, done)
			if !s.decides() {
				t.Errorf("no record is decided afterwards:\n%s", s.child.log.String())
			}
			t.Logf("%d probes were answered, the slowest after %v; memory up to %d MiB", probes, slowest, s.peak()>>20)
		})
	}
	if runtime.GOOS == "linux" && s.peak() > mostUnderAttack {
		t.Errorf("the process took up to %d MiB", s.peak()>>20)
	}
}

// probe asks whether the server is live and ready until done, from another address than the attack: where connections are more than the server
// takes, those of the client with the most give way. A busy machine repeats the handshake of a connection after seconds, so nothing but the
// answer itself is demanded.
func (s *besieged) probe(t *testing.T, done <-chan struct{}) (probes int, slowest time.Duration) {
	t.Helper()
	dialer := net.Dialer{}
	if runtime.GOOS == "linux" { // where all of 127.0.0.0/8 is this machine
		dialer.LocalAddr = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}
	}
	client := &http.Client{Timeout: 2 * time.Minute, Transport: &http.Transport{DisableKeepAlives: true, DialContext: dialer.DialContext}}
	for {
		for _, path := range []string{"/livez", "/readyz"} {
			begin := time.Now()
			response, err := client.Get("http://" + s.address + path)
			slowest = max(slowest, time.Since(begin))
			if err != nil {
				t.Fatalf("%s: %v\n%s", path, err, s.child.log.String())
			}
			_ = response.Body.Close()
			if response.StatusCode != http.StatusOK {
				t.Errorf("%s: %s", path, response.Status)
			}
			probes++
		}
		select {
		case <-done:
			return probes, slowest
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// decides says whether a record is decided, within several attempts: connections that are closed to make room may be ours.
func (s *besieged) decides() bool {
	for i := range 20 {
		s.one(fmt.Sprintf("after %d", i))
		if s.codes[http.StatusOK] > 0 {
			s.codes = map[int]int{}
			return true
		}
		time.Sleep(100 * time.Millisecond)
	}
	return false
}

// crowd opens many connections, of which each does something, and holds them.
func (s *besieged) crowd(do func(net.Conn)) {
	var all sync.WaitGroup
	end := time.Now().Add(s.lasts)
	for range s.connections {
		connection, err := net.DialTimeout("tcp", s.address, 5*time.Second)
		if err != nil {
			continue // the server may refuse
		}
		all.Go(func() {
			defer func() { _ = connection.Close() }()
			_ = connection.SetDeadline(end.Add(time.Second))
			do(connection)
			time.Sleep(time.Until(end))
		})
	}
	all.Wait()
}

// drip sends the beginning of a request, and then a byte now and then until the server closes the connection.
func drip(begin string) func(net.Conn) {
	return func(c net.Conn) {
		_, err := io.WriteString(c, begin)
		for err == nil {
			time.Sleep(100 * time.Millisecond)
			_, err = c.Write([]byte{'a'})
		}
	}
}

// flood sends the beginning of a request and then so many bytes, until the server closes the connection.
func (s *besieged) flood(begin string, size int) { s.floodOf(begin, strings.Repeat("a", 1<<20), size) }

// floodOf is flood with a block of bytes again and again.
func (s *besieged) floodOf(begin, block string, size int) {
	connection, err := net.Dial("tcp", s.address)
	if err != nil {
		return
	}
	defer func() { _ = connection.Close() }()
	go func() { _, _ = io.Copy(io.Discard, bufio.NewReader(connection)) }()
	_, err = io.WriteString(connection, begin)
	for sent := 0; sent < size && err == nil; sent += len(block) {
		_, err = io.WriteString(connection, block)
	}
}

// noise sends random bytes: alone, and in place of what a request has after its first bytes.
func (s *besieged) noise() {
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	request := "POST /v1/score HTTP/1.1\r\nHost: " + s.address + "\r\nContent-Length: 300\r\nInference-Header-Content-Length: 20\r\n\r\n{\"records\":[{\"age\":41,\"keys\":[\"a\"]},{\"id\":\"b\"}]}"
	for end := time.Now().Add(s.lasts); time.Now().Before(end); {
		connection, err := net.Dial("tcp", s.address)
		if err != nil {
			continue
		}
		_ = connection.SetDeadline(time.Now().Add(time.Second))
		bytes := []byte(request[:random.IntN(len(request)+1)])
		for range random.IntN(400) {
			bytes = append(bytes, byte(random.Uint32()))
		}
		_, _ = connection.Write(bytes)
		_ = connection.Close()
	}
}

var peakMemory = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peak is the most memory that the process has had, 0 where the system does not say.
func (a *asked) peak() int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", a.child.Process.Pid))
	if found := peakMemory.FindSubmatch(text); err == nil && found != nil {
		kilobytes, _ := strconv.Atoi(string(found[1]))
		return kilobytes << 10
	}
	return 0
}

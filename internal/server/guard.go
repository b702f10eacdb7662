package server

import (
	"net"
	"net/http"
	"os"
	"strings"
)

// largestBody is above every body that a handler expects: an order about releases has a reason of 1,000 bytes.
const largestBody = 4 << 10

// guard refuses what no honest client sends, before any handler sees it:
//
//   - a body above largestBody: it would be read into memory;
//   - from this machine, a Host that is another name: a page that a browser has open could read everything by letting
//     its own name resolve to 127.0.0.1 (DNS rebinding);
//   - a change with an Origin: only a page sends one. Our own page may send orders about releases, which need the token.
func guard(next http.Handler) http.Handler {
	guarded := guardWithin(next, largestBody, func(*http.Request) bool { return false })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > largestBody {
			w.Header().Set("Connection", "close")
			answer(w, http.StatusRequestEntityTooLarge, "the body is too large")
			return
		}
		guarded.ServeHTTP(w, r)
	})
}

// guardWithin is guard for clients of which some are known, by whatever name they call this machine. A body that is too large is cut off there, and
// the handler answers with the error.
func guardWithin(next http.Handler, largest int64, known func(*http.Request) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case fromHere(r) && !namesUs(r.Host) && !known(r):
			answer(w, http.StatusForbidden, "the Host header must be localhost, an address or the name of this machine")
			return
		case r.Method != http.MethodGet && r.Method != http.MethodHead && r.Header.Get("Origin") != "" && !fromOurPage(r):
			answer(w, http.StatusForbidden, "a page may not change anything: send no Origin header")
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, largest)
		next.ServeHTTP(w, r)
	})
}

// fromOurPage says whether a page of this server gives an order.
func fromOurPage(r *http.Request) bool {
	_, host, _ := strings.Cut(r.Header.Get("Origin"), "://")
	return r.URL.Path == orderPath && host != "" && strings.EqualFold(host, r.Host)
}

// namesUs says whether a Host header is this machine, whoever resolves it.
func namesUs(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host) != nil {
		return true
	}
	own, err := os.Hostname()
	return err == nil && host == strings.ToLower(own)
}

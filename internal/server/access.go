package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// Access says who may read and change what. The zero value is that of a server for this machine alone.
//
//	                        from this machine        over the network
//	/, /livez               everyone                 everyone: they hold nothing of the job's data
//	/readyz                 everyone                 everyone; the reasons in full with the token, else in a word
//	/metrics                with the token, if any   with the token, if any
//	/api/v1/                with the token, if any   over TLS with the token, else nobody
//	POST /api/v1/release    with the token           over TLS with the token, else nobody
//	PUT /loglevel           everyone                 over TLS with the token, else nobody
type Access struct {
	// Token is what a client sends as "Authorization: Bearer TOKEN"; empty: there is none.
	Token string
	// TLS is how connections are protected; nil: they are not.
	TLS *tls.Config
}

// token lets those pass who know the token, if there is one.
func (a Access) token(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.Token != "" && !a.knows(r) {
			w.Header().Set("WWW-Authenticate", `Bearer realm="fairstream"`)
			answer(w, http.StatusUnauthorized, "the token is missing or wrong: send Authorization: Bearer TOKEN, the content of server.token_file")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// full is for what may leave this machine over TLS with a token only.
func (a Access) full(next http.Handler) http.Handler {
	checked := a.token(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !fromHere(r) && (a.Token == "" || a.TLS == nil) {
			answer(w, http.StatusForbidden, "over the network this needs TLS and a token: set server.tls.certificate_file, server.tls.key_file and server.token_file")
			return
		}
		checked.ServeHTTP(w, r)
	})
}

// readiness answers 200 if there are no reasons against it, else 503. Reasons name topics, brokers and fields of records, so
// they are for this machine and for those who know the token. Others get a word, which tells a person where to look.
func (a Access) readiness(reasons func() []string, word, role func() string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch found := reasons(); {
		case len(found) == 0:
			answer(w, http.StatusOK, "ok\nrole: "+role())
		case fromHere(r), a.Token != "" && a.knows(r):
			answer(w, http.StatusServiceUnavailable, strings.Join(found, "\n"))
		default:
			answer(w, http.StatusServiceUnavailable, word()+"\nThe log has the reasons. This address shows them on its own machine (fairstream health), and to those who send the token.")
		}
	}
}

// change is for what changes the process: everyone on this machine may.
func (a Access) change(next http.Handler) http.Handler {
	full := a.full(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fromHere(r) {
			next.ServeHTTP(w, r)
			return
		}
		full.ServeHTTP(w, r)
	})
}

// knows compares in a time that does not depend on the token.
func (a Access) knows(r *http.Request) bool {
	given, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	want, got := sha256.Sum256([]byte(a.Token)), sha256.Sum256([]byte(given))
	return isBearer && subtle.ConstantTimeCompare(want[:], got[:]) == 1
}

// NewTLS returns a configuration with the certificate of two PEM files. Files that change are read again, so a renewed
// certificate needs no restart.
func NewTLS(certificateFile, keyFile string) (*tls.Config, error) {
	p := &pair{certificate: certificateFile, key: keyFile}
	if _, err := p.get(nil); err != nil {
		return nil, err
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: p.get, NextProtos: []string{"http/1.1"}}, nil
}

// pair is a certificate on disk.
type pair struct {
	certificate, key string

	mutex  sync.Mutex
	loaded *tls.Certificate
	at     time.Time
}

func (p *pair) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var at time.Time // not known: the files are read again next time
	if file, err := os.Stat(p.certificate); err == nil {
		if at = file.ModTime(); p.loaded != nil && at.Equal(p.at) {
			return p.loaded, nil
		}
	}
	loaded, err := tls.LoadX509KeyPair(p.certificate, p.key)
	switch {
	case err == nil:
		p.loaded, p.at = &loaded, at
	case p.loaded == nil:
		return nil, fmt.Errorf("server.tls: %w", err)
	}
	return p.loaded, nil // the old one, while the files are being replaced
}

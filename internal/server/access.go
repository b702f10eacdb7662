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
//	/, /livez, /readyz      everyone                 everyone: they hold nothing of the job's data
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
	file, err := os.Stat(p.certificate)
	if err == nil && p.loaded != nil && file.ModTime().Equal(p.at) {
		return p.loaded, nil
	}
	loaded, failed := tls.LoadX509KeyPair(p.certificate, p.key)
	switch {
	case failed == nil && err == nil:
		p.loaded, p.at = &loaded, file.ModTime()
	case p.loaded == nil:
		return nil, fmt.Errorf("server.tls: %w", failed)
	}
	return p.loaded, nil // the old one, while the files are being replaced
}

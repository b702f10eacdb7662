package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/fairstream/fairstream/pkg/stream"
)

// orderPath takes orders of a person about releases.
const orderPath = "/api/v1/release"

// OrderWait is how long an order waits for its answer: less than a connection may take.
const OrderWait = 20 * time.Second

// order is the body of a request to orderPath.
type order struct {
	Action  string `json:"action"`
	Version int64  `json:"version"`
	Term    int64  `json:"term"`
	Reason  string `json:"reason"`
	Actor   string `json:"actor"`
}

// Orders makes the handler take orders about releases, which ask carries out.
func (m *Monitor) Orders(ask func(context.Context, stream.Request) (*stream.Answer, error)) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.ask = ask
}

func (m *Monitor) order(w http.ResponseWriter, r *http.Request) {
	m.mutex.Lock()
	ask := m.ask
	m.mutex.Unlock()
	if ask == nil {
		answer(w, http.StatusNotFound, "this process takes no orders about releases: it is starting, or it does not learn")
		return
	}
	var asked order
	body, err := io.ReadAll(r.Body) // which guard bounds
	if err == nil {
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.DisallowUnknownFields()
		if err = decoder.Decode(&asked); err == nil && decoder.More() {
			err = errors.New("there is more than one order")
		}
	}
	var unfit *json.UnmarshalTypeError
	if errors.As(err, &unfit) { // its own words name a type of the program
		err = fmt.Errorf("%s cannot be a %s", unfit.Field, unfit.Value)
	}
	if err != nil {
		answer(w, http.StatusBadRequest, `the body is not an order such as {"action":"promote","version":39074,"reason":"…","actor":"…"}: `+err.Error())
		return
	}
	request := stream.Request{Action: asked.Action, Term: asked.Term, Version: asked.Version, Reason: asked.Reason, Actor: strings.TrimSpace(asked.Actor)}
	if err := request.Validate(); err != nil {
		answer(w, http.StatusBadRequest, err.Error())
		return
	}
	done, err := ask(r.Context(), request)
	var refused *stream.RequestRefused
	var unanswered *stream.Unanswered
	var absent *stream.NoSuchVersion
	switch {
	case errors.As(err, &refused):
		answer(w, http.StatusConflict, err.Error())
	case errors.As(err, &absent):
		answer(w, http.StatusNotFound, err.Error())
	case errors.As(err, &unanswered):
		answer(w, http.StatusGatewayTimeout, err.Error())
	case err != nil:
		answer(w, http.StatusBadGateway, err.Error())
	default:
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_ = json.NewEncoder(w).Encode(done) // whoever asked has gone
	}
}

// order is for orders about releases, which decide about people: without a token, nobody on this machine may give one either.
func (a Access) order(next http.HandlerFunc) http.Handler {
	checked := a.full(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch site, kind := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Content-Type"); {
		case site == "cross-site" || site == "same-site":
			answer(w, http.StatusForbidden, "a page of another origin may not send orders")
		case a.Token == "":
			answer(w, http.StatusForbidden, "orders about releases need a token: set server.token_file, or use `fairstream models "+
				"promote` and `rollback` on the command line")
		case !strings.HasPrefix(kind, "application/json"):
			answer(w, http.StatusUnsupportedMediaType, "send Content-Type: application/json")
		default:
			checked.ServeHTTP(w, r)
		}
	})
}

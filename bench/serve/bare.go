package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"
)

// asked is a request of /v1/score about Adult, in the structure that a handler for this one model would have.
type asked struct {
	Records []struct {
		Age           *float64 `json:"age"`
		Workclass     *string  `json:"workclass"`
		Weight        *float64 `json:"fnlwgt"`
		Education     *string  `json:"education"`
		EducationNum  *float64 `json:"education_num"`
		MaritalStatus *string  `json:"marital_status"`
		Occupation    *string  `json:"occupation"`
		Relationship  *string  `json:"relationship"`
		Race          *string  `json:"race"`
		Sex           *string  `json:"sex"`
		CapitalGain   *float64 `json:"capital_gain"`
		CapitalLoss   *float64 `json:"capital_loss"`
		HoursPerWeek  *float64 `json:"hours_per_week"`
		NativeCountry *string  `json:"native_country"`
	} `json:"records"`
}

// decision is an answer for a record, of the length of ours.
const decision = `{"score":0.1234567890123456,"margin":-1.234567890123456,"decision":0,"probability":0.1234567890123456,"version":48842,"term":0,"alias":"file"},`

// bare serves until ctx ends: it parses the body, decides nothing and answers.
func bare(ctx context.Context) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "{\"url\":\"http://%s/\"}\n", listener.Addr())
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request asked
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		answer := bytes.Repeat([]byte(decision), len(request.Records))
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		_, _ = w.Write(answer) // whoever asked has gone
	})}
	return server.Serve(listener)
}

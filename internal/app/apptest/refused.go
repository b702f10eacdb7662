package apptest

import (
	"bytes"
	"context"
	"io"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/fairstream/fairstream/internal/app/program"
)

// refusedCode is that of TOPIC_AUTHORIZATION_FAILED, which no repetition changes, and refusedWords are what the client says of it.
const (
	refusedCode  = 29
	refusedWords = "Topic Authorization Failed"
)

// refusing is a broker that refuses one request, and counts them.
type refusing struct {
	at      atomic.Int64 // 0: none
	seen    atomic.Int64
	refused atomic.Value // the name of what was refused
}

// Refused runs commands again and again, while the broker refuses the first request about a topic, then the second, and so on until none is
// left. A command says so each time, or writes what it writes where nothing is refused, as if it had to ask no more.
func (j *Job) Refused(t *testing.T, commands map[string]func(context.Context, *program.Streams) error) {
	t.Helper()
	of := &refusing{}
	j.broker.Cluster.Control(func(request kmsg.Request) (kmsg.Response, error, bool) {
		j.broker.Cluster.KeepControl()
		if !aboutTopics(request) || of.seen.Add(1) != of.at.Load() {
			return nil, nil, false
		}
		of.refused.Store(kmsg.NameForKey(request.Key()))
		return j.refusal(request), nil, true
	})
	for name, command := range commands {
		run := func(at int) (said string, err error) {
			of.refused.Store("")
			of.seen.Store(0)
			of.at.Store(int64(at))
			defer of.at.Store(0)
			var out bytes.Buffer
			err = command(t.Context(), &program.Streams{Out: &out, Err: io.Discard})
			return Steady(out.String()), err
		}
		want, err := run(0)
		if err != nil {
			t.Fatalf("%s, of a broker that refuses nothing: %v", name, err)
		}
		for at := 1; ; at++ {
			said, err := run(at)
			refused := of.refused.Load()
			switch {
			case err == nil && said != want:
				t.Errorf("%s, whose request %d (%s) was refused, says\n%s\nwant\n%s", name, at, refused, said, want)
			case err != nil && (refused == "" || !strings.Contains(err.Error(), refusedWords)):
				t.Errorf("%s, whose request %d (%s) was refused: %v", name, at, refused, err)
			}
			if refused == "" {
				if at < 3 {
					t.Errorf("%s makes %d requests", name, at-1)
				}
				break
			}
		}
	}
}

// aboutTopics says whether a request names a topic, and so can be refused.
func aboutTopics(request kmsg.Request) bool {
	switch r := request.(type) {
	case *kmsg.MetadataRequest:
		return len(r.Topics) > 0
	case *kmsg.ListOffsetsRequest, *kmsg.FetchRequest, *kmsg.ProduceRequest, *kmsg.DescribeConfigsRequest, *kmsg.CreateTopicsRequest:
		return true
	}
	return false
}

// refusal is the response to a request in which everything that it asks for has failed.
func (j *Job) refusal(request kmsg.Request) kmsg.Response {
	response := request.ResponseKind()
	fail(reflect.ValueOf(request).Elem(), reflect.ValueOf(response).Elem())
	if r, is := response.(*kmsg.MetadataResponse); is {
		r.Brokers = []kmsg.MetadataResponseBroker{{Host: "127.0.0.1", Port: j.port}}
	}
	return response
}

// fail fills in the error codes of a response, and what its parts have in common with those of the request.
func fail(request, response reflect.Value) {
	if code := response.FieldByName("ErrorCode"); code.IsValid() {
		code.SetInt(refusedCode)
	}
	for i := range response.NumField() {
		name := response.Type().Field(i).Name
		from, to := request.FieldByName(name), response.Field(i)
		switch {
		case !from.IsValid() || name == "Version":
		case to.Kind() == reflect.Slice && to.Type().Elem().Kind() == reflect.Struct:
			to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
			for k := range from.Len() {
				fail(from.Index(k), to.Index(k))
			}
		case from.Type() == to.Type():
			to.Set(from)
		}
	}
}

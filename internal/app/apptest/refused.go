package apptest

import (
	"context"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
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

// Refused runs a command again and again, while the broker refuses its first request about a topic, then its second, and so on until none is
// left. The command says so each time, or says what it says of a broker that refuses nothing, as where it had to ask no more.
func (j *Job) Refused(t *testing.T, command func(context.Context) (said string, err error)) (times int) {
	t.Helper()
	if j.refusing == nil {
		j.refusing = &refusing{}
		j.broker.Cluster.Control(func(request kmsg.Request) (kmsg.Response, error, bool) {
			j.broker.Cluster.KeepControl()
			if !aboutTopics(request) || j.refusing.seen.Add(1) != j.refusing.at.Load() {
				return nil, nil, false
			}
			j.refusing.refused.Store(kmsg.NameForKey(request.Key()))
			return j.refusal(request), nil, true
		})
	}
	want, err := command(t.Context())
	if err != nil {
		t.Fatalf("of a broker that refuses nothing: %v", err)
	}
	for times = 1; times < 100; times++ {
		j.refusing.refused.Store("")
		j.refusing.seen.Store(0)
		j.refusing.at.Store(int64(times))
		said, err := command(t.Context())
		j.refusing.at.Store(0)
		name := j.refusing.refused.Load()
		switch {
		case err == nil && Steady(said) != Steady(want):
			t.Errorf("request %d (%s) was refused, and the command says\n%s\nwant\n%s", times, name, said, want)
		case err != nil && (name == "" || !strings.Contains(err.Error(), refusedWords)):
			t.Errorf("request %d (%s) was refused, and the error is %v", times, name, err)
		}
		if name == "" {
			return times - 1
		}
	}
	t.Error("there is no end of requests")
	return times
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

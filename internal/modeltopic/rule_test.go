package modeltopic

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/kafka/kafkatest"
	"github.com/fairstream/fairstream/pkg/signature"
)

// TestRule: which records count, and why the others do not.
func TestRule(t *testing.T) {
	private, public, err := signature.Generate()
	if err != nil {
		t.Fatal(err)
	}
	signer, err := signature.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := signature.NewVerifier(public)
	if err != nil {
		t.Fatal(err)
	}
	at := func(term, version int64) Place { return Place{term, version} }
	document := func(p Place) kafka.Message { return Document("adult", p, "ab", []byte("{}"), signer) }
	alias := func(name string, owner int64, p Place) kafka.Message {
		message := MoveAlias("adult", name, owner, Target{Place: p, SHA256: "ab"}, signer)
		return message
	}
	put := func(key, value string) kafka.Message {
		return kafka.Message{Key: []byte(key), Value: []byte(value)}
	}
	older := func(p Place) kafka.Message { // as programs and people write it
		return put("adult/stable", fmt.Sprintf(`{"term":%d,"version":%d,"weights_sha256":"ab","key":%q}`, p.Term, p.Version, DocumentKey("adult", p)))
	}
	unsigned := func(m kafka.Message) kafka.Message { m.Headers = nil; return m }
	deleted := func(key string) kafka.Message { return kafka.Message{Key: []byte(key)} }
	type step struct {
		message kafka.Message
		want    string // of the reason; empty: it counts
	}
	for _, test := range []struct {
		name  string
		rule  Rule
		steps []step
	}{
		{"a late move", Rule{}, []step{{alias("stable", 2, at(2, 500)), ""}, {alias("stable", 1, at(1, 300)), "an owner of term 1 moved it, after one of term 2"},
			{alias("stable", 2, at(1, 300)), ""}, {alias("candidate", 1, at(1, 300)), ""}, {older(at(1, 400)), "an owner of term 1"}, {older(at(2, 400)), ""}}},
		{"a refused move outranks nobody", Rule{Verifier: verifier}, []step{{alias("stable", 2, at(2, 500)), ""}, {unsigned(alias("stable", 9, at(2, 500))), "not signed"},
			{alias("stable", 2, at(2, 500)), ""}}},
		{"latest may come late", Rule{}, []step{{alias("latest", 2, at(2, 500)), ""}, {alias("latest", 1, at(1, 300)), ""}}},
		{"a deletion forgets", Rule{Verifier: verifier}, []step{{alias("stable", 2, at(2, 500)), ""}, {deleted("adult/stable"), ""}, {alias("stable", 1, at(1, 300)), ""},
			{deleted("adult/v/1/300"), ""}, {deleted("adult/v/x/300"), ""}}},
		{"signatures", Rule{Verifier: verifier}, []step{{document(at(1, 300)), ""}, {unsigned(document(at(1, 300))), "not signed"}, {unsigned(alias("stable", 1, at(1, 300))), "not signed"}}},
		{"damage", Rule{}, []step{{put("adult/v/x/300", "{}"), "models prune"}, {put("adult/v/1125899906842625/300", "{}"), "models prune"}, {put("adult/stable", "["), "models prune"},
			{put("adult/v/300", "{}"), ""}, {put("adult/w/1/2", "{}"), ""}, {put("other/v/x/300", "{}"), ""}}},
		{"terms of readers", Rule{}, []step{{document(at(MostTerm, 3)), ""}, {alias("stable", MostTerm, at(MostTerm, 3)), ""}}},
		{"terms of the first owner", Rule{Own: 1}, []step{{document(at(MostTerm, 3)), "no owner"}, {alias("stable", MostTerm, at(1, 3)), "no owner"}, {document(at(1, 3)), ""}}},
		{"terms of an owner", Rule{Own: 7}, []step{{document(at(MostBelieved, 3)), ""}, {document(at(MostTerm, 3)), "no owner"}, {alias("stable", MostTerm, at(1, 3)), "no owner"},
			{alias("stable", 7, at(MostTerm, 3)), "no owner"}, {alias("stable", 7, at(1, 3)), ""}}},
	} {
		test.rule.Job = "adult"
		for i, step := range test.steps {
			record := kafkatest.Record(int64(i), &step.message)
			_, refused := test.rule.Follow(&record)
			switch {
			case refused == nil && step.want != "":
				t.Errorf("%s, record %d counts", test.name, i)
			case refused != nil && (step.want == "" || !strings.Contains(refused.Err.Error(), step.want)):
				t.Errorf("%s, record %d: %v", test.name, i, refused.Err)
			}
		}
	}
}

package follow

import (
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/signature"
)

// TestUnwatched: a follower tells since when the releases of the owner are stopped, once, and that they work again. The version stays in use, and a
// field that nobody signed tells nothing.
func TestUnwatched(t *testing.T) {
	private, public, err := signature.Generate()
	if err != nil {
		t.Fatal(err)
	}
	signer, err := signature.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	l := newLog()
	events := make(chan Unwatched, 10)
	o := Options{Topic: "people.models", Job: "adult", PublicKeys: []string{public}, Notify: func(e Event) {
		if u, is := e.(Unwatched); is {
			events <- u
		}
	}}
	f, err := open(l, o, func() error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	p := modeltopic.Place{Term: 1, Version: 100}
	since := time.Date(2026, 11, 22, 21, 0, 0, 0, time.UTC)
	say := func(since time.Time, signer *signature.Signer) {
		_, sum := encoded(t, "adult", p, float64(p.Version))
		message := modeltopic.MoveAlias("adult", StableAlias, 1, modeltopic.Target{Place: p, SHA256: sum, UnwatchedSince: since}, signer)
		l.put(message)
	}
	l.put(published(t, p, signer)...)
	say(time.Time{}, signer)
	eventually(t, "stable", f.is(p))
	say(since.Add(time.Hour), nil) // forged
	say(since, signer)
	say(since, signer)
	if u := <-events; u.Alias != StableAlias || !u.Since.Equal(since) || !f.UnwatchedSince().Equal(since) {
		t.Errorf("%+v, follower since %v", u, f.UnwatchedSince())
	}
	say(time.Time{}, signer)
	if u := <-events; !u.Since.IsZero() || !f.UnwatchedSince().IsZero() || !f.is(p)() {
		t.Errorf("%+v, follower since %v, model %+v", u, f.UnwatchedSince(), f.Current())
	}
}

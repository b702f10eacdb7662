package stream

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/owner"
)

func aRequest() Request { return Request{Action: Pause, Reason: "the labels are late", Actor: "maria"} }

// ask asks as a command does.
func ask(ctx context.Context, cluster Cluster, r Request, how Asking) (*Answer, error) {
	_, options := shortRun(1)
	return Ask(ctx, cluster, options, r, how)
}

// requestKeys are the keys of requests and answers that compaction would leave, without their ids.
func requestKeys(world *clustertest.Memory) (keys []string) {
	last := map[string]bool{}
	for _, r := range world.Topics[testTopics.State].Partitions[0].Records {
		if key := string(r.Key); strings.HasPrefix(key, "adult/request/") || strings.HasPrefix(key, "adult/answer/") {
			last[string(r.Key)] = r.Value != nil
		}
	}
	for key, there := range last {
		if there {
			keys = append(keys, strings.Split(key, "/")[1])
		}
	}
	slices.Sort(keys)
	return keys
}

func TestAnOwnerAnswersARequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		var told events
		options.Notify = told.add
		b := inBackground(t, world, options)
		time.Sleep(time.Second)
		began := time.Now()
		answer, err := ask(t.Context(), world, aRequest(), Asking{Wait: time.Minute, Claim: true})
		if err != nil {
			var refused *RequestRefused
			if !errors.As(err, &refused) {
				t.Fatal(err)
			}
		}
		if answer.Term != 1 || answer.Records != 389 {
			t.Errorf("the answer is %+v", answer)
		}
		if took := time.Since(began); took > 3*heartbeat {
			t.Errorf("an idle owner took %v", took)
		}
		requests := of[Requested](&told)
		if len(requests) != 1 || requests[0].Request.Actor != "maria" || requests[0].Request.Reason != "the labels are late" {
			t.Errorf("told of %+v", requests)
		}
		world.Put(testTopics.Input, 0, adultLines()[400:600]...)
		time.Sleep(time.Second) // further snapshots clean up
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		if keys := requestKeys(world); !slices.Equal(keys, []string{"answer"}) {
			t.Errorf("left on the topic: %v", keys)
		}
		if len(of[Requested](&told)) != 1 {
			t.Error("the request was carried out again")
		}
	})
}

func TestARequestToAnOwnerThatLeftIsCarriedOutAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		run(t, world, options)
		before := newest(t, world)
		began := time.Now()
		answer, err := ask(t.Context(), world, aRequest(), Asking{Wait: time.Minute, Claim: true})
		if answer == nil {
			t.Fatal(err)
		}
		if answer.Term != 2 || answer.Records != 389 || time.Since(began) > time.Second {
			t.Errorf("after %v: %+v", time.Since(began), answer)
		}
		run(t, world, options)
		whole(t, world, testTopics)
		if after := newest(t, world); after.WeightsSHA256 != before.WeightsSHA256 || after.Version != before.Version {
			t.Errorf("a request changed the weights: version %d, before %d", after.Version, before.Version)
		}
	})
}

// TestAnOwnerThatIsKilledIsReplaced: it left no word that it has gone.
func TestAnOwnerThatIsKilledIsReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		process := &clustertest.Pausable{Memory: world}
		b := inBackground(t, process, options)
		time.Sleep(time.Second)
		process.Pause()
		var none *Unanswered
		if _, err := ask(t.Context(), world, aRequest(), Asking{Wait: 5 * time.Second, Claim: true}); !errors.As(err, &none) || none.Alive ||
			!strings.Contains(err.Error(), "no process answers for job adult within 5s") {
			t.Errorf("before it counts as silent: %v", err)
		}
		began := time.Now()
		if _, err := ask(t.Context(), world, aRequest(), Asking{Wait: 20 * time.Second}); !errors.As(err, &none) || time.Since(began) != 20*time.Second {
			t.Errorf("without a claim, after %v: %v", time.Since(began), err)
		}
		began = time.Now()
		answer, err := ask(t.Context(), world, aRequest(), Asking{Wait: time.Minute, Claim: true})
		if answer == nil || answer.Term != 2 || time.Since(began) < 10*time.Second || time.Since(began) > 11*time.Second {
			t.Errorf("after %v: %+v, %v", time.Since(began), answer, err)
		}
		process.Resume()
		synctest.Wait() // it reads the claim of the other one
		var superseded *owner.Superseded
		if err := b.end(); !errors.As(err, &superseded) {
			t.Errorf("the old owner ended with %v", err)
		}
		if keys := requestKeys(world); slices.Contains(keys, "request") {
			t.Errorf("left on the topic: %v", keys)
		}
	})
}

// TestALiveOwnerIsNotReplaced: it gives a sign of life although it cannot save.
func TestALiveOwnerIsNotReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		b := inBackground(t, slow{world}, options)
		time.Sleep(time.Second)
		world.Mutex.Lock()
		world.Inject = func(operation string) clustertest.Fault {
			if strings.Contains(operation, "/answer/") {
				return clustertest.Fault{Err: clustertest.ErrRetryable}
			}
			return clustertest.Fault{}
		}
		world.Mutex.Unlock()
		_, err := ask(t.Context(), world, aRequest(), Asking{Wait: 5 * time.Second, Claim: true})
		var none *Unanswered
		if !errors.As(err, &none) || !none.Alive || !strings.Contains(err.Error(), "and it is alive") {
			t.Errorf("the request ended with %v", err)
		}
		world.Mutex.Lock()
		world.Inject = nil
		world.Mutex.Unlock()
		if err := b.end(); err != nil {
			t.Error(err)
		}
	})
}

func TestARequestIsNoSignOfLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		process := &clustertest.Pausable{Memory: world}
		first := inBackground(t, process, standbyOptions())
		time.Sleep(time.Second)
		var told events
		options := standbyOptions()
		options.Notify = told.add
		second := inBackground(t, world, options)
		time.Sleep(time.Second)
		process.Pause()
		// Somebody asks again and again, and the standby takes over after its timeout all the same.
		deadline := time.Now().Add(12 * time.Second)
		for time.Now().Before(deadline) {
			_, _ = ask(t.Context(), world, aRequest(), Asking{Wait: time.Second})
		}
		if taken := of[TakingOver](&told); len(taken) != 1 {
			t.Errorf("the standby took over %d times", len(taken))
		}
		answer, err := ask(t.Context(), world, aRequest(), Asking{Wait: time.Second})
		if answer == nil || answer.Term != 2 {
			t.Errorf("after the takeover: %+v, %v", answer, err)
		}
		process.Resume()
		_ = first.end()
		if err := second.end(); err != nil {
			t.Error(err)
		}
	})
}

func TestARequestIsWithdrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		run(t, world, options)
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, stop)
		if _, err := ask(ctx, world, aRequest(), Asking{Wait: time.Minute}); !errors.Is(err, context.Canceled) {
			t.Errorf("an interrupted request ended with %v", err)
		}
		if keys := requestKeys(world); len(keys) > 0 {
			t.Errorf("left on the topic: %v", keys)
		}
		ended := make(chan error, 1)
		go func() {
			_, err := ask(t.Context(), world, aRequest(), Asking{Wait: time.Minute})
			ended <- err
		}()
		time.Sleep(time.Second)
		if err := ResetState(t.Context(), world, options); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; !errors.Is(err, owner.ErrRequestDeleted) {
			t.Errorf("a request before a reset ended with %v", err)
		}
		if _, err := ask(t.Context(), world, aRequest(), Asking{Wait: time.Minute}); err == nil || !strings.Contains(err.Error(), "holds no state") {
			t.Errorf("without a state: %v", err)
		}
	})
}

// TestARequestThatIsFoundTooLate is that of a command that was killed while nobody owned the job.
func TestARequestThatIsFoundTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := shortRun(1)
		run(t, world, options)
		r := aRequest()
		r.ID, r.At, r.Until = "OLD", time.Now().Add(-time.Hour), time.Now().Add(-time.Minute)
		value, err := json.Marshal(struct {
			Format int `json:"format_version"`
			Request
		}{1, r})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := world.Append(t.Context(), testTopics.State, 0, kafka.Message{Key: []byte("adult/request/OLD"), Value: value}); err != nil {
			t.Fatal(err)
		}
		var told events
		options.Notify = told.add
		b := inBackground(t, world, options)
		time.Sleep(time.Second)
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		if all := of[Requested](&told); len(all) != 1 || !strings.Contains(all[0].Answer.Refused, "came too late: it was valid until") {
			t.Errorf("told of %+v", all)
		}
	})
}

func TestARequestNeedsReleases(t *testing.T) {
	world, options := shortRun(1)
	options.Release.Enabled = new(bool)
	if _, err := Ask(t.Context(), world, options, aRequest(), Asking{Wait: time.Minute, Claim: true}); err == nil || !strings.Contains(err.Error(), "release.enabled") {
		t.Errorf("without releases: %v", err)
	}
	if len(world.Trace) > 0 {
		t.Errorf("operations %v", world.Trace)
	}
}

package owner

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/kafka"
)

// TestATopicThatCannotBeRead: nobody is asked whether a state fits that could not be read, and no other owner is blamed.
func TestATopicThatCannotBeRead(t *testing.T) {
	s := settingsOf(newWorld())
	s.Topic = "absent"
	asked := false
	if _, err := Take(t.Context(), s, func(Standing) error { asked = true; return nil }); err == nil || asked {
		t.Errorf("error %v, asked %t", err, asked)
	}
	j, err := Take(t.Context(), settingsOf(newWorld()), anything)
	if err != nil {
		t.Fatal(err)
	}
	j.Topic = "absent"
	var superseded *Superseded
	if err := j.Refresh(t.Context()); err == nil || errors.As(err, &superseded) {
		t.Errorf("Refresh: %v", err)
	}
}

// TestAnotherStandbyWasFirst: whoever claims a moment later stands by again, without an error, and takes over when the other is silent. One that does not stand by ends.
func TestAnotherStandbyWasFirst(t *testing.T) {
	for _, standby := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			world := newWorld()
			s := settingsOf(world)
			s.Standby = standby
			told := &heard{}
			s.Listener = told
			first := Claim{Job: "job", Owner: "another", Term: 1, Host: "elsewhere"}
			world.Inject = func(operation string) clustertest.Fault {
				if log := world.Topics[testTopic].Partitions[0]; strings.HasPrefix(operation, "append") && len(log.Records) == 0 {
					log.Records = append(log.Records, kafka.Message{Key: first.key(1), Value: first.encode()})
				}
				return clustertest.Fault{}
			}
			began := time.Now()
			j, err := Take(t.Context(), s, anything)
			if !standby {
				if of := (*Superseded)(nil); !errors.As(err, &of) || of.By.Owner != "another" || time.Since(began) != 0 {
					t.Errorf("%v", err)
				}
				return
			}
			if err != nil || j.Owner().Term != 2 || j.Standing().Before.Owner != "another" || time.Since(began) < s.Timeout || told.standing != 1 || told.taking != 1 {
				t.Errorf("%v after %v: %+v", err, time.Since(began), told)
			}
		})
	}
}

// TestStandingByEnds with the error of whoever is asked whether the job can be taken, or with that of Kafka, and nothing is claimed.
func TestStandingByEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		unready := errors.New("it cannot go on from the state")
		for name, c := range map[string]struct {
			ready func(asked int) error
			fault string
			want  error
		}{
			"later":       {func(asked int) error { return map[bool]error{true: unready}[asked > 5] }, "", unready},
			"at once":     {func(int) error { return unready }, "", unready},
			"Kafka fails": {func(int) error { return nil }, "read", clustertest.ErrInjected},
		} {
			world := newWorld()
			if _, err := Take(t.Context(), settingsOf(world), anything); err != nil {
				t.Fatal(err)
			}
			claims := len(world.Topics[testTopic].Partitions[0].Records)
			var fails atomic.Bool
			world.Inject = func(operation string) clustertest.Fault {
				if fails.Load() && strings.HasPrefix(operation, c.fault) {
					return clustertest.Fault{Err: clustertest.ErrFatal}
				}
				return clustertest.Fault{}
			}
			asked := 0
			_, err := Take(t.Context(), onStandby(world), func(Standing) error {
				asked++
				fails.Store(asked >= 3 && c.fault != "")
				return c.ready(asked)
			})
			if !errors.Is(err, c.want) || len(world.Topics[testTopic].Partitions[0].Records) != claims {
				t.Errorf("%s: %v, asked %d times", name, err, asked)
			}
		}
	})
}

// TestQuestionsThatCannotBeAsked: of a topic that cannot be read, and of one on which somebody answers with what is no answer.
func TestQuestionsThatCannotBeAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ask := func(world *clustertest.Memory) (*Answer, error) {
			return Ask(t.Context(), settingsOf(world), Asking{Wait: time.Minute}, func() (Request, error) { return aRequest(), nil }, nil)
		}
		world := saved(t)
		failing(world, 0)
		if answer, err := ask(world); answer != nil || !errors.Is(err, clustertest.ErrInjected) {
			t.Errorf("%+v, %v", answer, err)
		}
		world = saved(t)
		answered := false
		world.Inject = func(string) clustertest.Fault {
			log := world.Topics[testTopic].Partitions[0]
			if last := log.Records[len(log.Records)-1]; !answered && strings.HasPrefix(string(last.Key), "job/"+requestKind+"/") {
				answered = true
				log.Records = append(log.Records, kafka.Message{Key: answerKey("job", strings.TrimPrefix(string(last.Key), "job/"+requestKind+"/")), Value: []byte("no answer")})
			}
			return clustertest.Fault{}
		}
		if answer, err := ask(world); answer != nil || err == nil || !strings.Contains(err.Error(), "state topic: not an answer") || !answered {
			t.Errorf("%+v, %v", answer, err)
		}
	})
}

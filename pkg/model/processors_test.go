package model_test

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
)

// A choice uses a second processor if there is one. What is learnt does not depend on it.
func TestProcessorsChangeNothing(t *testing.T) {
	records := adultRecords(t)[:12_000]
	state := func(processors int) []byte {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		l := learn(t, adultConfig(model.Adaptive), records)
		return l.AppendState(nil)
	}
	if one := state(1); !bytes.Equal(one, state(2)) || !bytes.Equal(one, state(4)) {
		t.Error("the state depends on the number of processors")
	}
}

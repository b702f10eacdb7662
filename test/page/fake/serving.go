package fake

import (
	"fmt"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/board"
)

// serving are the instances that serve versions: a few while learning, none in state first-version, very many in state sixteen.
func (j *Job) serving(s *board.Status) {
	instances := map[string]int{"learning": 3, "many": 50, "first-version": 0, "sixteen": 1000}
	n, told := instances[j.state]
	if !told {
		return
	}
	now := time.Now().UTC()
	s.Serving = &board.Serving{Instances: []board.Instance{}, Known: n}
	for i := range min(n, board.MostInstances) {
		one := board.Instance{Name: fmt.Sprintf("%s-7d9f8b6c5-%05d:8470", j.names.Job, i), Program: "v0.1.0", Started: now.Add(-26 * time.Hour), Heard: now.Add(-4 * time.Second),
			Uses: []board.Use{{Place: board.Place{Term: 3, Version: 32000, WeightsSHA256: strings.Repeat("5d", 32)}, Alias: "stable", Since: now.Add(-time.Hour), Decisions: 48210}}}
		switch i {
		case 0:
			one.Silent, one.Heard, s.Serving.Silent, s.Serving.Ignored = true, now.Add(-12*time.Minute), 1, 2
		case 1:
			one.Uses = append(one.Uses, board.Use{Place: board.Place{Term: 3, Version: 36000, WeightsSHA256: strings.Repeat("a0", 32)}, Alias: "candidate", Since: now.Add(-time.Minute)})
		case 2:
			one.Uses = nil
		}
		s.Serving.Instances = append(s.Serving.Instances, one)
	}
}

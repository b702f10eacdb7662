package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// burst is a stream in which so many women, then so many men come one after the other, again and again.
type burst struct{ women, men int }

// burstsOf reads a list such as 500:1000,4000:8000.
func burstsOf(text string) (bursts []burst, err error) {
	if text == "" {
		return nil, nil
	}
	for _, one := range strings.Split(text, ",") {
		women, men, _ := strings.Cut(one, ":")
		b := burst{}
		if b.women, err = strconv.Atoi(women); err == nil {
			b.men, err = strconv.Atoi(men)
		}
		if err != nil || b.women < 1 || b.men < 1 {
			return nil, fmt.Errorf("-bursts: %q is not two numbers of records, such as 500:1000", one)
		}
		bursts = append(bursts, b)
	}
	return bursts, nil
}

// streams are the bursts, women first, and as many women and men in random order.
func (b burst) streams(records int, config func(float64) model.Config, people population) []stream {
	cycle := b.women + b.men
	in := stream{name: fmt.Sprintf("%d:%d", b.women, b.men), title: fmt.Sprintf("Adult, %d men after %d women", b.men, b.women),
		records: records, config: config, population: people, next: func(random *rand.Rand, i int) *record.Record {
			return people.of(random, i%cycle >= b.women)
		}}
	shuffled := in
	shuffled.name, shuffled.title = "shuffled:"+in.name, fmt.Sprintf("Adult, %d men to %d women in random order", b.men, b.women)
	shuffled.next = func(random *rand.Rand, _ int) *record.Record { return people.of(random, random.IntN(cycle) >= b.women) }
	return []stream{in, shuffled}
}

package deadletter

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/kafka"
)

// Origin is a partition of a topic from which a dead letter came. The topic's ID is zero if the letter does not have it.
type Origin struct {
	Topic     kafka.TopicID
	Partition int32
}

// parseOrigin reads partition/offset or partition/offset/topic ID.
func parseOrigin(text string) (o Origin, offset int64, ok bool) {
	parts := strings.SplitN(text, "/", 3)
	if len(parts) < 2 {
		return Origin{}, 0, false
	}
	number, err := strconv.ParseInt(parts[0], 10, 32)
	if err == nil {
		offset, err = strconv.ParseInt(parts[1], 10, 64)
	}
	if err == nil && len(parts) == 3 {
		err = o.Topic.UnmarshalText([]byte(parts[2]))
	}
	o.Partition = int32(number)
	return o, offset, err == nil && number >= 0 && offset >= 0
}

// account is a set of letters, by where they came from.
type account map[Origin]spans

func (a account) has(o Origin, offset int64) bool { return a[o].has(offset) }

func (a account) add(o Origin, offset int64) { a[o] = a[o].with(offset, offset+1) }

func (a account) addAll(other account) {
	for o, s := range other {
		for _, span := range s {
			a[o] = a[o].with(span[0], span[1])
		}
	}
}

func (a account) count() (n int64) {
	for _, s := range a {
		n += s.count()
	}
	return n
}

// list is the account in JSON's form, in order.
func (a account) list() (all []lettersOf) {
	for o, s := range a {
		all = append(all, lettersOf{o.Topic, o.Partition, s})
	}
	slices.SortFunc(all, func(a, b lettersOf) int {
		return cmp.Or(slices.Compare(a.Topic[:], b.Topic[:]), cmp.Compare(a.Partition, b.Partition))
	})
	return all
}

func accountOf(all []lettersOf) account {
	a := account{}
	for _, of := range all {
		a.addAll(account{Origin{of.Topic, of.Partition}: of.Offsets})
	}
	return a
}

type lettersOf struct {
	Topic     kafka.TopicID `json:"topic_id,omitzero"`
	Partition int32         `json:"partition"`
	Offsets   spans         `json:"offsets"`
}

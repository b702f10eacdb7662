package backfill

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/pkg/backfill"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/stream"
)

// Start is what fairstream run is told of a state that a backfill wrote.
type Start struct {
	// From is the file. Offsets are as PARTITION:OFFSET with commas, Time is in RFC 3339: one of them says where the topic goes on.
	From, Offsets, Time string
}

// Given says whether there is anything of it.
func (s *Start) Given() bool { return s.From != "" || s.Offsets != "" || s.Time != "" }

// Read reads the file, and checks that a job of this configuration can go on from it.
func (s *Start) Read(config model.Config) (*stream.StartFrom, error) {
	switch {
	case s.From == "":
		return nil, errors.New("--start-offsets and --start-time need --start-from: to begin elsewhere in the topic without a state, set stream.start")
	case s.Offsets == "" && s.Time == "":
		return nil, errors.New("--start-from needs --start-offsets or --start-time, which say where the topic continues after the files: otherwise records would be learnt twice, or never")
	}
	data, err := os.ReadFile(s.From)
	if err != nil {
		return nil, fmt.Errorf("--start-from: %w", err)
	}
	state, err := backfill.Open(data)
	if err == nil {
		_, err = model.Restore(config, state.Learner)
	}
	if err != nil {
		return nil, fmt.Errorf("--start-from %s: %w", s.From, helped(err))
	}
	sum := sha256.Sum256(data)
	from := &stream.StartFrom{Learner: state.Learner, SHA256: hex.EncodeToString(sum[:])}
	if s.Time != "" {
		switch at, err := time.Parse(time.RFC3339, s.Time); {
		case err != nil:
			return nil, fmt.Errorf("--start-time %s: give a time such as 2026-11-21T08:30:00Z", s.Time)
		case at.After(time.Now()):
			return nil, fmt.Errorf("--start-time %s is in the future: give the time at which the files end, so that no record is left out", s.Time)
		}
		return from, nil
	}
	from.Offsets, err = offsets(s.Offsets)
	return from, err
}

// helped replaces advice for a state on a topic by that for a file.
func helped(err error) error {
	const help = "make the state again with `fairstream backfill`"
	var other *envelope.OtherVersion
	if errors.As(err, &other) {
		return fmt.Errorf("%s has format version %d, and this program reads version %d: %s, or use the program that wrote it", other.What, other.Version, other.Ours, help)
	}
	var changed *model.ConfigChanged
	if errors.As(err, &changed) {
		return fmt.Errorf("the state was learnt with another %s: change back what differs, or %s", strings.Join(changed.Keys, ", "), help)
	}
	return err
}

// offsets reads a list such as 0:1200,1:980.
func offsets(text string) (map[int32]int64, error) {
	list := map[int32]int64{}
	for one := range strings.SplitSeq(text, ",") {
		partition, offset, _ := strings.Cut(strings.TrimSpace(one), ":")
		p, bad := strconv.ParseInt(partition, 10, 32)
		o, badOffset := strconv.ParseInt(offset, 10, 64)
		if err := errors.Join(bad, badOffset); err != nil || p < 0 || o < 0 {
			return nil, fmt.Errorf("--start-offsets %s: give PARTITION:OFFSET for each partition, such as 0:1200,1:980", text)
		}
		if _, twice := list[int32(p)]; twice {
			return nil, fmt.Errorf("--start-offsets %s: partition %d comes twice", text, p)
		}
		list[int32(p)] = o
	}
	return list, nil
}

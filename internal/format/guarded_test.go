package format

import (
	"errors"
	"strings"
	"testing"
)

// TestGuarded: a panic is an error, a long error is short, and everything else stays.
func TestGuarded(t *testing.T) {
	t.Parallel()
	if made, err := Guarded(func() (int, error) { return 7, nil }); made != 7 || err != nil {
		t.Error(made, err)
	}
	if _, err := Guarded(func() (int, error) { return 0, ErrDeep }); !errors.Is(err, ErrDeep) {
		t.Error(err)
	}
	made, err := Guarded(func() (made int, err error) {
		list := []int{7}
		made = list[0]
		return list[made], nil
	})
	if made != 0 || err == nil || !strings.Contains(err.Error(), "its parser failed: runtime error") {
		t.Error(made, err)
	}
	_, err = Guarded(func() (int, error) { return 0, errors.New(strings.Repeat("invalid array: ", 1000) + "at last") })
	if err == nil || len(err.Error()) > longestProblem+10 || !strings.HasSuffix(err.Error(), "at last") {
		t.Error(err)
	}
	text := strings.Repeat("a", 250) + strings.Repeat("b", 600) + strings.Repeat("c", 250)
	if _, err := Guarded(func() (int, error) { return 0, errors.New(text) }); err == nil || err.Error() != text[:250]+" … "+text[850:] {
		t.Error(err)
	}
	for _, more := range []int{0, 1} {
		long := errors.New(strings.Repeat("x", longestProblem+more))
		if _, err := Guarded(func() (int, error) { return 0, long }); errors.Is(err, long) != (more == 0) {
			t.Errorf("of %d bytes: %v", longestProblem+more, err)
		}
	}
}

package stream

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/pkg/release"
)

// TestAnInquiryBeginsWithoutAStep: the stable version leaves its limit before an alarm is raised. The machine then wants the earlier version as well,
// and no step tells of it: neither the records behind it nor a state that was saved in this very moment end the job.
func TestAnInquiryBeginsWithoutAStep(t *testing.T) {
	for name, restart := range map[string]bool{"learning goes on": false, "restarted at the moment": true} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && !restart {
				t.Skip("learns from many records, as others do: left out by -short")
			}
			synctest.Test(t, func(t *testing.T) {
				world, options := newWorld(1), driftingOptions()
				options.Release.AlarmRunLength = 1e12
				lines := drifting(2000, 1500, 1500)
				inStages(t, world, options, lines[:3500])
				before := machineOf(t, world, options)
				b, next := inBackground(t, world, options), 3500
				for ; !before.Report().Guard.Inquiry && next < len(lines); next++ {
					world.Put(testTopics.Input, 0, lines[next])
					time.Sleep(2 * measureEvery)
					if b.Status().Releases.Guard.Inquiry {
						break
					}
				}
				next++
				if restart {
					if err := b.end(); err != nil {
						t.Fatal(err)
					}
					saved := machineOf(t, world, options)
					if r := saved.Report(); !r.Guard.Inquiry || len(saved.Wanted()) != len(before.Wanted())+1 {
						t.Fatalf("saved with %+v; wanted %v", r.Guard, saved.Wanted())
					}
					for _, step := range agrees(t, world, options)[before.Report().Steps:] {
						if step.Step != string(release.Violated) { // a verdict, which begins no inquiry
							t.Errorf("step %+v", step)
						}
					}
					b = inBackground(t, world, options)
				}
				for chunk := range slices.Chunk(lines[next:], 50) {
					world.Put(testTopics.Input, 0, chunk...)
					time.Sleep(time.Second)
				}
				if err := b.end(); err != nil {
					t.Fatal(err)
				}
				if n := kinds(agrees(t, world, options)); n["withdrawn"] != 1 || b.Status().Version != int64(len(lines)) {
					t.Errorf("%d records learnt, steps %v", b.Status().Version, n)
				}
			})
		})
	}
}

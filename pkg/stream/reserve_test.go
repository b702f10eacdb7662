package stream

import (
	"reflect"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestReservedRecords interrupts a job that reserves records (evaluation.share): its documents are those of a learner that
// learns the same lines at once.
func TestReservedRecords(t *testing.T) {
	options := testOptions()
	options.Model.Evaluation.Share = .2
	lines, world := adultLines()[:6000], newWorld(1)
	world.Put(testTopics.Input, 0, lines[:3500]...)
	run(t, world, options)
	world.Put(testTopics.Input, 0, lines[3500:]...)
	s := run(t, world, options)

	learner, err := model.New(options.Model)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := learner.Config().Schema()
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	for _, line := range lines {
		var r record.Record
		if err := decoder.DecodeJSON(&r, []byte(line)); err != nil {
			t.Fatal(err)
		}
		learner.Learn(&r)
	}
	want, err := learner.Document()
	if err != nil {
		t.Fatal(err)
	}
	got := newest(t, world)
	if got.WeightsSHA256 != want.WeightsSHA256 || got.Version != 6000 || got.Records != want.Records || got.Records > 5000 {
		t.Errorf("%s at version %d of %d records, without a stream %s of %d", got.WeightsSHA256, got.Version, got.Records, want.WeightsSHA256, want.Records)
	}
	if got.Measurements.Evaluation == nil || !reflect.DeepEqual(got.Measurements.Evaluation, want.Measurements.Evaluation) {
		t.Errorf("evaluation %+v, without a stream %+v", got.Measurements.Evaluation, want.Measurements.Evaluation)
	}
	if s.Status().Version != 6000 {
		t.Errorf("version %d of 6,000 records", s.Status().Version)
	}
	run(t, world, options)
	if again := newest(t, world); again.Lineage.Term != got.Lineage.Term {
		t.Error("without further records a document is published again")
	}
}

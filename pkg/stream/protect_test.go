package stream

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// TestADocumentOfAnAliasSurvivesALateDeletion: a publication of an earlier owner lands late and deletes a document that
// an alias came to point to. The owner writes it again, or the next one does.
func TestADocumentOfAnAliasSurvivesALateDeletion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, adultLines()[:300]...)
		options := testOptions()
		options.Release.Enabled = new(bool)
		run(t, world, options)
		models := func() *Models {
			t.Helper()
			found, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
			if err != nil {
				t.Fatal(err)
			}
			return found
		}
		first := *models().Newest()
		put := func(key string, value []byte) {
			t.Helper()
			if _, err := world.Append(t.Context(), testTopics.Model, 0, kafka.Message{Key: []byte(key), Value: value}); err != nil {
				t.Fatal(err)
			}
		}
		put("adult/stable", []byte(`{"term":1,"version":300,"weights_sha256":"`+first.WeightsSHA256+`","key":"adult/v/1/300"}`))
		late := func() { put("adult/v/1/300", nil) }
		there := func(when string) {
			t.Helper()
			for _, m := range models().Versions {
				if m.Place() == first.Place() && bytes.Equal(m.Data, first.Data) && m.WeightsSHA256 == first.WeightsSHA256 {
					return
				}
			}
			t.Fatalf("%s the document is not there as it was", when)
		}

		late()
		var told events
		options.Notify = told.add
		b := inBackground(t, world, options)
		time.Sleep(time.Second)
		there("after the start")
		late()
		time.Sleep(repairEvery + time.Second)
		there("while it runs")

		// The cleaner has removed it, and nobody holds a copy.
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		late()
		log := world.Topics[testTopics.Model].Partitions[0]
		for i := range log.Records {
			if string(log.Records[i].Key) == "adult/v/1/300" && log.Records[i].Value != nil {
				log.Records[i] = kafka.Message{Key: []byte("removed")}
			}
		}
		b = inBackground(t, world, options)
		time.Sleep(3 * repairEvery)
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		if restored, missing := of[DocumentRestored](&told), of[AliasWithoutDocument](&told); len(restored) != 2 || len(missing) != 1 ||
			missing[0] != (AliasWithoutDocument{"stable", 300, 1}) {
			t.Errorf("restored %+v, missing %+v", restored, missing)
		}
	})
}

// TestPruneDeletesWhatCannotBeRead: and nothing else.
func TestPruneDeletesWhatCannotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		for _, key := range []string{"adult/v/300", "adult/v/x/300", "adult/latest", "adult/w/1/2", "other/v/300"} {
			if _, err := world.Append(t.Context(), testTopics.Model, 0, kafka.Message{Key: []byte(key), Value: []byte("no JSON")}); err != nil {
				t.Fatal(err)
			}
		}
		for _, dry := range []bool{true, false} {
			keys, err := PruneModels(t.Context(), world, testTopics.Model, "adult", dry)
			if err != nil || len(keys) != 3 || keys[0] != "adult/latest" || keys[1] != "adult/v/300" || keys[2] != "adult/v/x/300" {
				t.Errorf("dry %v: %q, %v", dry, keys, err)
			}
		}
		if keys, err := PruneModels(t.Context(), world, testTopics.Model, "adult", false); err != nil || len(keys) != 0 {
			t.Errorf("again: %q, %v", keys, err)
		}
		if keys, err := PruneModels(t.Context(), world, testTopics.Model, "other", true); err != nil || len(keys) != 1 {
			t.Errorf("the other job: %q, %v", keys, err)
		}
		if _, err := ReadModels(t.Context(), world, testTopics.Model, "adult"); err != nil {
			t.Error(err)
		}
	})
}

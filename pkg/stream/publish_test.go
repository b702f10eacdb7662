package stream

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// TestEvidenceIsNeverReplaced: a job goes on under another tau and publishes the version that it began from
// again. Both documents stay, each with its own tau.
func TestEvidenceIsNeverReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, adultLines()[:300]...)
		options := testOptions()
		run(t, world, options)
		options.Model.Constraints = slices.Clone(options.Model.Constraints)
		options.Model.Constraints[0].Tau = .15
		run(t, world, options)
		models, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
		if err != nil || len(models.Versions) != 2 {
			t.Fatalf("%d documents, %v", len(models.Versions), err)
		}
		for i, tau := range []float64{.05, .15} {
			m := &models.Versions[i]
			document, err := m.Document()
			if err != nil || m.Version != 300 || m.Term != int64(i)+1 || document.Constraints[0].Tau != tau || document.Lineage.Term != m.Term {
				t.Errorf("document %d: version %d of term %d with %+v, %v", i, m.Version, m.Term, document.Constraints, err)
			}
		}
	})
}

// TestNothingIsPublishedTwice: a job that goes on without new records publishes nothing, whatever the keys that change no
// statement; under another tau it does, once.
func TestNothingIsPublishedTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, adultLines()[:300]...)
		options := testOptions()
		documents := func() int {
			t.Helper()
			run(t, world, options)
			models, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
			if err != nil {
				t.Fatal(err)
			}
			return len(models.Versions)
		}
		for i := range 3 {
			options.KeepVersions = 10 + i
			if got := documents(); got != 1 {
				t.Fatalf("run %d: %d documents", i, got)
			}
		}
		options.Model.Constraints = slices.Clone(options.Model.Constraints)
		options.Model.Constraints[0].Tau = .15
		for i := range 2 {
			if got := documents(); got != 2 {
				t.Fatalf("run %d under another tau: %d documents", i, got)
			}
		}
		world.Put(testTopics.Input, 0, adultLines()[300:400]...)
		if got := documents(); got != 3 {
			t.Errorf("after new records: %d documents", got)
		}
	})
}

// TestWhatIsReferredToStays: an alias that another process writes keeps a document from deletion.
func TestWhatIsReferredToStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		options := testOptions()
		options.KeepVersions = 2
		options.Release.Enabled = new(bool)
		options.Publish = Cadence{Interval: time.Second}
		var told events
		options.Notify = told.add
		b := inBackground(t, world, options)
		for i := range 6 {
			world.Put(testTopics.Input, 0, adultLines()[i*200:(i+1)*200]...)
			time.Sleep(2 * time.Second)
			if i == 0 {
				alias := fmt.Sprintf(`{"term":1,"version":200,"weights_sha256":%q,"key":"adult/v/1/200"}`, newest(t, world).WeightsSHA256)
				if _, err := world.Append(t.Context(), testTopics.Model, 0, kafka.Message{Key: []byte("adult/stable"), Value: []byte(alias)}); err != nil {
					t.Fatal(err)
				}
			}
		}
		time.Sleep(2 * repairEvery)
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
		if repaired := of[AliasRepaired](&told); len(repaired) > 0 {
			t.Errorf("nobody moved the alias, and it was repaired: %+v", repaired)
		}
		models, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
		if err != nil {
			t.Fatal(err)
		}
		var kept []string
		for i := range models.Versions {
			kept = append(kept, fmt.Sprint(models.Versions[i].Version, models.AliasesOf(&models.Versions[i])))
		}
		if len(kept) != 3 || kept[0] != "200 [stable]" || kept[2] != "1200 [latest]" {
			t.Errorf("kept %v", kept)
		}
	})
}

// TestReadersNeverGoBack: the document and the alias of an owner who lost the job arrive late.
func TestReadersNeverGoBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, adultLines()[:300]...)
		run(t, world, testOptions())
		first := slices.Clone(world.Topics[testTopics.Model].Partitions[0].Records)
		options := testOptions()
		options.Model.Constraints = slices.Clone(options.Model.Constraints)
		options.Model.Constraints[0].Tau = .15
		run(t, world, options)
		if _, err := world.Append(t.Context(), testTopics.Model, 0, first...); err != nil {
			t.Fatal(err)
		}
		models, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
		if err != nil || models.Newest().Term != 2 || models.Aliases[LatestAlias].Term != 1 {
			t.Errorf("newest %+v, aliases %+v, %v", models.Newest().Place(), models.Aliases, err)
		}
	})
}

func TestOldAndForeignKeysOfTheModelTopic(t *testing.T) {
	for _, test := range []struct{ key, value, want string }{
		{"adult/v/300", `{}`, "older format"},
		{"adult/v/x/300", `{}`, ""},
		{"adult/v/9223372036854775807/300", `{}`, ""}, // which would leave no term to the next owner
		{"adult/latest", `no JSON`, ""},
		{"adult/stable", `{"term":-1,"version":-1,"weights_sha256":"00","key":"adult/v/-1/-1"}`, ""},
		{"adult/w/1/2/3", `{}`, ""},
		{"adults/v/300", `{}`, ""},
	} {
		world := newWorld(1)
		if _, err := world.Append(t.Context(), testTopics.Model, 0, kafka.Message{Key: []byte(test.key), Value: []byte(test.value)}); err != nil {
			t.Fatal(err)
		}
		models, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
		if test.want == "" && (err != nil || models.Newest() != nil) || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %+v, %v", test.key, models, err)
		}
	}
}

// TestLateAliasIsRepaired: a publication of an earlier owner lands late. Readers stay with the newest document, and the
// owner writes the alias again while it runs, or when the next one starts.
func TestLateAliasIsRepaired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, adultLines()[:300]...)
		options := testOptions()
		options.Release.Enabled = new(bool)
		run(t, world, options)
		options.UntilEnd = false
		late := func() {
			value := `{"term":1,"version":100,"weights_sha256":"ab","key":"adult/v/1/100"}`
			_, err := world.Append(t.Context(), testTopics.Model, 0, kafka.Message{Key: []byte("adult/v/1/100"), Value: []byte("{}")},
				kafka.Message{Key: []byte("adult/latest"), Value: []byte(value)}, kafka.Message{Key: []byte("adult/v/0/1")})
			if err != nil {
				t.Fatal(err)
			}
		}
		check := func(when string) {
			t.Helper()
			models, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
			if err != nil {
				t.Fatal(err)
			}
			alias := models.Aliases[LatestAlias]
			if newest := models.Newest(); newest.Version != 300 || alias.Term != newest.Term || alias.Version != 300 || alias.WeightsSHA256 != newest.WeightsSHA256 {
				t.Errorf("%s: the newest is %d of term %d, the alias %+v", when, newest.Version, newest.Term, alias)
			}
		}
		late()
		models, err := ReadModels(t.Context(), world, testTopics.Model, "adult")
		if err != nil || len(models.AliasesOf(&models.Versions[0])) != 0 || !slices.Equal(models.AliasesOf(models.Newest()), []string{LatestAlias}) {
			t.Errorf("of the late one %q, of the newest %q, %v", models.AliasesOf(&models.Versions[0]), models.AliasesOf(models.Newest()), err)
		}
		var repaired int
		options.Notify = func(event Event) {
			if _, is := event.(AliasRepaired); is {
				repaired++
			}
		}
		b := inBackground(t, world, options)
		time.Sleep(time.Second)
		check("at the start")
		late()
		time.Sleep(repairEvery + time.Second)
		check("while it runs")
		if err := b.end(); err != nil || repaired != 2 {
			t.Errorf("repaired %d times, %v", repaired, err)
		}
	})
}

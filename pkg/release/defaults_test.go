package release

import "testing"

// TestDefaultsOfReleases are those that its keys document; what is set stays.
func TestDefaultsOfReleases(t *testing.T) {
	want := Config{Delta: .005, Confidence: .95, MinimumRecords: 100, MinimumLabels: 1000, MostUnknown: .5, MostBytes: 16_777_216, Deadline: 100_000, Patience: 1_000_000, CoolDown: 5000,
		RunLength: 1_000_000, AlarmRunLength: 50_000, Anchors: 5, SmallGroups: Block, Share: 1, Rate: 100_000}
	if got := Default(); got != want || !got.On() || len(got.Validate()) > 0 {
		t.Errorf("%+v, want %+v; %v", got, want, got.Validate())
	}
	yes, no := true, false
	set := Config{Enabled: &yes, Limit: .1, Delta: .01, Confidence: .9, MinimumRecords: 1, MinimumLabels: 200, MostUnknown: .25, MostBytes: 5, Deadline: 2000, Patience: 3000, CoolDown: 2,
		RunLength: 10_000, AlarmRunLength: 20_000, Anchors: 2, SmallGroups: Waive, Measured: true, Share: .5, Rate: 7}
	if got := set.WithDefaults(); got != set || !got.On() {
		t.Errorf("%+v, want %+v", got, set)
	}
	if set.Enabled = &no; set.On() {
		t.Error("releases that are switched off are on")
	}
	if got := (Config{Deadline: 5000}).WithDefaults(); got.Patience != 50_000 {
		t.Errorf("the patience is %d for a deadline of 5,000", got.Patience)
	}
}

package board

import (
	"maps"
	"slices"
)

// conditionWords say each condition in a sentence for somebody who answers for the decisions and does not run the job: what is the case, and what
// follows from it. Detail has keys and commands, for those who do.
var conditionWords = map[string]string{
	"one_label":                "All outcomes so far are the same. There is nothing to learn yet, so no version is published.",
	"nothing_estimable":        "No bound can be measured yet, so no version is published.",
	"no_labels":                "Many records have come, and no outcome. Nothing can be learnt before outcomes come, so no version is published.",
	"labels_selective":         "Outcomes are known for some kinds of records more often than for others. Records with an outcome are weighed to stand for all of them, and no comparison that needs outcomes is called within its bound.",
	"labels_never":             "For one group, or one kind of decision, no outcome ever becomes known. Comparisons that need it cannot be made.",
	"labels_open":              "Many outcomes are still to come, so nobody can say yet which of them never will.",
	"unreachable":              "On recent records, no useful version keeps this bound.",
	"too_few_records":          "One of the groups has too few records to be measured.",
	"imprecise":                "There are too few records to show whether the difference is within the bound or beyond it.",
	"tau_below_sampling_error": "There are too few records for this bound: chance alone could push new decisions beyond it. Use a larger bound, or wait for more records.",
	"groups_ignored":           "There are more groups than can be compared. Those that appeared last are left out.",
	"unsteady":                 "The records have changed more than once lately, or are changing. What holds for recent records may not hold for the next ones, so find out what changed in their source.",
	"one_side_away":            "One of the groups has not appeared for a while, so its present rate is not known.",
	"fields_moved":             "The newest records are unlike those before, so the next ones may be unlike both. They may come sorted, or something has changed in their source.",
	"one_value":                "All records so far have the same value in some column, so records with another one are unknown. The records may come sorted.",
	"price_jumped":             "Keeping the bounds suddenly costs more accuracy than before, or less. Find out what changed in the records.",
	"group_below_smoothing":    "One of the groups is less than 1 % of the records, so its difference is corrected slowly.",
	"missing_with_bias":        "Records in which the group is not given differ from the others, so the verdict may not hold for them.",
	"mostly_missing":           "In more than half of the recent records the group is not given. The verdict is about the others only.",
	"one_label_recently":       "All recent outcomes are the same, which can hardly be chance. Check where the outcomes come from.",
	"columns_ignored":          "The records have more columns than are used. The last ones are left out.",
	"columns_left_out":         "Some columns are not used, because they have a new value in nearly every record.",
	"vocabulary_full":          "The columns have more different values than can be told apart. The rare ones are treated alike.",
	"few_records_per_weight":   "There are few records for so many columns, which costs accuracy.",
	"constant_decision":        "Nearly everybody gets the same decision, so equal treatment says little.",
	"no_better_than_constant":  "The decisions are hardly better than giving everybody the same one. Check the columns and the outcome before you use them.",
	"no_stable_version":        "No version has passed all tests yet. Until one has, the newest version is in use.",
	"candidates_rejected":      "Several new versions in a row did not pass their tests.",
	"stable_gone":              "The weights of the version in use are no longer stored.",
	"stable_marked":            "The version in use is outside its limit. It stays, because no earlier version is better.",
	"releases_paused":          "A person has paused the exchange of versions, so no new version comes into use.",
	"stable_pinned":            "A person has ordered that the version in use stays, whatever its tests say.",
	"stable_not_moved":         "The version in use is an older one, which this job neither tests nor replaces at present.",
	"saving_stuck":             "Progress has not been saved for a while. It would have to be repeated if the job stopped now.",
	"state_garbage":            "Some saved records of the job cannot be read. They have no effect.",
	"schema_unfit":             "Records from some sources are set aside, because they lack what the job needs.",
	"schema_awaited":           "Records are waiting, because the description of their format cannot be read yet.",
	"topic_settings":           "Something that the job stores was deleted, or is stored in a way that can lose it.",
	"repeated_records":         "Many recent decisions look like copies of each other, so the verdict may be too sure.",
	"persons_unknown":          "Many records do not say whom they are about, so the verdict may be too sure.",
	"history_damaged":          "Entries of the job's history are missing, were changed, or were written by somebody else.",
	"models_ignored":           "There are more models than can be watched. Those that appeared last are left out.",
	"monitor_stopped":          "Because of a defect in fairstream, decisions are no longer watched: no verdict changes, and no alarm is raised.",
	"releases_stopped":         "Because of a defect in fairstream, versions are no longer tested, and none is withdrawn.",
	"events_stopped":           "Because of a defect in fairstream, other programs no longer hear of what happens here.",
	"page_stopped":             "Because of a defect in fairstream, this page no longer follows the job.",
}

// ConditionCodes are all codes, sorted.
func ConditionCodes() []string { return slices.Sorted(maps.Keys(conditionWords)) }

// ConditionWords is a condition in a sentence for somebody who does not run the job; empty if the code is unknown.
func ConditionWords(code string) string { return conditionWords[code] }

// complete fills in the sentence.
func (c *Condition) complete() {
	if c.Text = conditionWords[c.Code]; c.Text == "" {
		c.Text = "Something about the job needs attention. Ask those who run it."
	}
}

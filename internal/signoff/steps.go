package signoff

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/release"
)

// stepSentences are the steps in words, for people who do not know the aliases, with the version and the one that is in use then. They are read later,
// so they tell of the past.
var stepSentences = map[release.StepKind]string{
	release.Frozen:        "The test of version {version} began",
	release.Promoted:      "Version {version} came into use",
	release.Rejected:      "Version {version} did not pass its tests",
	release.Superseded:    "Version {version} was never tested: a newer version took its place",
	release.Alarm:         "Alarm about version {version}, the one in use at that time",
	release.AlarmEnded:    "The alarm about version {version} ended",
	release.Violated:      "Version {version} was found beyond a limit, counting all its decisions: {why}",
	release.ViolatedEnded: "Version {version} was no longer found beyond a limit, counting all its decisions: {why}",
	release.Withdrawn:     "Version {version} was withdrawn, and version {stable} came into use again",
	release.Marked:        "Version {version} was found beyond its tolerance, and stayed in use because no earlier version was better",
	release.Cleared:       "Version {version} was within its tolerance again",
	release.RolledBack:    "A person withdrew version {version}, and version {stable} came into use again",
	release.Paused:        "A person paused new versions",
	release.Resumed:       "A person ended the pause, so that new versions could come into use",
	release.Pinned:        "A person ordered version {version} to stay in use",
	release.Unpinned:      "A person allowed version {stable} to be replaced again",
	release.Gone:          "The weights of version {version} were no longer stored",
	release.Restarted:     "The tests began again, because the settings had changed",
}

// StepWords is a step of the releases in a sentence.
func StepWords(r *history.Released) string {
	sentence, known := stepSentences[release.StepKind(r.Step)]
	if !known {
		return cmp.Or(r.Step, "An unknown step")
	}
	return strings.NewReplacer("{version}", called(r.Version), "{stable}", called(r.To), "{why}", WhyWords(r.Reason)).Replace(sentence)
}

// StepWhy is the reason of a step, unless its sentence has it.
func StepWhy(r *history.Released) string {
	if strings.Contains(stepSentences[release.StepKind(r.Step)], "{why}") {
		return ""
	}
	return WhyWords(r.Reason)
}

// called is a version for people, as the page calls it: between two resets no two versions have one number, whatever the term.
func called(w *history.Weights) string {
	if w == nil {
		return "–"
	}
	return board.Grouped(w.Version)
}

// WhyWords is the reason of a step with its versions as people call them: a reason is written once, and also for those who give commands.
func WhyWords(reason string) string {
	reason = strings.Replace(reason, "it passed every test", "it passed every test that decides", 1)
	reason = strings.Replace(reason, "the stable version has changed: the evidence begins again", "the version in use changed, so counting starts again", 1)
	return versions.ReplaceAllStringFunc(reason, func(found string) string {
		_, version, _ := strings.Cut(found, "/")
		return "version " + grouped(version)
	})
}

var versions = regexp.MustCompile(`\bversion \d+/\d+`)

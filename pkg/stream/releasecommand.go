package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/release"
)

// errReleasesStopped answers requests to releases that are cut off.
func (l *learning) errReleasesStopped() error {
	return fmt.Errorf("the releases are stopped since %s because of a defect, so nothing was done: start `fairstream run` again, and send the request again; "+
		"condition releases_stopped and the log of the process say more", since(l.releasing.Stopped().At))
}

// command carries out what a person asks for (attend.go). A version that the machine does not keep is read from the
// model topic first, while the learner waits: that is no work of the part, since Kafka may be away for long.
func (l *learning) command(ctx context.Context, asked *Request, a *Answer) error {
	at := modeltopic.Place{Term: asked.Term, Version: asked.Version}
	missing, ok := isolate.Ask(l.releasing, func() bool { return asked.Version > 0 && l.releases.documents[l.releases.meant(asked)] == nil })
	if !ok {
		return l.errReleasesStopped()
	}
	var found *document.Document
	if missing {
		var err error
		if found, err = l.releases.find(ctx, at); err != nil {
			return fmt.Errorf("version %v could not be read: %w", l.releases.meant(asked), err)
		}
	}
	type outcome struct {
		before, after map[string]Alias
		err           error
	}
	done, ok := isolate.Ask(l.releasing, func() (o outcome) {
		l.probe.At(PartReleases, "command")
		o.before = l.releases.aliases()
		o.err = l.releases.command(asked, found)
		o.after = l.releases.aliases()
		l.releaseNews.Store(l.releases.pending())
		return o
	})
	if !ok {
		return l.errReleasesStopped()
	}
	a.Before, a.After = done.before, done.after
	return done.err
}

// meant is the version that a request names.
func (r *releases) meant(asked *Request) release.Version {
	return release.Version{Term: asked.Term, Version: asked.Version, SHA256: asked.WeightsSHA256}
}

// command carries out a request. found is the document that it names if the releases do not have it; nil if it is not there.
func (r *releases) command(asked *Request, found *document.Document) error {
	version := r.meant(asked)
	handled, answer := r.machine.Handled(asked.ID)
	if handled {
		return answer
	}
	now := r.machine.Aliases()
	meant := map[string]release.Version{Promote: now.Candidate, Rollback: now.Previous}[asked.Action]
	nothingStable := asked.Action == Rollback && now.Stable.IsZero() // which the machine says better
	if asked.Default && placeOf(meant) != placeOf(version) && !nothingStable {
		return fmt.Errorf("the alias %s pointed to version %v when this was asked, and does so no more: another request or step was first. "+
			"Look at `fairstream models list`, then ask again", defaultAliases[asked.Action], version)
	}
	if !version.IsZero() && r.documents[version] == nil {
		switch {
		case found == nil:
			return fmt.Errorf("version %v is not on the model topic, or cannot be read", version)
		case version.SHA256 != "" && version.SHA256 != found.WeightsSHA256:
			return errors.New("the weights of this version have changed on the model topic: send the request again")
		}
		version.SHA256 = found.WeightsSHA256
		r.documents[version] = found
	}
	err := r.machine.Command(release.Command{ID: asked.ID, Action: release.Action(asked.Action), Version: version,
		Actor: cmp.Or(asked.Actor, "somebody on host "+cmp.Or(asked.Host, "unknown")), Reason: asked.Reason})
	if err != nil && r.unmoved != nil && r.machine.Aliases().Stable.IsZero() {
		err = fmt.Errorf("%w; the alias stable points to version %d/%d from before the state began again: `fairstream models promote --version` makes that or "+
			"another version stable", err, r.unmoved.Term, r.unmoved.Version)
	}
	return err
}

// find reads a document from the model topic; nil if it is not there or cannot be used.
func (r *releases) find(ctx context.Context, at modeltopic.Place) (*document.Document, error) {
	models := r.models.Open()
	if err := models.Look(ctx); err != nil {
		return nil, err
	}
	return usable(models.Document(ctx, at))
}

// aliases are those that the releases move, by name.
func (r *releases) aliases() map[string]Alias {
	now := r.machine.Aliases()
	all := map[string]Alias{}
	for name, version := range map[string]release.Version{StableAlias: now.Stable, CandidateAlias: now.Candidate, PreviousAlias: now.Previous} {
		if !version.IsZero() {
			all[name] = aliasOf(r.models.Job, version)
		}
	}
	return all
}

func aliasOf(job string, v release.Version) Alias {
	return Alias{Term: v.Term, Version: v.Version, WeightsSHA256: v.SHA256, Key: modeltopic.DocumentKey(job, placeOf(v))}
}

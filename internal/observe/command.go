package observe

import (
	"context"
	"errors"
	"fmt"

	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/release"
)

// ErrNoReleases answers commands to a job without releases.
var ErrNoReleases = errors.New("the job has no releases, because release.enabled is false: set it to true, and start `fairstream run` again")

// DefaultAliases are, by action, which version is meant if none is named.
var DefaultAliases = map[release.Action]string{release.Promote: modeltopic.Candidate, release.Rollback: modeltopic.Previous}

// Command is what a person orders. Its version without a SHA256 is the one with that place.
type Command struct {
	release.Command
	// Default says that the person named no version: the alias of DefaultAliases pointed to this one.
	Default bool
}

// Outcome are the aliases of the releases before and after a command, by name.
type Outcome struct{ Before, After map[string]modeltopic.Alias }

// command carries out a command. found reads the document that it names if the releases have no reader of it; nil if it is not there.
func (r *releases) command(c Command, found *member) error {
	version := c.Version
	handled, answer := r.machine.Handled(c.ID)
	if handled {
		return answer
	}
	now := r.machine.Aliases()
	meant := map[release.Action]release.Version{release.Promote: now.Candidate, release.Rollback: now.Previous}[c.Action]
	nothingStable := c.Action == release.Rollback && now.Stable.IsZero() // which the machine says better
	if c.Default && placeOf(meant) != placeOf(version) && !nothingStable {
		return fmt.Errorf("the alias %s pointed to version %v when this was requested, and no longer does: another request or step came first. "+
			"Look at `fairstream models list`, then ask again", DefaultAliases[c.Action], version)
	}
	if _, read := r.readers[version]; !version.IsZero() && !read {
		switch {
		case found == nil:
			return fmt.Errorf("version %v is not on the model topic, or cannot be read", version)
		case version.SHA256 != "" && version.SHA256 != found.version.SHA256:
			return errors.New("the weights of this version have changed on the model topic: send the request again")
		}
		version = found.version
		r.readers[version] = *found
	}
	c.Version = version
	err := r.machine.Command(c.Command)
	if err != nil && r.unmoved != nil && r.machine.Aliases().Stable.IsZero() {
		err = fmt.Errorf("%w; the alias stable points to version %d/%d from before the state began again: `fairstream models promote --version` makes that or "+
			"another version stable", err, r.unmoved.Term, r.unmoved.Version)
	}
	return err
}

// find reads the document of a version from the model topic; nil if it is not there or cannot be used.
func (r *releases) find(ctx context.Context, version release.Version) (*member, error) {
	models := r.models.Open()
	if err := models.Look(ctx); err != nil {
		return nil, err
	}
	d, err := models.Document(ctx, placeOf(version))
	return usable(version, d, err)
}

// aliases are those that the releases move, by name.
func (r *releases) aliases() map[string]modeltopic.Alias {
	now := r.machine.Aliases()
	all := map[string]modeltopic.Alias{}
	for name, version := range map[string]release.Version{modeltopic.Stable: now.Stable, modeltopic.Candidate: now.Candidate, modeltopic.Previous: now.Previous} {
		if !version.IsZero() {
			all[name] = aliasOf(r.models.Job, version)
		}
	}
	return all
}

func aliasOf(job string, v release.Version) modeltopic.Alias {
	return modeltopic.Alias{Term: v.Term, Version: v.Version, WeightsSHA256: v.SHA256, Key: modeltopic.DocumentKey(job, placeOf(v))}
}

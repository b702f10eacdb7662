package jobs

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/internal/config"
)

// Load reads the configuration of one job from files, of which a later one wins.
type Load func(files []string) (*config.Loaded, error)

// Many says whether a directory is among the files that were named: then each file in it configures a job.
func Many(named []string) bool { return slices.ContainsFunc(named, isDirectory) }

func isDirectory(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// Found is what the files configure now.
type Found struct {
	// Jobs are valid, sorted by file.
	Jobs []Configured
	// Refused are files that are wrong, and of two files of one job both. Errs says the same for the command line.
	Refused []board.Refused
	Errs    []error
	// kept are the names of jobs that several files configure.
	kept []string
}

// Configured is the configuration of a job.
type Configured struct {
	*config.Loaded
	File string
}

// Err is the error of files of which none configures a job.
func (f *Found) Err() error {
	if len(f.Jobs) > 0 {
		return nil
	}
	return errors.Join(f.Errs...)
}

// Scan reads the configuration of each job: a file of a directory that was named, on top of the files named before the directory, and
// below those named after it.
func Scan(named []string, load Load) *Found {
	var found Found
	files, not := list(named)
	for _, of := range not {
		cause := of.err
		if path, is := errors.AsType[*fs.PathError](cause); is {
			cause = path.Err
		}
		found.refuse(of.name, fmt.Errorf("%s: %w", of.name, cause))
	}
	if len(files)+len(not) == 0 { // perhaps the disk is gone whose files it had, or a file has taken its name: its jobs go on
		for _, name := range named {
			switch {
			case !Many(named):
				found.refuse(name, fmt.Errorf("%s is a file, and none of the named paths is a directory of jobs", name))
			case isDirectory(name):
				found.refuse(name, fmt.Errorf("%s: the directory holds no configuration: each job needs a file of its own, with a name that ends in .yaml or .yml", name))
			}
		}
	}
	byJob := map[string][]Configured{}
	for _, file := range files {
		loaded, err := load(layers(named, file))
		if err != nil {
			found.refuse(file, err)
			continue
		}
		byJob[loaded.Job] = append(byJob[loaded.Job], Configured{loaded, file})
	}
	for job, all := range byJob {
		if len(all) == 1 {
			found.Jobs = append(found.Jobs, all[0])
			continue
		}
		found.kept = append(found.kept, job)
		var names []string
		for _, c := range all {
			names = append(names, c.File)
		}
		for _, c := range all {
			found.refuse(c.File, fmt.Errorf("job %s is configured by %s: give each file a job of its own (key job)", job, strings.Join(names, " and ")))
		}
	}
	slices.SortFunc(found.Jobs, func(a, b Configured) int { return strings.Compare(a.File, b.File) })
	slices.SortFunc(found.Refused, func(a, b board.Refused) int { return strings.Compare(a.File, b.File) })
	return &found
}

// keeps says whether a job that runs goes on although no file configures it now: its file is wrong or cannot be read, or several configure it.
func (f *Found) keeps(job, file string) bool {
	return slices.Contains(f.kept, job) || slices.ContainsFunc(f.Refused, func(r board.Refused) bool {
		return r.File == file || filepath.Clean(r.File) == filepath.Dir(file)
	})
}

func (f *Found) refuse(file string, err error) {
	f.Refused = append(f.Refused, board.Refused{File: file, Reason: strings.TrimPrefix(reasonOf(err), file+": ")})
	f.Errs = append(f.Errs, err)
}

// reasonOf is an error in one line.
func reasonOf(err error) string {
	var problems config.Problems
	if !errors.As(err, &problems) {
		return strings.ReplaceAll(err.Error(), "\n", "; ")
	}
	var texts []string
	for _, problem := range problems {
		texts = append(texts, problem.String())
	}
	return strings.Join(texts, "; ")
}

// Settings are the sections server and log of the process that runs the named files: of one job, or of the jobs of a directory.
func Settings(named []string, load Load) (*config.Loaded, error) {
	if !Many(named) {
		return load(named)
	}
	found := Scan(named, load)
	if err := found.Err(); err != nil {
		return nil, err
	}
	return found.settings().Loaded, nil
}

// settings are the sections server and log of the process: those of the first file that has a section server, else of the first file.
func (f *Found) settings() Configured {
	for _, c := range f.Jobs {
		if c.IsSet("server") {
			return c
		}
	}
	return f.Jobs[0]
}

// unread is a name that cannot be read: a directory that was moved away, perhaps, whose jobs go on.
type unread struct {
	name string
	err  error
}

// list are the files of jobs in the directories that were named, sorted in each, and what cannot be read of all that was named.
func list(named []string) (files []string, not []unread) {
	for _, name := range named {
		info, err := os.Stat(name)
		if err != nil {
			not = append(not, unread{name, err})
			continue
		}
		if !info.IsDir() {
			continue
		}
		entries, err := os.ReadDir(name)
		if err != nil {
			not = append(not, unread{name, err})
		}
		for _, entry := range entries {
			file := filepath.Join(name, entry.Name())
			if kind := filepath.Ext(file); kind != ".yaml" && kind != ".yml" || strings.HasPrefix(entry.Name(), ".") {
				continue
			}
			switch info, err := os.Stat(file); {
			case err == nil && info.IsDir():
				not = append(not, unread{file, errors.New("is a directory, and the configuration of a job is a file")})
			case err == nil && !info.Mode().IsRegular(): // to read a pipe that nobody writes to would wait for ever
				not = append(not, unread{file, errors.New("is not a regular file")})
			default:
				files = append(files, file)
			}
		}
	}
	return files, not
}

// layers are the files of one job, in which its own stands in place of its directory.
func layers(named []string, file string) (files []string) {
	for _, name := range named {
		switch {
		case !isDirectory(name):
			files = append(files, name)
		case filepath.Dir(file) == filepath.Clean(name):
			files = append(files, file)
		}
	}
	return files
}

// digest tells whether any of the files changed: it is another one for other names or contents.
func digest(named []string) (sum [sha256.Size]byte) {
	files, not := list(named)
	all := sha256.New()
	for _, of := range not {
		fmt.Fprintf(all, "%q %v\n", of.name, of.err)
	}
	for _, file := range slices.Concat(named, files) {
		content, err := os.ReadFile(file)
		own := sha256.Sum256(content)
		fmt.Fprintf(all, "%q %t %x\n", file, err == nil, own)
	}
	all.Sum(sum[:0])
	return sum
}

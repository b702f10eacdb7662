package seen

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// Add takes in one record, a JSON object. The error is the record.Rejection of one that cannot be learnt from.
func (r *Records) Add(raw []byte) error {
	err := r.decoder.DecodeJSON(&r.rec, raw)
	readable := r.open.DecodeJSON(&r.whole, raw) == nil
	if readable {
		r.Profile.Add(&r.whole)
		r.Missed.add(raw)
		if r.isTotal(&r.whole) {
			r.Totals++
		}
		r.Lost.add(&r.whole, r.Profile.Records())
	}
	if err != nil {
		r.Reject(err)
		return err
	}
	r.Weights.add(r.rec.Weight)
	if len(r.rec.ID) > 0 {
		r.IDs.Add(record.Hash(r.rec.ID))
	}
	if r.rec.Snapshot {
		r.snapshot++
	}
	if !r.isTold && r.rec.HasLabel && r.rec.Weight > 0 && r.heldBack.Records() < r.Config.Learner.Warmup {
		r.heldBack.Add(&r.rec)
	}
	repeated := false
	r.meet()
	r.parse()
	if r.rec.HasLabel {
		repeated = r.Config.Record.Key == "" && r.Copies.Add(&r.rec) // with a key, features and label come apart
		if r.Config.Learner.Task == model.Classification {
			r.tellLabel(repeated)
			r.Neighbours.Add(r.rec.Features, r.parsed, r.rec.Positive)
		}
		r.Sequence.Add(r.rec.Positive)
		if !repeated {
			r.addUnlike()
			r.Beside.Add(r.rec.Features, r.parsed, r.rec.Positive)
			r.original.Add(r.rec.Positive)
		}
		r.numbers.Add(r.rec.Label, 1)
	} else {
		r.missing++
	}
	if readable {
		r.First.Add(r.whole.Features, r.rec.HasLabel, r.rec.Positive, repeated)
		r.Even.Add(r.whole.Features, r.rec.HasLabel, r.rec.Positive, repeated)
	}
	switch {
	case r.Config.Record.Key == "" && r.rec.HasLabel:
		r.group(r.rec.Positive)
	case (r.Config.Record.Key != "" || r.WithUnlabelled) && r.hasAttribute():
		// Its label comes, or came, in a record of its own: it may meet every criterion's condition.
		r.group(r.rec.Positive || !r.rec.HasLabel)
	default:
		return nil
	}
	r.tellGroups(repeated)
	return nil
}

// meet finds what is kept of the features of the present record.
func (r *Records) meet() {
	r.features = r.features[:0]
	for f := range r.rec.Features {
		name := r.rec.Features[f].Name
		k := r.kept.At(f, name)
		if k == nil && len(r.Features) < profile.MaxColumns {
			k = &kept{}
			r.kept.Make(name, k)
			r.Features[name] = true
		}
		r.features = append(r.features, k)
	}
}

// parse reads the features of the present record as numbers, where they are, and keeps the first and the newest. Of texts, those of
// attributes included, it keeps how they are written.
func (r *Records) parse() {
	r.parsed = r.parsed[:0]
	for a := range r.rec.Attributes {
		if value := &r.rec.Attributes[a]; !value.Missing && math.IsNaN(table.Number(value.Text)) {
			r.addText(r.writtenOf(r.Attributes[a]), value.Text, record.Hash(value.Text))
		}
	}
	for f := range r.rec.Features {
		field := &r.rec.Features[f]
		x := math.NaN()
		if !field.Missing {
			x = table.Number(field.Text)
		}
		r.parsed = append(r.parsed, x)
		k := r.features[f]
		if field.Missing || k == nil {
			continue
		}
		if k.written == nil {
			k.written = r.writtenOf(field.Name)
		}
		if math.IsNaN(x) {
			r.addText(k.written, field.Text, field.Hash)
			continue
		}
		k.written.Numerals.add(field.Text)
		if k.ends == nil {
			k.ends = &Ends{}
			r.Ends[field.Name] = k.ends
		}
		k.ends.Add(x)
		k.ends.powers.add(x)
		k.ends.rise.add(x)
	}
}

func (r *Records) writtenOf(name string) *Written {
	w := r.Written[name]
	if w == nil {
		w = &Written{}
		r.Written[name] = w
	}
	return w
}

func (r *Records) addText(w *Written, text []byte, hash uint64) {
	if w.add(text, hash, r.texts < allTexts) {
		r.texts++
	}
}

// addUnlike takes in the present record as if it had no label, so that records that differ in it only are the same.
func (r *Records) addUnlike() {
	if r.Config.Learner.Task != model.Classification || r.Config.Record.Key != "" {
		return
	}
	positive, label := r.rec.Positive, r.rec.Label
	r.rec.Positive, r.rec.Label = false, 0
	r.Unlike.Add(&r.rec)
	r.rec.Positive, r.rec.Label = positive, label
}

// hasAttribute says whether the record has one of the attributes, as a record that only brings a label does not.
func (r *Records) hasAttribute() bool {
	return slices.ContainsFunc(r.rec.Attributes, func(v record.Value) bool { return !v.Missing })
}

// Reject counts a record that cannot be read.
func (r *Records) Reject(err error) {
	if rejection, ok := errors.AsType[*record.Rejection](err); ok {
		r.Rejected[rejection.Reason]++
		if r.Rejection == nil {
			r.Rejection = rejection
		}
	}
}

// tellLabel lets the features and the attributes of the present record tell its label.
func (r *Records) tellLabel(repeated bool) {
	r.Label.Add(r.rec.Positive, repeated)
	for f := range r.rec.Features {
		if field := &r.rec.Features[f]; r.features[f] != nil {
			r.Label.Tell(field.Name, field.Hash, r.parsed[f], field.Missing, r.rec.Positive, repeated)
		}
	}
	for a, value := range r.rec.Attributes {
		if !value.Missing && !r.Features[r.Attributes[a]] { // a feature has told
			r.Label.Tell(r.Attributes[a], record.Hash(value.Text), table.Number(value.Text), false, r.rec.Positive, repeated)
		}
	}
}

// tellGroups lets the features of the present record tell which group it is of.
func (r *Records) tellGroups(repeated bool) {
	if len(r.Pairs) == 0 {
		return
	}
	r.Grouper.Sides(r.sides, r.levels, true)
	for p := range r.Pairs {
		pair := &r.Pairs[p]
		side := r.sides[pair.Comparison]
		if side != fairness.Group && side != fairness.Versus {
			continue
		}
		pair.Add(side == fairness.Group, repeated)
		pair.Shift.add(side == fairness.Group)
		pair.Neighbours.Add(r.rec.Features, r.parsed, side == fairness.Group)
		for f := range r.rec.Features {
			if field := &r.rec.Features[f]; r.features[f] != nil {
				pair.Tell(field.Name, field.Hash, r.parsed[f], field.Missing, side == fairness.Group, repeated)
			}
		}
	}
}

// totalWords stand in lines that are sums of others.
var totalWords = []string{"total", "totals", "grand total", "subtotal", "sub-total", "sum", "summe", "gesamt", "gesamtsumme", "zwischensumme", "insgesamt", "total général", "somme", "total general", "suma", "average", "mean", "durchschnitt", "mittelwert", "moyenne", "promedio", "media"}

// mostWord is how many bytes a text of totalWords has at most, with what stands around it.
const mostWord = 20

// sayTotal says whether a text is one of totalWords. Few begin with a letter of these, so that most texts are not looked at further.
func sayTotal(text []byte) bool {
	word := bytes.Trim(text, " .:")
	return len(text) < mostWord && len(word) > 0 && bytes.IndexByte(totalLetters, word[0]) >= 0 && slices.Contains(totalWords, strings.ToLower(string(word)))
}

// totalLetters are those that totalWords begin with.
var totalLetters = func() (letters []byte) {
	for _, word := range totalWords {
		letters = append(letters, word[0], strings.ToUpper(word)[0])
	}
	return letters
}()

// mostFilled is how many of the values that a record has a line of sums has at most: a category may have such a name, too.
const mostFilled = .75

// isTotal says whether a record has a text that stands in lines with sums, and few values.
func (r *Records) isTotal(whole *record.Record) bool {
	known := 0
	for f := range whole.Features {
		if !whole.Features[f].Missing {
			known++
		}
	}
	r.known = max(r.known, known)
	return float64(known) <= mostFilled*float64(r.known) && slices.ContainsFunc(whole.Features, func(f record.Field) bool { return !f.Missing && sayTotal(f.Text) })
}

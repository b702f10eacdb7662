package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
)

// price writes what it costs to learn shares of the records only: errors and differences of one learner on the holdout, and by how much its error
// is above that of the first share.
func price(out io.Writer, from []set, names string, taus []float64, splits int, first uint64, texts string) error {
	var shares []float64
	for text := range strings.SplitSeq(texts, ",") {
		share, err := strconv.ParseFloat(text, 64)
		if err != nil || !(share > 0 && share <= 1) {
			return fmt.Errorf("-sampled %s: give shares of the records, such as 1,.5,.1", text)
		}
		shares = append(shares, share)
	}
	fmt.Fprintln(out, "| records | tau | learnt | error | difference | within tau | error above the first |\n|---|---|---|---|---|---|---|")
	for _, s := range from {
		if !strings.Contains(","+names+",", ","+s.name+",") {
			continue
		}
		records, err := s.load()
		if err != nil {
			return err
		}
		for _, tau := range taus {
			found := make([][]outcome, len(shares))
			for seed := range splits {
				held, learnt := deal(records, first+uint64(seed))
				for i, share := range shares {
					learner, err := model.New(s.config(tau, string(fairness.DemographicParity)))
					if err != nil {
						return err
					}
					for k := range learnt[:int(share*float64(len(learnt)))] {
						learner.Learn(&learnt[k])
					}
					o, err := measure(learner, held)
					if err != nil {
						return err
					}
					if i > 0 {
						o.beside = o.error - found[0][seed].error
					}
					found[i] = append(found[i], o)
				}
			}
			for i, share := range shares {
				var errors, differences, above []float64
				within := 0
				for _, o := range found[i] {
					errors, differences, above = append(errors, o.error), append(differences, o.difference), append(above, o.beside)
					if math.Abs(o.difference) <= tau {
						within++
					}
				}
				fmt.Fprintf(out, "| %s | %.2f | %.3g of them | %s | %s | %d of %d | %s |\n", s.name, tau, share, mean(errors), mean(differences), within, splits, mean(above))
			}
		}
	}
	return nil
}

package fairness

import (
	"encoding/json"
	"math"
)

// number is a float64 whose absence, NaN, is null in JSON.
type number float64

func (n number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

func (n *number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = number(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

// estimateRow is an Estimate in JSON: first the row of the command line's
// contract, in its order, then what an auditor needs besides.
type estimateRow struct {
	Name      string    `json:"name"`
	Criterion Criterion `json:"criterion"`
	Group     string    `json:"group"`
	Versus    string    `json:"versus"`
	Tau       float64   `json:"tau"`
	Enforced  bool      `json:"enforced"`
	Value     number    `json:"value"`
	Lo        number    `json:"lo"`
	Hi        number    `json:"hi"`
	Level     float64   `json:"level"`
	NGroup    int64     `json:"n_group"`
	NVersus   int64     `json:"n_versus"`
	Status    Status    `json:"status"`

	Strata string `json:"strata,omitempty"`
	Method string `json:"method"`
	*rates
	*means
	EffectiveGroup  float64 `json:"effective_n_group"`
	EffectiveVersus float64 `json:"effective_n_versus"`
	NNeither        int64   `json:"n_neither"`
	NUnknown        int64   `json:"n_unknown"`
	MoreGroup       int64   `json:"more_group,omitempty"`
	MoreVersus      int64   `json:"more_versus,omitempty"`
	Reason          string  `json:"reason,omitempty"`
}

// rates are the sides of a criterion of rates, means those of one of means.
type rates struct {
	RateGroup  number `json:"rate_group"`
	RateVersus number `json:"rate_versus"`
	KGroup     int64  `json:"k_group"`
	KVersus    int64  `json:"k_versus"`
	Ratio      Ratio  `json:"impact_ratio"`
}

type means struct {
	MeanGroup  number `json:"mean_group"`
	MeanVersus number `json:"mean_versus"`
	SDGroup    number `json:"sd_group"`
	SDVersus   number `json:"sd_versus"`
}

// MarshalJSON writes the row of the contract; absent numbers are null.
func (e Estimate) MarshalJSON() ([]byte, error) {
	row := estimateRow{
		Name: e.Name, Criterion: e.Criterion, Group: e.Group, Versus: e.Versus, Tau: e.Tau, Enforced: e.Enforced,
		Value: number(e.Value), Lo: number(e.Lo), Hi: number(e.Hi), Level: e.Level,
		NGroup: e.NGroup, NVersus: e.NVersus, Status: e.Status,
		Strata: e.Strata, Method: e.Method,
		EffectiveGroup: e.EffectiveGroup, EffectiveVersus: e.EffectiveVersus,
		NNeither: e.NNeither, NUnknown: e.NUnknown, MoreGroup: e.MoreGroup, MoreVersus: e.MoreVersus, Reason: e.Reason,
	}
	if e.MeanSides != nil {
		row.means = &means{number(e.MeanGroup), number(e.MeanVersus), number(e.SDGroup), number(e.SDVersus)}
	}
	if e.RateSides != nil {
		row.rates = &rates{number(e.RateGroup), number(e.RateVersus), e.KGroup, e.KVersus, e.ImpactRatio}
	}
	return json.Marshal(row)
}

// UnmarshalJSON reads what MarshalJSON writes; null and absent numbers are NaN.
func (e *Estimate) UnmarshalJSON(text []byte) error {
	absent := number(math.NaN())
	row := estimateRow{Value: absent, Lo: absent, Hi: absent,
		rates: &rates{RateGroup: absent, RateVersus: absent, Ratio: unknownRatio()}, means: &means{absent, absent, absent, absent}}
	if err := json.Unmarshal(text, &row); err != nil {
		return err
	}
	*e = Estimate{
		Name: row.Name, Criterion: row.Criterion, Group: row.Group, Versus: row.Versus, Tau: row.Tau, Enforced: row.Enforced,
		Value: float64(row.Value), Lo: float64(row.Lo), Hi: float64(row.Hi), Level: row.Level,
		NGroup: row.NGroup, NVersus: row.NVersus, Status: row.Status,
		Strata: row.Strata, Method: row.Method,
		EffectiveGroup: row.EffectiveGroup, EffectiveVersus: row.EffectiveVersus,
		NNeither: row.NNeither, NUnknown: row.NUnknown, MoreGroup: row.MoreGroup, MoreVersus: row.MoreVersus, Reason: row.Reason,
	}
	if row.Criterion.OfMeans() {
		e.MeanSides = &MeanSides{MeanGroup: float64(row.MeanGroup), MeanVersus: float64(row.MeanVersus),
			SDGroup: float64(row.SDGroup), SDVersus: float64(row.SDVersus)}
	} else {
		e.RateSides = &RateSides{RateGroup: float64(row.RateGroup), RateVersus: float64(row.RateVersus),
			KGroup: row.KGroup, KVersus: row.KVersus, ImpactRatio: row.Ratio}
	}
	return nil
}

// ratioRow is a Ratio in JSON.
type ratioRow struct {
	Value number `json:"value"`
	Lo    number `json:"lo"`
	Hi    number `json:"hi"`
}

// MarshalJSON writes the ratio as an object; absent numbers are null.
func (r Ratio) MarshalJSON() ([]byte, error) {
	return json.Marshal(ratioRow{number(r.Value), number(r.Lo), number(r.Hi)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Ratio) UnmarshalJSON(text []byte) error {
	absent := number(math.NaN())
	row := ratioRow{absent, absent, absent}
	if err := json.Unmarshal(text, &row); err != nil {
		return err
	}
	*r = Ratio{float64(row.Value), float64(row.Lo), float64(row.Hi)}
	return nil
}

// measureRow is a Measure in JSON.
type measureRow struct {
	Value     number  `json:"value"`
	Lo        number  `json:"lo"`
	Hi        number  `json:"hi"`
	Level     float64 `json:"level"`
	Records   int64   `json:"n"`
	Effective float64 `json:"effective_n"`
	Method    string  `json:"method"`
}

// MarshalJSON writes the measure as an object; absent numbers are null.
func (m Measure) MarshalJSON() ([]byte, error) {
	return json.Marshal(measureRow{number(m.Value), number(m.Lo), number(m.Hi), m.Level, m.Records, m.Effective, m.Method})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Measure) UnmarshalJSON(text []byte) error {
	absent := number(math.NaN())
	row := measureRow{Value: absent, Lo: absent, Hi: absent}
	if err := json.Unmarshal(text, &row); err != nil {
		return err
	}
	*m = Measure{float64(row.Value), float64(row.Lo), float64(row.Hi), row.Level, row.Records, row.Effective, row.Method}
	return nil
}

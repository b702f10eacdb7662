package model

import "github.com/fairstream/fairstream/pkg/features"

// Row is one encoded record.
type Row = features.Row

// intercept is the weight that every record has.
const intercept = features.Intercept

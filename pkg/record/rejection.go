package record

import "strconv"

// Reason is why a record was rejected: a stable word for metrics and dead-letter headers.
type Reason string

// The reasons.
const (
	Tombstone       Reason = "tombstone"         // a Kafka record without a value
	Deleted         Reason = "deleted"           // an event of Debezium that deletes a row, or all
	NotEnveloped    Reason = "not_enveloped"     // no record where Config.At says
	TooLong         Reason = "too_long"          // more bytes than Limits.RecordBytes
	RegistryHeader  Reason = "registry_header"   // the header of a schema registry comes before the record
	InvalidUTF8     Reason = "invalid_utf8"      // text that is not UTF-8
	MalformedJSON   Reason = "malformed_json"    // not JSON, or something after the object
	NotAnObject     Reason = "not_an_object"     // JSON, but not an object
	TooDeep         Reason = "too_deep"          // nested deeper than Limits.Depth
	TooManyFields   Reason = "too_many_fields"   // more members than Limits.Fields
	NameTooLong     Reason = "name_too_long"     // a path longer than MaxNameBytes
	DuplicateField  Reason = "duplicate_field"   // a path that occurs twice
	MalformedCSV    Reason = "malformed_csv"     // quotes that RFC 4180 does not allow
	WrongFieldCount Reason = "wrong_field_count" // a row that is not as wide as the header
	MissingLabel    Reason = "missing_label"     // the label is absent or missing
	LabelNotScalar  Reason = "label_not_scalar"  // the label is an object or an array
	BadLabel        Reason = "bad_label"         // a label that is to be a number and is none in [-MaxLabel, MaxLabel]
	MissingWeight   Reason = "missing_weight"    // a weight field is configured and absent or missing
	BadWeight       Reason = "bad_weight"        // not a number in [0, MaxWeight]
	BadPropensity   Reason = "bad_propensity"    // not a number in (0, 1]
	BadTime         Reason = "bad_time"          // an event time that is not in the configured format
	MissingKey      Reason = "missing_key"       // a join key is configured and absent or missing
	IdentityNotText Reason = "identity_not_text" // the identifier or the join key is an object or an array

	// Of formats with a schema.
	NoSchemaID       Reason = "no_schema_id"      // nothing names the schema that the message was written with
	UnknownSchema    Reason = "unknown_schema"    // the registry answered that it does not know the schema
	UnfitSchema      Reason = "unfit_schema"      // the schema is recursive, no record, or without the label or an attribute
	MalformedMessage Reason = "malformed_message" // bytes that are not what the schema says
)

// Reasons lists every reason, for metrics that want all series from the start.
func Reasons() []Reason {
	return []Reason{
		Tombstone, Deleted, NotEnveloped, TooLong, RegistryHeader, InvalidUTF8, MalformedJSON, NotAnObject, TooDeep, TooManyFields, NameTooLong,
		DuplicateField, MalformedCSV, WrongFieldCount, MissingLabel, LabelNotScalar, BadLabel, MissingWeight,
		BadWeight, BadPropensity, BadTime, MissingKey, IdentityNotText, NoSchemaID, UnknownSchema, UnfitSchema, MalformedMessage,
	}
}

// Rejection is the error that a bad record becomes. It never holds a value of the record.
type Rejection struct {
	Reason Reason
	// Field is the dotted path the rejection is about, "" when it is about the whole record.
	Field string
	// Offset is the byte in the record where the trouble was noticed, -1 when it has no place.
	Offset int
	// Line is the line of the file on which the record begins, from 1; 0 for a record of no file.
	Line int64
	// File is the name of the file, where records come from several; "" where there is one, whose name is known.
	File string
	// Detail says more, in words.
	Detail string

	file string // what to do about it if it is in a file, shown with Line
}

func tombstone(detail string) error {
	return &Rejection{Reason: Tombstone, Offset: -1, Detail: detail}
}

// Error says where, what and why in one line.
func (r *Rejection) Error() string {
	text := make([]byte, 0, 128)
	if r.File != "" {
		text = append(text, r.File...)
		text = append(text, ", "...)
	}
	if r.Line > 0 {
		text = append(text, "line "...)
		text = strconv.AppendInt(text, r.Line, 10)
		text = append(text, ": "...)
	}
	text = append(text, r.Reason...)
	if r.Field != "" {
		text = append(text, " in field "...)
		text = strconv.AppendQuote(text, r.Field)
	}
	if r.Offset >= 0 {
		text = append(text, " at byte "...)
		text = strconv.AppendInt(text, int64(r.Offset), 10)
	}
	if r.Detail != "" {
		text = append(text, ": "...)
		text = append(text, r.Detail...)
	}
	if r.file != "" && r.Line > 0 {
		text = append(text, "; "...)
		text = append(text, r.file...)
	}
	return string(text)
}

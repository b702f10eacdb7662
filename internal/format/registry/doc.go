// Package registry fetches schemas from a schema registry that speaks Confluent's API, and keeps them. The client is
// github.com/twmb/franz-go/pkg/sr.
//
// A schema never changes under its id, so one that was fetched is used for as long as the process lives, whatever becomes of the registry.
//
// # Rules that are not obvious
//
//   - An id is unknown only if the registry answers with its own error code, 404xx. Without: registry.urls has a wrong path, a proxy
//     answers 404, and every record of a new schema goes to the dead-letter topic.
//   - An id that is unknown waits for registry.unknown_after, counted from the first answer, and is then asked for once more. Without: a
//     follower of the registry's leader does not have the schema yet, and the first records of a new schema are rejected.
//   - A registry that does not answer, or refuses us, condemns no id, however long that lasts.
//   - Ids of records further on are bounded, and so are those that were condemned. Without: somebody writes a million records with forged ids, and the
//     process holds a million of them.
//   - An id that something waits for is asked for before those of records further on. Without: the schema of another partition stands behind
//     60,000 forged ids.
//   - Schemas are not forgotten to make room for condemned ids. Without: forged ids make a process ask again for what it had, and without a
//     registry its partitions stand still.
//
// Files, in reading order:
//
//	config.go    the section registry: keys, defaults (timeout, unknown_after, not_ready_after), what does not go together
//	client.go    one request to the schema registry: addresses in turn, TLS, tokens, references; what 404, 401 and others mean in words
//	register.go  the request that registers a schema for produce, and the header with its id
//	schemas.go   schemas awaited, remembered and condemned after registry.unknown_after; which are asked for first
package registry

// Package integration has the tests for which the project needs more than its own module requires: the library
// by which docker compose reads docker-compose.yml, and another Kafka client that writes what ours does not
// (transactions, idempotent batches, requests of old brokers).
package integration

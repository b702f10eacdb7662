package chronicle

import (
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/signature"
)

// Key is the key of all entries of a job.
func Key(job string) string { return job }

// sealKey is what stands for the key of a record under the signature of an entry. The records of other topics have no such key, so a signature of
// one of them is none of an entry.
func sealKey(job string) []byte { return []byte("history:" + job) }

// sealed is the message of an entry; signer may be nil.
func sealed(job string, value []byte, signer *signature.Signer) kafka.Message {
	message := kafka.Message{Key: []byte(Key(job)), Value: value}
	if keyID, sum := signer.Sign(sealKey(job), value); keyID != "" {
		message.Headers = []kafka.Header{{Key: signature.HeaderKeyID, Value: []byte(keyID)}, {Key: signature.HeaderSignature, Value: sum}}
	}
	return message
}

// isSealed says whether an entry has a signature, be it a true one.
func isSealed(r *kafka.Record) bool {
	return len(modeltopic.Header(r.Headers(), signature.HeaderSignature)) > 0
}

// SealOf says whether a key that the verifier trusts signed an entry; a nil verifier does not look.
func SealOf(v *signature.Verifier, r *kafka.Record) history.Seal {
	if v == nil {
		return history.Seal{}
	}
	all := r.Headers()
	err := v.Verify(sealKey(string(r.Key)), r.Value, string(modeltopic.Header(all, signature.HeaderKeyID)), modeltopic.Header(all, signature.HeaderSignature))
	if err != nil {
		return history.Seal{Checked: true, Problem: err.Error()}
	}
	return history.Seal{Checked: true}
}

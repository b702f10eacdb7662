package kafkatest

import (
	"reflect"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
)

func TestARecordIsAsIfRead(t *testing.T) {
	message := kafka.Message{Timestamp: 5, Key: []byte("key"), Value: nil,
		Headers: []kafka.Header{{Key: "h", Value: []byte("v")}, {Key: "", Value: nil}, {Key: "h", Value: []byte{}}}}
	r := Record(7, &message)
	if got := r.Message(); !reflect.DeepEqual(got, message) || r.Offset != 7 {
		t.Errorf("%+v at %d; want %+v at 7", got, r.Offset, message)
	}
}

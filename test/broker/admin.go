package broker

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// What administrators do with Kafka's own tools, asked of a cluster of one broker. It works on the embedded one too.

// Alter changes settings of a topic.
func Alter(t testing.TB, address, topic string, settings map[string]string) {
	t.Helper()
	resource := kmsg.NewIncrementalAlterConfigsRequestResource()
	resource.ResourceType, resource.ResourceName = kmsg.ConfigResourceTypeTopic, topic
	for name, value := range settings {
		entry := kmsg.NewIncrementalAlterConfigsRequestResourceConfig()
		entry.Name, entry.Value = name, kmsg.StringPtr(value)
		resource.Configs = append(resource.Configs, entry)
	}
	request := kmsg.NewPtrIncrementalAlterConfigsRequest()
	request.Resources = append(request.Resources, resource)
	response := request.ResponseKind().(*kmsg.IncrementalAlterConfigsResponse)
	if err := ask(address, request, response); err != nil || response.Resources[0].ErrorCode != 0 {
		t.Fatalf("%+v %v", response, err)
	}
}

// DeleteRecords removes the records of a partition before an offset.
func DeleteRecords(t testing.TB, address, topic string, partition int32, before int64) {
	t.Helper()
	from := kmsg.NewDeleteRecordsRequestTopicPartition()
	from.Partition, from.Offset = partition, before
	of := kmsg.NewDeleteRecordsRequestTopic()
	of.Topic, of.Partitions = topic, append(of.Partitions, from)
	request := kmsg.NewPtrDeleteRecordsRequest()
	request.Topics, request.TimeoutMillis, request.Version = append(request.Topics, of), 5000, 1
	response := request.ResponseKind().(*kmsg.DeleteRecordsResponse)
	if err := ask(address, request, response); err != nil || response.Topics[0].Partitions[0].ErrorCode != 0 {
		t.Fatalf("%+v %v", response, err)
	}
}

// ask sends one request, of a version without tagged fields, and reads the response.
func ask(address string, request kmsg.Request, response kmsg.Response) (err error) {
	connection, err := net.DialTimeout("tcp", address, 10*time.Second)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, connection.Close()) }()
	if err := connection.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return err
	}
	if _, err := connection.Write(kmsg.NewRequestFormatter().AppendRequest(nil, request, 1)); err != nil {
		return err
	}
	var size uint32
	if err := binary.Read(connection, binary.BigEndian, &size); err != nil {
		return err
	}
	answer := make([]byte, min(size, 1<<20))
	if _, err := io.ReadFull(connection, answer); err != nil {
		return err
	}
	response.SetVersion(request.GetVersion())
	return response.ReadFrom(answer[4:]) // after the number of the request
}

package broker

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Right is one that a principal has or lacks: an operation, as kafka-acls.sh names it, on a topic, a group or a
// transactional-id.
type Right struct{ Principal, Resource, Name, Operation string }

var resources = map[string]kmsg.ACLResourceType{"topic": kmsg.ACLResourceTypeTopic, "group": kmsg.ACLResourceTypeGroup, "transactional-id": kmsg.ACLResourceTypeTransactionalId}

var operations = map[string]kmsg.ACLOperation{"Read": kmsg.ACLOperationRead, "Write": kmsg.ACLOperationWrite, "Create": kmsg.ACLOperationCreate,
	"Describe": kmsg.ACLOperationDescribe, "DescribeConfigs": kmsg.ACLOperationDescribeConfigs}

// Grant gives a right.
func Grant(t testing.TB, address string, right Right) {
	t.Helper()
	creation := kmsg.NewCreateACLsRequestCreation()
	creation.ResourceType, creation.ResourceName, creation.ResourcePatternType = resources[right.Resource], right.Name, kmsg.ACLResourcePatternTypeLiteral
	creation.Principal, creation.Host, creation.Operation, creation.PermissionType = right.Principal, "*", operations[right.Operation], kmsg.ACLPermissionTypeAllow
	request := kmsg.NewPtrCreateACLsRequest()
	request.Version, request.Creations = 1, append(request.Creations, creation)
	response := request.ResponseKind().(*kmsg.CreateACLsResponse)
	if err := ask(address, request, response); err != nil || response.Results[0].ErrorCode != 0 {
		t.Fatalf("%+v: %+v %v", right, response, err)
	}
}

// Revoke takes a right away.
func Revoke(t testing.TB, address string, right Right) {
	t.Helper()
	filter := kmsg.NewDeleteACLsRequestFilter()
	filter.ResourceType, filter.ResourceName, filter.ResourcePatternType = resources[right.Resource], kmsg.StringPtr(right.Name), kmsg.ACLResourcePatternTypeLiteral
	filter.Principal, filter.Host, filter.Operation, filter.PermissionType = kmsg.StringPtr(right.Principal), kmsg.StringPtr("*"), operations[right.Operation], kmsg.ACLPermissionTypeAllow
	request := kmsg.NewPtrDeleteACLsRequest()
	request.Version, request.Filters = 1, append(request.Filters, filter)
	response := request.ResponseKind().(*kmsg.DeleteACLsResponse)
	if err := ask(address, request, response); err != nil || response.Results[0].ErrorCode != 0 || len(response.Results[0].MatchingACLs) != 1 {
		t.Fatalf("%+v: %+v %v", right, response, err)
	}
}

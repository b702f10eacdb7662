package protobuf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/fairstream/fairstream/internal/format"
)

// encoder writes JSON objects as the first type of a file. Texts become numbers and booleans where the type has those, since rows of CSV hold texts
// alone.
type encoder struct {
	described protoreflect.MessageDescriptor
	prefix    []byte
	missing   []string // texts that stand for null
}

// NewEncoder returns an encoder of messages that begin with prefix. missing are texts that stand for null.
func NewEncoder(schema string, prefix []byte, missing []string) (format.Encoder, error) {
	parsed, err := parse(schema, nil)
	if err != nil {
		return nil, err
	}
	if parsed.Messages().Len() == 0 {
		return nil, errors.New("the schema defines no type of messages")
	}
	return &encoder{parsed.Messages().Get(0), prefix, missing}, nil
}

func (e *encoder) AppendMessage(dst, object []byte) ([]byte, error) {
	members := map[string]any{}
	decoder := json.NewDecoder(bytes.NewReader(object))
	decoder.UseNumber()
	if err := decoder.Decode(&members); err != nil {
		return dst, errors.New("is not a JSON object")
	}
	for name, value := range members {
		field := e.described.Fields().ByName(protoreflect.Name(name))
		text, isText := value.(string)
		switch {
		case field == nil:
			return dst, fmt.Errorf("field %q is not in the schema", name)
		case isText && slices.Contains(e.missing, text) && field.Kind() != protoreflect.StringKind:
			delete(members, name)
		case field.Kind() == protoreflect.BoolKind && (text == "true" || text == "false"):
			members[name] = text == "true"
		case field.Kind() == protoreflect.StringKind && !field.IsList() && !field.IsMap():
			switch value := value.(type) {
			case json.Number:
				members[name] = value.String()
			case bool:
				members[name] = fmt.Sprint(value)
			}
		}
	}
	message, err := e.message(members)
	if err != nil {
		return dst, e.unfitted(members)
	}
	return proto.MarshalOptions{Deterministic: true}.MarshalAppend(append(dst, e.prefix...), message)
}

// unfitted says which field a type cannot hold: the library's errors contain values.
func (e *encoder) unfitted(members map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if _, err := e.message(map[string]any{name: members[name]}); err != nil {
			return fmt.Errorf("field %q does not fit the schema", name)
		}
	}
	return errors.New("does not fit the schema")
}

func (e *encoder) message(members map[string]any) (proto.Message, error) {
	text, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	message := dynamicpb.NewMessage(e.described)
	return message, protojson.Unmarshal(text, message)
}

"""Topics of strangers: schemas with unions, oneofs, references, nested types, maps, wrappers, times and decimals, written by confluent-kafka's serializers.

Each topic goes from `init --topic` over `check` to `run`, and the same records, turned into JSON by the library that made them, over `replay`. Nothing is added
to what `init` proposes, nothing is rejected, and both learn the same weights.
"""

import datetime
import json
import os
import random
import uuid

import grpc_tools
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic
from confluent_kafka.schema_registry import Schema, SchemaReference, SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroSerializer
from confluent_kafka.schema_registry.json_schema import JSONSerializer
from confluent_kafka.schema_registry.protobuf import ProtobufSerializer
from confluent_kafka.serialization import MessageField, SerializationContext
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from grpc_tools import protoc

import strangers
from world import output

ROWS = 800
LIBRARIES = os.path.dirname(os.path.dirname(grpc_tools.__file__))
CONFIGURATION = {"auto.register.schemas": True}
draw = random.Random(2)


def often(share):
    return draw.random() < share


def some(record):
    """A record without the members that are None."""
    return {name: value for name, value in record.items() if value is not None}


def at(topic):
    return SerializationContext(topic, MessageField.VALUE)


# Protobuf: a schema in one file or several, the type of the messages, records as Protobuf's JSON has them, and words of the proposal.

USER = {"user.proto": """
    syntax = "proto3";
    message User {  // confluent-kafka's example, with a label and an attribute
      string name = 1;
      int64 favorite_number = 2;
      string favorite_color = 3;
      string gender = 4;
      bool approved = 5;
    }"""}

PAYMENT = {"payment.proto": """
    syntax = "proto3";
    package shop.v1;
    import "google/protobuf/timestamp.proto";
    import "google/protobuf/duration.proto";
    import "google/protobuf/wrappers.proto";
    import "google/type/money.proto";
    import "google/type/date.proto";
    message Audit { string by = 1; }
    message Payment {
      enum Answer { NO = 0; YES = 1; }
      message Customer {
        enum Sex { UNKNOWN = 0; FEMALE = 1; MALE = 2; }
        Sex sex = 1;
        google.type.Date born = 2;
        google.protobuf.StringValue country = 3;
      }
      string id = 1;
      google.type.Money amount = 2;
      google.protobuf.Timestamp at = 3;
      google.protobuf.Duration took = 4;
      Customer customer = 5;
      map<string, int64> tags = 6;
      oneof way { string card = 7; Transfer transfer = 8; bool cash = 9; }
      google.protobuf.DoubleValue fee = 10;
      google.protobuf.BoolValue returning = 11;
      Answer fraud = 2000;
    }
    message Transfer { uint32 days = 1; sint32 balance = 2; fixed64 number = 3; }
    """}

LOAN = {
    "bank/person.proto": """
    syntax = "proto3";
    package bank;
    message Person { uint32 age = 1; optional string gender = 2; repeated Month history = 3; message Month { int32 months = 1; bool late = 2; } }
    """,
    "loan.proto": """
    syntax = "proto3";
    package bank;
    import "bank/person.proto";
    message Loan {
      fixed32 application_id = 1;
      Person applicant = 2;
      optional double income = 3;
      repeated float scores = 4;
      map<int32, Person.Month> years = 5;
      optional bool granted = 6;
    }"""}

CANDIDATE = {"candidate.proto": """
    syntax = "proto2";
    package jobs;
    message Candidate {
      required string candidate_id = 1;
      optional float years = 2 [default = 1];
      optional bytes photo = 3;
      optional string ethnicity = 4;
      repeated group Skill = 5 { required string name = 1; optional int32 level = 2; }
      optional sfixed64 seen = 6;
      required int32 hired = 7;
      extensions 100 to 199;
    }"""}

EVENT = {"event.proto": """
    edition = "2023";
    package events;
    message Event {
      Data data = 1;
      bool ok = 2 [features.field_presence = IMPLICIT];
      Outcome outcome = 3;
      repeated int32 numbers = 4 [features.repeated_field_encoding = EXPANDED];
      message Data { double x = 1; map<string, double> rates = 2; string sex = 3; Data.Unit unit = 4 [features.message_encoding = DELIMITED]; message Unit { int32 scale = 1; } }
    }
    enum Outcome { OUTCOME_UNSPECIFIED = 0; GOOD = 1; BAD = 2; }"""}


def payment(i):
    born = datetime.date(1970, 1, 1) + datetime.timedelta(days=draw.randint(0, 9999))
    way = [{"card": "visa"}, {"transfer": {"days": draw.randint(0, 9), "balance": draw.randint(-50, 50), "number": str(10**15 + i)}}, {"cash": False}, {}]
    return some({"id": str(uuid.UUID(int=draw.getrandbits(128), version=4)), "amount": {"currency_code": "EUR", "units": str(draw.randint(1, 5000)), "nanos": draw.randint(0, 99) * 10**7},
                 "at": f"2026-01-01T{i // 60:02}:{i % 60:02}:00.125Z", "took": f"{draw.randint(0, 9)}.125s",
                 "customer": some({"sex": draw.choice(["FEMALE", "MALE"]), "born": {"year": born.year, "month": born.month, "day": born.day}, "country": draw.choice(["DE", "FR", None])}),
                 "tags": {"visits": draw.randint(0, 5)} if often(.6) else {}, "fee": draw.choice([None, 0, 1.25]), "returning": draw.choice([None, True, False]),
                 "fraud": "YES" if often(.4) else "NO", **draw.choice(way)})


def loan(i):
    month = lambda: {"months": draw.randint(1, 60), "late": often(.4)}
    return some({"application_id": i + 1, "applicant": some({"age": draw.randint(18, 80), "gender": draw.choice(["f", "m", None]), "history": [month() for _ in range(draw.randint(0, 2))]}),
                 "income": draw.choice([None, 0, draw.uniform(1e3, 1e5)]), "scores": [draw.random() for _ in range(draw.randint(0, 3))],
                 "years": {str(2020 + n): month() for n in range(draw.randint(0, 2))}, "granted": draw.choice([True, False, False, None])})


def candidate(i):
    return some({"candidate_id": f"c{i}", "years": draw.choice([None, draw.uniform(0, 30)]), "photo": "AAE=", "ethnicity": draw.choice(["a", "b", "c", None]),
                 "skill": [{"name": name, "level": draw.randint(1, 5)} for name in draw.sample(["go", "java", "sql"], 2)], "seen": str(1_700_000_000_000 + i), "hired": int(often(.4))})


def event(i):
    return {"data": some({"x": draw.choice([None, 0, draw.random()]), "rates": {"a": draw.random()} if often(.4) else {}, "sex": draw.choice(["F", "M"]), "unit": {"scale": draw.randint(0, 3)}}),
            "ok": often(.4), "outcome": draw.choice(["GOOD", "BAD"]), "numbers": [draw.randint(-3, 3) for _ in range(draw.randint(0, 3))]}


PROTOBUF = {
    "user": (USER, "User", strangers.user, ['label: {field: approved, positive: "true"}', "attribute: gender"]),
    "payment": (PAYMENT, "shop.v1.Payment", payment, ['label: {field: fraud, positive: "YES"}', "attribute: customer.sex"]),
    "loan": (LOAN, "bank.Loan", loan, ['label: {field: granted, positive: "true"}', "unlabelled: count", "attribute: applicant.gender"]),
    "candidate": (CANDIDATE, "jobs.Candidate", candidate, ['label: {field: hired, positive: "1"}', "attribute: ethnicity"]),
    "event": (EVENT, "events.Event", event, ['label: {field: outcome, positive: "GOOD"}', "attribute: data.sex"]),
}


def compiled(files, name, folder):
    """A type of some files of Protobuf, as generated code has it."""
    for path, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        with open(os.path.join(folder, path), "w") as file:
            file.write(text)
    made = os.path.join(folder, "set")
    roots = [f"-I{root}" for root in (folder, LIBRARIES, os.path.join(LIBRARIES, "grpc_tools", "_proto"))]
    if protoc.main(["protoc", *roots, "--include_imports", f"--descriptor_set_out={made}", *files]):
        raise SystemExit(f"{list(files)} cannot be compiled")
    pool = descriptor_pool.DescriptorPool()
    with open(made, "rb") as file:
        for described in descriptor_pb2.FileDescriptorSet.FromString(file.read()).file:
            pool.Add(described)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(name))


def with_nulls(kind, printed):
    """A message as JSON with null for a single value that has presence and is absent, as docs/formats.md has it; JSON leaves out both."""
    for field in kind.fields:
        message = field.message_type
        single = message is None or message.full_name.startswith("google.protobuf.")
        value = printed.get(field.name)
        if field.has_presence and single:
            printed.setdefault(field.name)
        elif value and not single and not message.GetOptions().map_entry:
            for inner in value if isinstance(value, list) else [value]:
                with_nulls(message, inner)
        elif value and not single and (inside := message.fields_by_name["value"].message_type):
            for inner in value.values():
                with_nulls(inside, inner)
    return printed


def protobuf_topics(client, folder):
    for name, (files, kind, make, words) in PROTOBUF.items():
        message = compiled(files, kind, os.path.join(folder, name))
        serializer = ProtobufSerializer(message, client, {**CONFIGURATION, "use.deprecated.format": False})
        topic, values, lines = f"protobuf-{name}", [], []
        for i in range(ROWS):
            record = json_format.ParseDict(make(i), message())
            values.append(serializer(record, at(topic)))
            printed = json_format.MessageToDict(record, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
            lines.append(with_nulls(record.DESCRIPTOR, printed))
        yield topic, "protobuf", values, lines, words


# JSON Schema: the schema, schemas that it refers to, records, and words of the proposal.

DRAFT_7 = {"$schema": "http://json-schema.org/draft-07/schema#"}
DRAFT_2020 = {"$schema": "https://json-schema.org/draft/2020-12/schema"}


def members(required=(), /, **properties):
    return {"type": "object", "properties": properties, "required": list(required)}


def nullable(schema):  # as generators of Java's classes write it
    return {"oneOf": [{"type": "null", "title": "Not included"}, schema]}


def optional(schema):  # as pydantic does
    return {"anyOf": [schema, {"type": "null"}], "default": None}


def payment_object(i):
    return {"id": str(uuid.UUID(int=draw.getrandbits(128), version=4)), "amount": draw.randint(100, 500_000) / 100, "at": f"2026-01-01T{i // 60:02}:{i % 60:02}:00Z",
            "customer": {"sex": draw.choice(["FEMALE", "MALE"]), "born": draw.choice([None, "1984-02-29", "1990-12-01"]), "address": draw.choice([None, {"country": "DE"}, {"country": "FR"}])},
            "tags": {"visits": draw.randint(0, 5)} if often(.6) else {}, "fraud": "YES" if often(.4) else "NO"}


def loan_object(i):
    return {"application_id": i + 1, "applicant": {"age": draw.randint(18, 80), "gender": draw.choice(["f", "m", None])}, "income": draw.choice([None, draw.uniform(1e3, 1e5)]),
            "history": [{"months": draw.randint(1, 60), "late": often(.4)} for _ in range(draw.randint(0, 2))], "granted": draw.choice([True, False, False, None])}


def candidate_object(i):
    return {"candidate_id": f"c{i}", "years": draw.uniform(0, 30), "photo": "AAE=", "ethnicity": draw.choice(["a", "b", "c", None]), "hired": int(often(.4)),
            "skills": {name: draw.randint(1, 5) for name in draw.sample(["go", "java", "sql"], 2)}, "channel": draw.choice(["web", "mail"])}


def event_object(i):
    return {"schema_version": 2, "event": {"data": {"x": draw.choice([None, draw.randint(0, 9), draw.random()]), "sex": draw.choice(["F", "M"])}, "ok": often(.4)}, "outcome": draw.choice(["GOOD", "BAD"])}


JSON = {
    "user": ({**DRAFT_7, "title": "User", "description": "A Confluent Kafka Python User", **members(
        ["name", "favorite_number", "favorite_color"], name={"description": "User's name", "type": "string"},
        favorite_number={"description": "User's favorite number", "type": "number", "exclusiveMinimum": -1},
        favorite_color={"description": "User's favorite color", "type": "string"}, gender={"type": "string"}, approved={"type": "boolean"})},
        {}, strangers.user, ['label: {field: approved, positive: "true"}', "attribute: gender", "Schema: User's favorite number"]),
    "payment": ({**DRAFT_7, "title": "Payment", "additionalProperties": False, **members(
        ["id", "fraud"], id={"type": "string", "format": "uuid"}, amount={"type": "number"}, at=nullable({"type": "string", "format": "date-time"}),
        customer=nullable({"$ref": "#/definitions/Customer"}), tags={"type": "object", "additionalProperties": {"type": "integer"}}, fraud={"type": "string", "enum": ["NO", "YES"]}),
        "definitions": {"Customer": members(sex={"type": "string", "enum": ["FEMALE", "MALE", "UNKNOWN"]}, born=nullable({"type": "string", "format": "date"}),
                                            address=nullable({"$ref": "#/definitions/Address"})), "Address": members(country={"type": "string"})}},
        {}, payment_object, ['label: {field: fraud, positive: "YES"}', "attribute: customer.sex", "id: id", "- at "]),
    "loan": ({**DRAFT_7, "title": "Loan", **members(
        ["application_id"], application_id={"type": "integer"}, applicant={"$ref": "person.json"}, income={"type": ["number", "null"]},
        history={"type": "array", "items": {"$ref": "person.json#/definitions/Month"}}, granted={"type": ["boolean", "null"]})},
        {"person.json": {**DRAFT_7, "$id": "person.json", **members(["age"], age={"type": "integer", "minimum": 0}, gender={"type": ["string", "null"]}),
                         "definitions": {"Month": members(months={"type": "integer"}, late={"type": "boolean"})}}},
        loan_object, ['label: {field: granted, positive: "true"}', "unlabelled: count", "attribute: applicant.gender"]),
    "candidate": ({**DRAFT_2020, "title": "Candidate", **members(
        ["candidate_id", "hired"], candidate_id={"type": "string", "title": "Candidate Id"}, years=optional({"type": "number"}), photo={"type": "string", "contentEncoding": "base64"},
        ethnicity=optional({"$ref": "#/$defs/Ethnicity"}), skills={"additionalProperties": {"type": "integer"}, "type": "object"}, hired={"enum": [0, 1], "type": "integer"},
        channel={"allOf": [{"$ref": "#/$defs/Channel"}], "default": "web"}), "$defs": {"Ethnicity": {"enum": ["a", "b", "c"], "type": "string"}, "Channel": {"type": "string"}}},
        {}, candidate_object, ['label: {field: hired, positive: "1"}', "attribute: ethnicity"]),
    "event": ({**DRAFT_7, "title": "Envelope", **members(
        schema_version={"const": 2}, event={"allOf": [members(ok={"type": "boolean"}), members(data={"oneOf": [members(x={}, sex={"type": "string"}), {"type": "string"}]})]},
        outcome=nullable({"type": "string", "enum": ["GOOD", "BAD"]}))},
        {}, event_object, ['label: {field: outcome, positive: "GOOD"}', "attribute: event.data.sex"]),
}


def json_topics(client):
    for name, (schema, others, make, words) in JSON.items():
        references = []
        for path, other in others.items():
            client.register_schema(path, Schema(json.dumps(other), "JSON"))
            references.append(SchemaReference(path, path, 1))
        serializer, topic = JSONSerializer(Schema(json.dumps(schema), "JSON", references), client, conf=CONFIGURATION), f"json-{name}"
        lines = [make(i) for i in range(ROWS)]
        yield topic, "json", [serializer(line, at(topic)) for line in lines], lines, words


# Avro: the sets of strangers.py. A container file stands for the JSON of the others.

AVRO = {
    "user": ['label: {field: approved, positive: "true"}', "attribute: gender"],
    "payment": ['label: {field: fraud, positive: "YES"}', "attribute: customer.sex", "id: id"],
    "loan": ['label: {field: granted, positive: "true"}', "unlabelled: count", "attribute: applicant.gender"],
    "candidate": ['label: {field: hired, positive: "1"}', "attribute: ethnicity"],
    "event": ['label: {field: outcome, positive: "GOOD"}', "attribute: event.data.sex"],
}


def avro_topics(client):
    for name, words in AVRO.items():
        make, schema = strangers.SETS[name]
        serializer, topic = AvroSerializer(client, json.dumps(schema), conf=CONFIGURATION), f"avro-{name}"
        records = [make(i) for i in range(ROWS)]
        yield topic, "avro", [serializer(record, at(topic)) for record in records], strangers.container(schema, records), words


def through(program, brokers, url, folder):
    """Every topic goes through the commands."""
    client = SchemaRegistryClient({"url": url})
    for topics in (protobuf_topics(client, folder), json_topics(client), avro_topics(client)):
        for topic, encoding, values, records, words in topics:
            one(program, brokers, url, folder, topic, encoding, values, records, words)


def one(program, brokers, url, folder, topic, encoding, values, records, words):
    run = lambda *arguments: output([program, *arguments], folder)
    connection = {"bootstrap.servers": brokers, "log_level": 2, "enable.metrics.push": False}
    admin = AdminClient(connection)
    admin.create_topics([NewTopic(topic, 1)])[topic].result()
    producer = Producer(connection)
    for value in values:
        producer.produce(topic, value, partition=0)
    producer.flush()
    draft = run("init", "--topic", topic, "--job", topic, "--brokers", brokers, "--registry", url, "--format", encoding)
    if lacking := [w for w in words if w not in draft]:
        raise SystemExit(f"{topic}: init does not propose {lacking}:\n{draft}")
    config = os.path.join(folder, topic + ".yaml")
    with open(config, "w") as file:
        file.write(draft)
    if isinstance(records, bytes):
        path = os.path.join(folder, topic + ".avro")
        with open(path, "wb") as file:
            file.write(records)
    else:
        path = os.path.join(folder, topic + ".jsonl")
        with open(path, "w") as file:
            file.writelines(json.dumps(r) + "\n" for r in records)
    said = run("check", "--config", config)
    if f"{ROWS} records of topic {topic}; 0 rejected." not in said:
        raise SystemExit(f"{topic}: check says\n{said}")
    run("topics", "create", "--config", config)
    run("run", "--config", config, "--until-end", "--set", "server.address=")
    learnt = json.loads(run("models", "show", "--json", "--config", config))
    replayed = json.loads(run("replay", "--config", config, "--input", path, "--json").strip().splitlines()[-1])
    got, want = (learnt["weights_sha256"], learnt["rejected"]), (replayed["model"]["weights_sha256"], replayed["rejected"])
    if got != want or got[1]:
        raise SystemExit(f"{topic}: weights and rejected records are {got}, of replay {want}")
    print(f"{topic:20} init, check, run and replay: {learnt['records']} records with a label, weights {got[0][:16]} equal", flush=True)

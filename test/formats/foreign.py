"""Records that serializers of others wrote are learnt as the same records in JSON are: the weights are equal, bit for bit.

foreign.py FAIRSTREAM ADULT.CSV.GZ REGISTRY.JAR [RECORDS] starts an embedded broker and Apicurio, and learns from a topic per format. In the middle of
each topic the schema changes: a field is added, one is removed, and an int becomes a double. At last it runs the commands of examples/registry, and takes the topics of strangers (topics.py)
through `init`, `check` and `run`.
"""

import csv
import gzip
import json
import os
import sys
import tempfile

import fastavro
from confluent_kafka import Producer
from confluent_kafka.schema_registry import SchemaRegistryClient, header_schema_id_serializer
from confluent_kafka.schema_registry.avro import AvroSerializer
from confluent_kafka.schema_registry.json_schema import JSONSerializer
from confluent_kafka.schema_registry.protobuf import ProtobufSerializer
from confluent_kafka.serialization import MessageField, SerializationContext
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

import topics
from world import WithGUIDs, broker, output, registry, stopped

PROGRAM, ADULT, JAR = (os.path.abspath(path) for path in sys.argv[1:4])
RECORDS = int(sys.argv[4]) if len(sys.argv) > 4 else 20_000
PROTOBUF_TYPES = {"int": 5, "double": 1, "string": 9}  # of FieldDescriptorProto


def records():
    """Records with the kind of each field, a schema for each half. Those without a value have None."""
    with gzip.open(ADULT, "rt", newline="") as file:
        rows = [row for row, _ in zip(csv.DictReader(file), range(RECORDS))]
    numeric = {name for name in rows[0] if all(row[name].lstrip("-").isdigit() for row in rows)}
    kinds = {name: "int" if name in numeric else "string" for name in rows[0]}
    removed = next(name for name in rows[0] if name == "education")
    changed = next(name for name in sorted(numeric) if "hours" in name)
    halves = [kinds, {**{n: k for n, k in kinds.items() if n != removed}, changed: "double", "shift": "string"}]
    all_records = []
    for i, row in enumerate(rows):
        row["shift"] = "night" if i % 3 else "day"
        kinds = halves[2 * i // len(rows)]
        all_records.append({n: None if row[n] == "?" else int(row[n]) if n in numeric else row[n] for n in kinds})
    return all_records, halves


def avro_schema(kinds, name="Adult"):
    fields = [{"name": n, "type": ["null", k], "default": None} for n, k in kinds.items()]
    return {"type": "record", "name": name, "namespace": "test", "fields": fields}


def change_schema(kinds):
    row = avro_schema(kinds, "Value")
    return {"type": "record", "name": "Envelope", "namespace": "test", "fields": [
        {"name": "before", "type": ["null", row]}, {"name": "after", "type": ["null", "Value"]}, {"name": "op", "type": "string"}]}


def protobuf_type(kinds, half):
    """A type with optional fields, made as generated code makes it. Numbers are those of the names, whatever the half."""
    file = descriptor_pb2.FileDescriptorProto(name=f"adult{half}.proto", package=f"test{half}", syntax="proto3")
    message = file.message_type.add(name="Adult")
    numbers = {name: i + 1 for i, name in enumerate(sorted({*kinds, "education", "shift"}))}
    for i, (name, kind) in enumerate(kinds.items()):
        message.field.add(name=name, number=numbers[name], type=PROTOBUF_TYPES[kind], label=1, oneof_index=i, proto3_optional=True)
        message.oneof_decl.add(name=f"_{name}")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"test{half}.Adult"))


def serialized(all_records, halves, client):
    """The messages of each topic, and what its configuration says."""
    half = lambda i: 2 * i // len(all_records)
    at = lambda topic: SerializationContext(topic, MessageField.VALUE)
    configuration = {"auto.register.schemas": True}
    avro = [AvroSerializer(client, json.dumps(avro_schema(k)), conf=configuration) for k in halves]
    change = [AvroSerializer(client, json.dumps(change_schema(k)), conf=configuration) for k in halves]
    objects = [JSONSerializer(json.dumps({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "title": f"Adult{i}", "properties": {}}), client, conf=configuration) for i in range(2)]
    classes = [protobuf_type(k, i) for i, k in enumerate(halves)]
    protobuf = [ProtobufSerializer(c, client, {**configuration, "use.deprecated.format": False}) for c in classes]
    present = lambda r: {n: v for n, v in r.items() if v is not None}
    def headed(serializer, value, topic):
        """The message and its headers, of a serializer that names the schema there."""
        headers = []
        return serializer(value, SerializationContext(topic, MessageField.VALUE, headers)), headers

    in_header = {**configuration, "schema.id.serializer": header_schema_id_serializer}
    yield "json", "", [json.dumps(r).encode() for r in all_records]
    yield "jsonschema", "", [objects[half(i)](r, at(f"jsonschema{half(i)}")) for i, r in enumerate(all_records)]
    yield "avro", "format: avro", [avro[half(i)](r, at(f"avro{half(i)}")) for i, r in enumerate(all_records)]
    yield "debezium", "format: avro, at: debezium", [
        change[half(i)]({"before": None, "after": r, "op": "cu"[i % 2]}, at(f"debezium{half(i)}")) for i, r in enumerate(all_records)]
    avro = [AvroSerializer(client, json.dumps(avro_schema(k)), conf=in_header) for k in halves]
    yield "avro-guid", "format: avro", [headed(avro[half(i)], r, f"avro{half(i)}") for i, r in enumerate(all_records)]
    guided = [ProtobufSerializer(c, client, {**in_header, "use.deprecated.format": False}) for c in classes]
    yield "protobuf-guid", "format: protobuf", [headed(guided[half(i)], classes[half(i)](**present(r)), f"protobuf{half(i)}") for i, r in enumerate(all_records)]
    yield "protobuf", "format: protobuf", [protobuf[half(i)](classes[half(i)](**present(r)), at(f"protobuf{half(i)}")) for i, r in enumerate(all_records)]


def main():
    all_records, halves = records()
    with tempfile.TemporaryDirectory() as folder:
        kafka, brokers = broker(PROGRAM, folder)
        schemas, url = registry(JAR)
        with stopped(kafka, schemas):
            compare(all_records, halves, brokers, WithGUIDs(url).url, folder)
            example(brokers, url)
            topics.through(PROGRAM, brokers, url, folder)


def compare(all_records, halves, brokers, url, folder):
    want, problems = None, 0
    client = SchemaRegistryClient({"url": url})
    for name, section, messages in serialized(all_records, halves, client):
        path = os.path.join(folder, name + ".yaml")
        with open(path, "w") as file:
            file.write(f"""job: {name}
record: {{{section + ', ' if section else ''}label: {{field: income, positive: ">50K"}}}}
constraints: [{{name: sex, attribute: sex, group: Male, versus: Female, tau: 0.05}}]
kafka: {{brokers: ["{brokers}"]}}
topics: {{input: {name}, model: {name}.models, state: {name}.state, dead_letter: {name}.dlq}}
server: {{address: ""}}
""" + (f"registry: {{urls: [\"{url}\"]}}\n" if "format" in section else ""))
        run = lambda *arguments: output([PROGRAM, *arguments, "--config", path], folder)
        run("topics", "create")
        producer = Producer({"bootstrap.servers": brokers, "log_level": 3, "queue.buffering.max.messages": 1_000_000})
        for message in messages:
            value, headers = message if isinstance(message, tuple) else (message, None)
            producer.produce(name, value, partition=0, headers=headers)
        producer.flush()
        run("run", "--until-end")
        document = json.loads(run("models", "show", "--json"))
        got = (document["weights_sha256"], document["records"], document["rejected"])
        want = want or got
        problems += got != want
        print(f"{name:14} {document['records']:7} records, {document['rejected']} rejected, weights {got[0][:16]} {'equal' if got == want else 'DIFFER'}")
    problems += containers(all_records, halves, folder)
    if problems or want[1] != len(all_records):
        sys.exit(f"{problems} formats differ, or records are missing")


def containers(all_records, halves, folder):
    """Container files of each codec, of the first half, whose schema is one."""
    first, problems = all_records[: len(all_records) // 2], 0
    with open(os.path.join(folder, "c.yaml"), "w") as file:
        file.write('record: {label: {field: income, positive: ">50K"}}\nconstraints: [{name: sex, attribute: sex, group: Male, versus: Female, tau: 0.05}]\n')
    with open(os.path.join(folder, "a.jsonl"), "w") as file:
        file.writelines(json.dumps(r) + "\n" for r in first)
    weights = lambda name: json.loads(output([PROGRAM, "replay", "--config", "c.yaml", "--input", name, "--json"], folder).strip().splitlines()[-1])["model"]["weights_sha256"]
    want = weights("a.jsonl")
    for codec in ("null", "deflate"):
        with open(os.path.join(folder, codec + ".avro"), "wb") as file:
            fastavro.writer(file, fastavro.parse_schema(avro_schema(halves[0])), first, codec=codec)
        got = weights(codec + ".avro")
        problems += got != want
        print(f"container of {codec}: weights {got[:16]} {'equal' if got == want else 'DIFFER'}")
    return problems


def example(brokers, url):
    """The commands of examples/registry: a schema that produce registers, and records that it writes."""
    folder = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "registry")
    os.environ.update(FAIRSTREAM_KAFKA_BROKERS=brokers, FAIRSTREAM_REGISTRY_URLS=url, FAIRSTREAM_SERVER_ADDRESS="")
    run = lambda *arguments: output([PROGRAM, *arguments, "--config", "loans.yaml"], folder)
    run("topics", "create")
    run("produce", "--input", "../loans/sample.jsonl", "--schema", "loan.avsc")
    run("run", "--until-end")
    document = json.loads(run("models", "show", "--json"))
    print(f"example: {document['records']} records, {document['rejected']} rejected")
    if document["records"] != 3000 or document["rejected"]:
        sys.exit("records of examples/registry are missing")


main()

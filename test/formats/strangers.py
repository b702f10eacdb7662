"""Avro container files as strangers write them: unions, decimals, nested records, maps, arrays and logical types.

strangers.py FOLDER writes the files of cmd/fairstream/testdata/strangers. The first schema is that of confluent-kafka's example.
"""

import datetime
import decimal
import io
import os
import random
import sys
import uuid

import fastavro

ROWS = 800
draw = random.Random(1)


def record(name, /, **fields):
    return {"type": "record", "name": name, "fields": [{"name": key, "type": kind} for key, kind in fields.items()]}


def logical(kind, name, /, **more):
    return {"type": kind, "logicalType": name, **more}


def array(items):
    return {"type": "array", "items": items}


def mapping(values):
    return {"type": "map", "values": values}


def enum(name, *symbols):
    return {"type": "enum", "name": name, "symbols": list(symbols)}


def often(share):
    return draw.random() < share


def user(i):
    return {"name": f"user {i}", "favorite_number": draw.randint(0, 9), "favorite_color": draw.choice(["red", "blue", "green"]),
            "gender": draw.choice(["m", "f"]), "approved": often(.4)}


def payment(i):
    born = datetime.date(1970, 1, 1) + datetime.timedelta(days=draw.randint(0, 9999))
    address = {"postcode": f"{draw.randint(0, 50):05}", "country": draw.choice(["DE", "FR"])}
    return {"id": str(uuid.UUID(int=draw.getrandbits(128), version=4)), "amount": decimal.Decimal(draw.randint(100, 500_000)) / 100,
            "fee": decimal.Decimal("1.25") if often(.5) else None,
            "at": datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(minutes=i),
            "customer": {"sex": draw.choice(["FEMALE", "MALE"]), "born": born if often(.9) else None, "address": address if often(.7) else None},
            "tags": {"channel": draw.choice(["web", "app"]), "number": draw.randint(0, 5)} if often(.6) else {},
            "fraud": "YES" if often(.4) else "NO"}


def loan(i):
    person = {"age": draw.randint(18, 80), "gender": draw.choice(["f", "m", None])}
    return {"application_id": i, "applicant": ("Person", person) if often(.9) else ("Company", {"employees": draw.randint(1, 500)}),
            "income": draw.choice([None, draw.uniform(1e3, 1e5), "unknown"]), "scores": [draw.random() for _ in range(draw.randint(0, 3))],
            "history": [{"months": draw.randint(1, 60), "late": often(.4)} for _ in range(draw.randint(0, 2))],
            "granted": draw.choice([True, False, False, None])}


def candidate(i):
    return {"candidate_id": f"c{i}", "years": draw.uniform(0, 30), "start": datetime.time(9, draw.randint(0, 59)),
            "seen": datetime.datetime(2026, 1, 1) + datetime.timedelta(seconds=i), "photo": b"\0\1", "checksum": draw.randbytes(16),
            "ethnicity": draw.choice(["a", "b", "c", None]), "skills": {name: draw.randint(1, 5) for name in draw.sample(["go", "java", "sql"], 2)},
            "hired": int(often(.4))}


def event(i):
    return {"event": {"data": {"x": draw.choice([None, draw.randint(0, 9), draw.random()]), "rates": {"a": {"b": draw.random()}} if often(.4) else {},
                               "sex": draw.choice(["F", "M"])}, "ok": often(.4)}, "outcome": draw.choice(["GOOD", "BAD"])}


SETS = {
    "user": (user, record("User", name="string", favorite_number="long", favorite_color="string", gender="string", approved="boolean")),
    "payment": (payment, record(
        "Payment", id=logical("string", "uuid"), amount=logical("bytes", "decimal", precision=12, scale=2),
        fee=["null", logical("fixed", "decimal", name="Fee", size=8, precision=10, scale=4)], at=logical("long", "timestamp-millis"),
        customer=record("Customer", sex=enum("Sex", "FEMALE", "MALE", "UNKNOWN"), born=["null", logical("int", "date")],
                        address=["null", record("Address", postcode="string", country="string")]),
        tags=mapping(["null", "string", "long"]), fraud=enum("Answer", "NO", "YES"))),
    "loan": (loan, record(
        "Application", application_id="long",
        applicant=[record("Person", age="int", gender=["null", "string"]), record("Company", employees="int")],
        income=["null", "double", "string"], scores=array("float"), history=array(record("Month", months="int", late="boolean")),
        granted=["null", "boolean"])),
    "candidate": (candidate, record(
        "Candidate", candidate_id="string", years="float", start=logical("int", "time-millis"), seen=logical("long", "local-timestamp-micros"),
        photo="bytes", checksum={"type": "fixed", "name": "Sum", "size": 16}, ethnicity=["string", "null"], skills=mapping("int"), hired="int")),
    "event": (event, record(
        "Envelope", event=record("Event", data=record("Data", x=["null", "int", "double"], rates=mapping(mapping("double")), sex="string"), ok="boolean"),
        outcome=["null", enum("Outcome", "GOOD", "BAD")])),
}


def container(schema, records):
    """A container file."""
    file = io.BytesIO()
    fastavro.writer(file, fastavro.parse_schema(schema), records, codec="deflate", sync_marker=b"fairstream tests")
    return file.getvalue()


if __name__ == "__main__":
    for name, (make, schema) in SETS.items():
        with open(os.path.join(sys.argv[1], name + ".avro"), "wb") as file:
            file.write(container(schema, [make(i) for i in range(ROWS)]))

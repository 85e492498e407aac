#!/usr/bin/env python3
"""Checks a reader of .figs folders, in any language, against the conformance vectors.

    python3 run.py --findings 'figs-web doctor {folder} --json --now {now}' \\
                   --fold 'figs-web fold {folder} --ledger {ledger}'

The first command prints one JSON object whose "findings" have code, severity, file, line, column and record. The second one
prints the records of a ledger (runs, asks or messages), one JSON object per line. Each is run once per vector; {folder}, {now}
and {ledger} are replaced. Exit codes don't count. Needs Python 3.8 and nothing else. The exit code is 0 if all vectors agree,
1 if some differ, and 2 if a command can't be run.
"""
import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import zipfile
from functools import partial
from pathlib import Path


class Vectors:
    """The vectors, in this file's folder or in the zip that is given."""
    def __init__(self, archive):
        if archive:
            file = zipfile.ZipFile(archive)
            self.files = {n[len("vectors/"):]: partial(file.read, n) for n in file.namelist() if n.startswith("vectors/")}
        else:
            root = Path(__file__).resolve().parent / "vectors"
            self.files = {p.relative_to(root).as_posix(): p.read_bytes for p in root.rglob("*") if p.is_file()}

    def names(self):
        return sorted(n[: -len("/vector.json")] for n in self.files if n.endswith("/vector.json"))

    def read(self, name):
        return self.files[name]()

    def folds(self, name):
        paths = {l: "%s/fold/%s.jsonl" % (name, l) for l in ("runs", "asks", "messages")}
        return {l: lines(self.read(p).decode("utf-8")) for l, p in paths.items() if p in self.files}

    def lay(self, name, vector, folder):
        """Writes a vector's folder to disk. Attachments are zeros of their size: their content plays no part."""
        os.makedirs(os.path.join(folder, "artifacts"))
        prefix = name + "/.figs/"
        for path in self.files:
            if path.startswith(prefix):
                with open(os.path.join(folder, path[len(prefix):]), "wb") as file:
                    file.write(self.read(path))
        for attachment in vector["artifacts"]:
            if "/" in attachment["name"] or "\0" in attachment["name"]:
                raise OSError("no file can have that name")
            with open(os.path.join(folder, "artifacts", attachment["name"]), "wb") as file:
                file.truncate(attachment["size"])


def same(a, b):
    """Whether two JSON values are the same. In Python, True == 1."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return isinstance(a, bool) == isinstance(b, bool) and a == b


def same_text(a, b):
    try:
        return a == b or same(json.loads(a), json.loads(b))
    except RecursionError:  # nested too deeply for Python: the same but for white space
        return len({re.sub(r'("(?:[^"\\]|\\.)*")|\s+', r"\1", text) for text in (a, b)}) == 1


def lines(text):
    return [line for line in text.split("\n") if line.strip()]


def output(command, **values):
    args = [part.format(**values) for part in shlex.split(command)]
    done = subprocess.run(args, capture_output=True)
    if not done.stdout and done.stderr:
        raise ValueError(done.stderr.decode("utf-8", "replace").strip())
    return done.stdout.decode("utf-8")


def findings(text):
    return [{k: f.get(k, "") for k in ("severity", "code", "file", "line", "column", "record")} for f in json.loads(text)["findings"]]


def differences(vector, folds, folder, options):
    if options.findings:
        got, want = findings(output(options.findings, folder=folder, now=vector["now"])), vector["findings"]
        for sign, some, others in (("missing", want, got), ("unexpected", got, want)):
            for finding in some:
                if finding not in others:
                    yield "%s finding %s" % (sign, json.dumps(finding))
        if got != want and sorted(map(str, got)) == sorted(map(str, want)):
            yield "the findings are in another order"
    for ledger, want in folds.items() if options.fold else ():
        got = lines(output(options.fold, folder=folder, now=vector["now"], ledger=ledger))
        if len(got) != len(want):
            yield "%s: %d records, want %d" % (ledger, len(got), len(want))
        for i, (g, w) in enumerate(zip(got, want)):
            if not same_text(g, w):
                yield "%s: record %d is %.200s, want %.200s" % (ledger, i + 1, g, w)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--findings", metavar="COMMAND", help="prints the findings of {folder}, judged at the time {now}")
    parser.add_argument("--fold", metavar="COMMAND", help="prints the records of {ledger} in {folder}")
    parser.add_argument("--zip", help="read the vectors from the zip file, without unpacking it")
    parser.add_argument("--only", default="", metavar="TEXT", help="only vectors whose names contain TEXT")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth vector")
    options = parser.parse_args()
    if not (options.findings or options.fold):
        parser.error("give --findings, --fold, or both")
    vectors = Vectors(options.zip)
    passed = failed = skipped = 0
    for name in [n for n in vectors.names() if options.only in n][:: options.every]:
        vector = json.loads(vectors.read(name + "/vector.json").decode("utf-8"))
        with tempfile.TemporaryDirectory() as parent:
            folder = os.path.join(parent, ".figs")
            try:
                if vector["problems"]:
                    raise OSError("a real folder doesn't meet these problems")
                vectors.lay(name, vector, folder)
            except (OSError, ValueError) as why:
                print("skip %s: %s" % (name, why))
                skipped += 1
                continue
            try:
                wrong = list(differences(vector, vectors.folds(name), folder, options))
            except OSError as why:
                parser.exit(2, "run.py: %s\n" % why)
            except (ValueError, KeyError) as why:
                wrong = ["no answer in the expected format: %s" % why]
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            print("FAIL %s: %s" % (name, vector["about"]))
            for sentence in wrong:
                print("    " + sentence)
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()

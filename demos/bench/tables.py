#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Prints the README's tables in Markdown, from a folder of measurements by run.sh:

    python3 demos/bench/tables.py build/bench/bench

Only printed numbers are rounded. A dash stands for a cell that was not measured. Needs only Python.
"""

import json
import pathlib
import sys

UNKNOWN = "–"

# For each row: its name, the file of its measurements, and the fields that select its runs.
BULLET_ROWS = [
    ("brownian, all moving", "motion", {"moving": 100}),
    ("brownian, all moving, slow", "slow", {}),
    ("brownian, 10 % moving", "motion", {"moving": 10}),
    ("brownian, 1 % moving", "motion", {"moving": 1}),
    ("brownian, nothing moving", "motion", {"moving": 0}),
    ("brownian, all moving, eight steps in a row", "turns", {"moving": 100}),
    ("brownian, all moving, slow, eight steps in a row", "slow-turns", {}),
    ("brownian, 10 % moving, eight steps in a row", "turns", {"moving": 10}),
    ("brownian, 1 % moving, eight steps in a row", "turns", {"moving": 1}),
    ("clustered, all moving", "scenes", {"scene": "clustered"}),
    ("column, all moving", "scenes", {"scene": "column"}),
    ("mixed, all moving", "scenes", {"scene": "mixed"}),
    ("tremble, all moving", "scenes", {"scene": "tremble"}),
]
PROGRAM_ROWS = [
    ("cloth", "cloth", {"speed": 1}),
    ("cloth, large displacements", "cloth", {"speed": 100}),
    ("teams", "teams", {"speed": 1}),
    ("teams, large displacements", "teams", {"speed": 100}),
    ("level", "level", {}),
    ("debris", "debris", {}),
    ("tremble", "tremble", {}),
]
CORE_ROWS = [
    (f"{scene}, {what}", {"scene": scene, "engine": engine})
    for scene in ("brownian", "clustered")
    for engine, what in (("core", "changes"), ("core-full", "changes and full list"))
]
JUMPING_ROWS = [
    (f"{engine}, {moving} % moving", {"engine": engine, "moving": moving})
    for engine in ("cullet", "core")
    for moving in (100, 10)
]


class Bench:
    """The reports of a folder."""

    def __init__(self, folder):
        self.reports = {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}
        self.commands = {path.stem: path.read_text().strip() for path in sorted(folder.glob("*.command"))}
        if not self.reports:
            sys.exit(f"tables.py: no measurements in {folder}")

    def sizes(self):
        """The sizes of all scenes except those with a size of their own."""
        own = {name for _, name, _ in PROGRAM_ROWS}
        runs = (report["runs"] for name, report in self.reports.items() if name not in own)
        return sorted({run["bodies"] for of_name in runs for run in of_name})

    def value(self, name, field, **wanted):
        """The field of the only run with the wanted values; None if it was not measured."""
        runs = [
            run
            for run in self.reports.get(name, {"runs": []})["runs"]
            if all(run[key] == value for key, value in wanted.items())
        ]
        if len(runs) > 1:
            sys.exit(f"tables.py: {len(runs)} runs of {name} are {wanted}")
        return runs[0][field] if runs else None


def three_digits(value):
    """Three significant digits, without an exponent."""
    if value is None:
        return UNKNOWN
    decimals = 0
    while decimals < 5 and value < 10 ** (2 - decimals):
        decimals += 1
    return f"{value:,.{decimals}f}"


def ratio(numerator, denominator):
    return None if numerator is None or not denominator else numerator / denominator


def print_table(title, bench, names, first_column, rows):
    """rows: pairs of a heading and a function from a size to a value."""
    print(f"\n### {title}")
    if names:
        print("\n" + "\n".join(f"    {bench.commands[name]}" for name in names if name in bench.commands))
    sizes = bench.sizes()
    print(f"\n| {first_column} | " + " | ".join(f"{size:,}" for size in sizes) + " |")
    print("|---|" + "---:|" * len(sizes))
    for heading, value_at in rows:
        print(f"| {heading} | " + " | ".join(three_digits(value_at(size)) for size in sizes) + " |")


def milliseconds(bench, name, engine, wanted):
    return lambda size: bench.value(name, "total_ms", bodies=size, engine=engine, **wanted)


def times_as_fast(bench, name, other, wanted):
    def value_at(size):
        theirs = bench.value(name, "total_ms", bodies=size, engine=other, **wanted)
        return ratio(theirs, bench.value(name, "total_ms", bodies=size, engine="cullet", **wanted))

    return value_at


def print_bullet_tables(bench):
    commands = {"dbvt": ["motion", "slow", "turns", "slow-turns", "scenes"], "dbvt-deferred": []}  # the same for all tables
    for other, names in commands.items():
        rows = [(heading, times_as_fast(bench, name, other, wanted)) for heading, name, wanted in BULLET_ROWS]
        print_table(f"Through Bullet's interface: times the rate of {other}", bench, names, "bodies", rows)
    for engine in ("cullet", "dbvt", "dbvt-deferred"):
        rows = [(heading, milliseconds(bench, name, engine, wanted)) for heading, name, wanted in BULLET_ROWS]
        print_table(f"Through Bullet's interface: milliseconds a step of {engine}", bench, [], "bodies", rows)
    rows = [
        (heading, lambda size, name=name, wanted=wanted: bench.value(
            name, "cache_ms", bodies=size, engine="cullet", **wanted))
        for heading, name, wanted in BULLET_ROWS
    ]
    print_table("Of that, spent on the pair cache: milliseconds a step of cullet", bench, [], "bodies", rows)


def print_program_table(bench):
    """Scenes with a size of their own. One column for each engine of the build."""
    runs = {name: bench.reports.get(name, {"runs": []})["runs"] for _, name, _ in PROGRAM_ROWS}
    engines = list(dict.fromkeys(run["engine"] for of_name in runs.values() for run in of_name))
    print("\n### Scenes of real programs: milliseconds a step, and how many times as long as core")
    print("\n" + "\n".join(f"    {bench.commands[name]}" for name in runs if name in bench.commands))
    print("\n| scene | bodies | pairs | " + " | ".join(engines) + " |")
    print("|---|" + "---:|" * (2 + len(engines)))
    for heading, name, wanted in PROGRAM_ROWS:
        core = bench.value(name, "total_ms", engine="core", **wanted)
        cells = []
        for engine in engines:
            ms = bench.value(name, "total_ms", engine=engine, **wanted)
            cells.append(f"{three_digits(ms)} ({three_digits(ratio(ms, core))})")
        count = [bench.value(name, field, engine="core", **wanted) for field in ("bodies", "pairs")]
        print(f"| {heading} | {count[0]:,} | {count[1]:,} | " + " | ".join(cells) + " |")


def print_core_table(bench):
    rows = []
    for heading, wanted in CORE_ROWS:
        def at(size, threads, wanted=wanted):
            return bench.value("core", "total_ms", bodies=size, threads=threads, **wanted)

        rows += [(f"{heading}, {threads} thread{'s' * (threads > 1)}", lambda size, t=threads, at=at: at(size, t))
                 for threads in (1, 2)]
        rows.append((f"{heading}, two threads over one", lambda size, at=at: ratio(at(size, 1), at(size, 2))))
    print_table("The C API: milliseconds a step, all moving", bench, ["core"], "bodies", rows)


def print_jumping_table(bench):
    rows = []
    for heading, wanted in JUMPING_ROWS:
        def at(size, jumping, wanted=wanted):
            return bench.value("jumping", "total_ms", bodies=size, jumping=jumping, **wanted)

        rows.append((f"{heading}, ms without jumps", lambda size, at=at: at(size, 0)))
        rows.append((f"{heading}, ms with 1 % jumping", lambda size, at=at: at(size, 1)))
        rows.append((f"{heading}, times as long", lambda size, at=at: ratio(at(size, 1), at(size, 0))))
    print_table("Jumps: brownian", bench, ["jumping"], "bodies", rows)


def print_memory_table(bench):
    rows = [
        (engine, lambda size, engine=engine: bench.value("memory", "peak_mib", bodies=size, engine=engine))
        for engine in ("dbvt", "cullet", "core")
    ]
    print_table("Peak memory: MiB, brownian", bench, ["memory"], "bodies", rows)


def print_origin(bench):
    """Machine, commit and date, which must be the same for all measurements."""
    origins = {
        (report["machine"]["processor"], report["machine"]["processors"], report["machine"]["memory_gib"],
         report["machine"]["system"], report["machine"]["compiler"], report["machine"]["bullet"], report["commit"])
        for report in bench.reports.values()
    }
    if len(origins) > 1:
        sys.exit("tables.py: the measurements are from several machines or commits")
    processor, processors, memory, system, compiler, bullet, commit = origins.pop()
    dates = sorted({report["date"] for report in bench.reports.values()})
    print(f"{processor}, {processors} processors, {memory:.0f} GiB, {system}; {compiler}; Bullet {bullet};")
    print(f"cullet {commit}; {' to '.join(dates)}. Medians of whole steps. The engines make each step in turn, or eight")
    print("steps in a row where a row says so: then they find their own memory in the caches, not that of the others.")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: tables.py <folder>")
    bench = Bench(pathlib.Path(sys.argv[1]))
    print_origin(bench)
    print_bullet_tables(bench)
    print_program_table(bench)
    print_core_table(bench)
    print_jumping_table(bench)
    print_memory_table(bench)


if __name__ == "__main__":
    main()

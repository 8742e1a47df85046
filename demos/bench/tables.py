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


class Bench:
    """The reports of a folder."""

    def __init__(self, folder):
        self.reports = {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}
        self.commands = {path.stem: path.read_text().strip() for path in sorted(folder.glob("*.command"))}
        if not self.reports:
            sys.exit(f"tables.py: no measurements in {folder}")

    def sizes(self):
        """The sizes in runs of scenes that are measured at every size."""
        own = {name for _, name, _ in PROGRAM_ROWS}
        runs = (report["runs"] for name, report in self.reports.items() if name not in own)
        return sorted({run["bodies"] for of_name in runs for run in of_name})

    def value(self, name, field, **wanted):
        """The value of `field` in the only run with the wanted values; None if that run was not measured."""
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


def field(name, engine, of="total_ms", **wanted):
    """A cell: the value of an engine's run at a size, in milliseconds a step unless `of` names another field."""
    return lambda bench, size: bench.value(name, of, bodies=size, engine=engine, **wanted)


def ratio_cell(numerator, denominator):
    """A cell: the ratio of two cells."""
    return lambda bench, size: ratio(numerator(bench, size), denominator(bench, size))


# Each item is a table with a column for each size: (title, names of measurements, rows). A row is (heading, cell).


def bullet_tables():
    through, measured = "Through Bullet's interface", ["motion", "slow", "turns", "slow-turns", "scenes"]
    for other in ("dbvt", "dbvt-deferred"):
        yield (f"{through}: times the rate of {other}", measured if other == "dbvt" else [],
               [(heading, ratio_cell(field(name, other, **wanted), field(name, "cullet", **wanted)))
                for heading, name, wanted in BULLET_ROWS])
    for engine in ("cullet", "dbvt", "dbvt-deferred"):
        yield (f"{through}: milliseconds a step of {engine}", [],
               [(heading, field(name, engine, **wanted)) for heading, name, wanted in BULLET_ROWS])
    yield ("Of that, spent on the pair cache: milliseconds a step of cullet", [],
           [(heading, field(name, "cullet", "cache_ms", **wanted)) for heading, name, wanted in BULLET_ROWS])


def core_tables():
    rows = []
    for scene in ("brownian", "clustered"):
        for engine, what in (("core", "changes"), ("core-full", "changes and full list")):
            one, two = (field("core", engine, scene=scene, threads=threads) for threads in (1, 2))
            rows += [(f"{scene}, {what}, 1 thread", one), (f"{scene}, {what}, 2 threads", two),
                     (f"{scene}, {what}, two threads over one", ratio_cell(one, two))]
    yield "The C API: milliseconds a step, all moving", ["core"], rows
    rows = []
    for engine in ("cullet", "core"):
        for moving in (100, 10):
            without, jumping = (field("jumping", engine, moving=moving, jumping=percent) for percent in (0, 1))
            rows += [(f"{engine}, {moving} % moving, ms without jumps", without),
                     (f"{engine}, {moving} % moving, ms with 1 % jumping", jumping),
                     (f"{engine}, {moving} % moving, times as long", ratio_cell(jumping, without))]
    yield "Jumps: brownian", ["jumping"], rows
    yield ("Peak memory: MiB, brownian", ["memory"],
           [(engine, field("memory", engine, "peak_mib")) for engine in ("dbvt", "cullet", "core")])


def print_size_table(bench, title, names, rows):
    print(f"\n### {title}")
    if names:
        print("\n" + "\n".join(f"    {bench.commands[name]}" for name in names if name in bench.commands))
    sizes = bench.sizes()
    print("\n| bodies | " + " | ".join(f"{size:,}" for size in sizes) + " |")
    print("|---|" + "---:|" * len(sizes))
    for heading, cell in rows:
        print(f"| {heading} | " + " | ".join(three_digits(cell(bench, size)) for size in sizes) + " |")


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
    for table in bullet_tables():
        print_size_table(bench, *table)
    print_program_table(bench)
    for table in core_tables():
        print_size_table(bench, *table)


if __name__ == "__main__":
    main()

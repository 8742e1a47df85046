#!/usr/bin/env python3
# SPDX-License-Identifier: Zlib
"""Makes the tables and plots of our pages from CSV files of `cullet bench`:

    python3 demos/bench/tables.py            # all pages and plots, from results/*.csv. The plots need gnuplot
    python3 demos/bench/tables.py FILE...    # prints the tables of these files, in Markdown

A page has the table NAME of results/FILE.csv between `<!-- tables.py: NAME FILE -->` and `<!-- /tables.py -->`. Only
printed numbers are rounded. A dash stands for a cell that was not measured. A damaged file is refused with one line and
exit code 2.
"""

import csv
import math
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "demos/bench/results"
PAGES = [ROOT / "README.md", RESULTS / "README.md"]

FORM = "1"
MACHINE = "cullet_bench processor processors memory_gib system compiler bullet commit date missing rows".split()
CASE = "bodies moving speed jumping threads".split()  # numbers that tell measurements apart
MEASURED = "total_ms pairs peak_mib".split()  # numbers that may be unknown
ENGINES = {"dbvt": "btDbvt", "dbvt-deferred": "btDbvt, deferred", "cullet": "**cullet**", "core": "cullet's C API",
           "core-full": "C API with the full list", "embree": "Embree 3", "embree-refit": "Embree 3, refitted",
           "fcl": "FCL", "jolt": "Jolt", "physx": "PhysX, one thread", "physx-parallel": "PhysX, all threads"}

# For each row: its heading and the columns that select its measurement, where they differ from the usual case.
USUAL = {"scene": "brownian", "moving": 100, "speed": 1, "jumping": 0}
CASES = [
    ("`brownian`, all moving", {}),
    ("`brownian`, all moving a tenth as far", {"speed": 0.1}),
    ("`brownian`, 10 % moving", {"moving": 10}),
    ("`brownian`, 1 % moving", {"moving": 1}),
    ("`brownian`, nothing moving", {"moving": 0}),
    ("`clustered`, all moving", {"scene": "clustered"}),
    ("`column`, all moving", {"scene": "column"}),
    ("`mixed`, all moving", {"scene": "mixed"}),
    ("`tremble`, all moving", {"scene": "tremble"}),
]
PROGRAMS = [
    ("`cloth`", {"scene": "cloth"}),
    ("`cloth`, far", {"scene": "cloth", "speed": 100}),
    ("`teams`", {"scene": "teams"}),
    ("`teams`, far", {"scene": "teams", "speed": 100}),
    ("`level`", {"scene": "level"}),
    ("`debris`", {"scene": "debris"}),
]


class Damaged(Exception):
    """The reason why a file is refused."""


class Bench:
    """The file of a machine."""

    def __init__(self, path):
        self.name = path.stem
        lines = path.read_text(encoding="utf-8").split("\n")
        if lines.pop() != "":
            raise Damaged("it ends in the middle of a line")
        head = [line[2:] for line in lines if line.startswith("# ")]
        self.machine = {fields[0]: fields[-1] for fields in csv.reader(head)}
        if lines[:1] != [f"# cullet_bench,{FORM}"]:
            raise Damaged(f"its first line is not '# cullet_bench,{FORM}'")
        for key in MACHINE:
            if key not in self.machine:
                raise Damaged(f"it does not name '{key}'")
        self.runs = {}  # by case and engine, then by number of threads
        table = list(csv.reader(lines[len(head):]))
        columns = table[0] if table else []
        for column in ["scene", "engine"] + CASE + MEASURED:
            if column not in columns:
                raise Damaged(f"it has no column '{column}'")
        for number, fields in enumerate(table[1:], len(head) + 2):
            self._add(dict(zip(columns, fields)), len(fields) == len(columns), number)
        if str(len(table) - 1) != self.machine["rows"]:
            raise Damaged(f"it has {len(table) - 1} rows, not {self.machine['rows']}")

    def _add(self, run, is_whole, line):
        if not is_whole:
            raise Damaged(f"line {line} has too few or too many fields")
        for column in CASE + MEASURED:
            text = run[column]
            run[column] = None if text == "" and column in MEASURED else number_in(text)
            if run[column] is not None and not 0 <= run[column] < math.inf:
                raise Damaged(f"line {line}: {column} is '{text}'")
        if run["engine"] not in ENGINES:
            raise Damaged(f"line {line}: '{run['engine']}' is no engine")
        of_case = self.runs.setdefault(self._key(run), {})
        if run["threads"] in of_case:
            raise Damaged(f"line {line} repeats a measurement")
        of_case[run["threads"]] = run

    @staticmethod
    def _key(run):
        return tuple(run[column] for column in ["scene", "engine"] + CASE if column != "threads")

    def value(self, engine, bodies, case, column="total_ms", threads=None):
        """None if it was not measured. Without a number of threads: with the most threads measured."""
        runs = self.runs.get(self._key({**USUAL, **case, "engine": engine, "bodies": bodies}), {})
        run = runs.get(threads or max(runs, default=0))
        return run and run[column]

    def engines(self):
        measured = {key[1] for key in self.runs}
        return [engine for engine in ENGINES if engine in measured]

    def sizes(self, scene="brownian"):
        return sorted({int(key[2]) for key in self.runs if key[0] == scene})

    def threads(self):
        """All numbers of threads that cullet ran on."""
        return sorted({int(count) for key, runs in self.runs.items() for count in runs if key[1] == "cullet"})


def number_in(text):
    try:
        return float(text)
    except ValueError:
        return math.nan


def rounded(value, digits):
    """Significant digits, without an exponent."""
    if value is None:
        return "–"
    decimals = 0
    while decimals < 6 and value < 10 ** (digits - 1 - decimals):
        decimals += 1
    return f"{value:,.{decimals}f}"


def ratio(numerator, denominator):
    return None if numerator is None or not denominator else numerator / denominator


# -------------------------------------------------------------------------------------------------------------- tables


def table(headings, rows):
    lines = ["| " + " | ".join(cells) + " |\n" for cells in [headings] + rows]
    return "".join(lines[:1] + ["|---|" + "---:|" * (len(headings) - 1) + "\n"] + lines[1:])


def size_table(bench, digits, rows):
    """A column for each size. A row is its heading and a function of the size."""
    sizes = bench.sizes()
    return table(["bodies"] + [f"{size:,}" for size in sizes],
                 [[heading] + [rounded(cell(size), digits) for size in sizes] for heading, cell in rows])


def ratios(bench, other="dbvt"):
    def row(case):
        return lambda size: ratio(bench.value(other, size, case), bench.value("cullet", size, case))
    return size_table(bench, 2, [(heading, row(case)) for heading, case in CASES])


def engine_table(bench, digits, column, case):
    def row(engine):
        return lambda size: bench.value(engine, size, case, column)
    return size_table(bench, digits, [(ENGINES[engine], row(engine)) for engine in bench.engines()])


def programs(bench):
    """A column for each scene."""
    columns = [(heading, size, case) for heading, case in PROGRAMS for size in bench.sizes(case["scene"])]
    rows = [["bodies"] + [f"{size:,}" for _, size, _ in columns],
            ["pairs"] + [rounded(bench.value("core", size, case, "pairs"), 1) for _, size, case in columns]]
    for engine in bench.engines():
        if engine != "dbvt-deferred":
            rows.append([ENGINES[engine]] +
                        [rounded(bench.value(engine, size, case), 3) for _, size, case in columns])
    return table(["scene"] + [heading for heading, _, _ in columns], rows)


def threads(bench):
    def row(engine, scene):
        return lambda size: ratio(bench.value(engine, size, {"scene": scene}, threads=1),
                                  bench.value(engine, size, {"scene": scene}))
    return size_table(bench, 2, [(f"`{scene}`, {ENGINES[engine]}", row(engine, scene))
                                 for scene in ("brownian", "clustered") for engine in ("cullet", "core", "core-full")])


def jumps(bench):
    def row(engine, moving):
        return lambda size: ratio(bench.value(engine, size, {"moving": moving, "jumping": 1}),
                                  bench.value(engine, size, {"moving": moving}))
    return size_table(bench, 2, [(f"{moving} % moving, {ENGINES[engine]}", row(engine, moving))
                                 for moving in (100, 10) for engine in ("cullet", "core")])


def everything(bench):
    """All tables of a machine."""
    machine = bench.machine
    missing = " ".join(engine for engine in ENGINES if engine not in bench.engines())
    yield (f"{machine['processor']}, {machine['processors']} processors, {machine['memory_gib']} GiB,\n"
           f"{machine['system']}; {machine['compiler']}; Bullet {machine['bullet']};\n"
           f"cullet {machine['commit']}, {machine['date']}. Not measured: {missing or 'nothing'}.\n")
    yield "Times btDbvt's rate, through Bullet's interface:\n"
    yield ratios(bench)
    yield "Times the rate of btDbvt with deferred collisions, Bullet's fastest setting:\n"
    yield ratios(bench, "dbvt-deferred")
    yield "Milliseconds a step, `brownian`, all moving:\n"
    yield engine_table(bench, 3, "total_ms", {})
    yield "Boxes of other programs, milliseconds a step:\n"
    yield programs(bench)
    if len(bench.threads()) > 1:
        yield f"Times the rate of one thread, on {bench.threads()[-1]}:\n"
        yield threads(bench)
    yield "How many times as long a step of `brownian` takes if one body in a hundred jumps anywhere:\n"
    yield jumps(bench)
    yield "Peak memory in MiB, `brownian`:\n"
    yield engine_table(bench, 3, "peak_mib", {"speed": 0.1})


# --------------------------------------------------------------------------------------------------- pages and plots


def quoted(text):
    """A string in which gnuplot expands nothing."""
    return "'" + text.replace("'", "''") + "'"


def plot(bench, path):
    """Draws times over bodies and over the share that moves, by the script of `cullet compare --plot`."""
    sizes, shares = bench.sizes(), (100, 10, 1, 0)
    panels = [(f"brownian, {share} % moving", "bodies", [(size, f"{size:,}", size, share) for size in sizes])
              for share in shares]
    panels.append((f"brownian, {sizes[-1]:,} bodies", "percent of the bodies that move",
                   [(share or 0.1, share, sizes[-1], share) for share in shares]))  # a logarithmic axis has no 0
    engines, lasts, curves = [], [], ""
    for _, _, points in panels:
        for engine in ("dbvt", "dbvt-deferred", "cullet"):
            timed = [(x, bench.value(engine, size, {"moving": share}), label) for x, label, size, share in points]
            lines = [f"{x} {ms} {label}\n" for x, ms, label in timed if ms]
            if lines:
                engines.append(engine)
                curves += f"{engine}\n{''.join(lines)}\n\n"
        lasts.append(str(len(engines)))
    machine = bench.machine
    heading = [f"{machine['processor']}, {machine['processors']} processors, {machine['memory_gib']} GiB",
               f"cullet {machine['commit']}, Bullet {machine['bullet']}, {machine['compiler']}",
               "medians of whole steps: setting boxes and finding pairs"]
    titles, x_titles = (" ".join(f'"{panel[k]}"' for panel in panels) for k in (0, 1))
    variables = (f"path = {quoted(str(path))}\n"
                 f"heading = sprintf(\"%s\\n%s\\n%s\", {', '.join(map(quoted, heading))})\n"
                 f"panels = {len(panels)}\ntitles = '{titles}'\nxTitles = '{x_titles}'\nlasts = '{' '.join(lasts)}'\n"
                 f"engines = '{' '.join(engines)}'\ndashes = '{'1 ' * len(engines)}'\n$curves << END\n{curves}END\n")
    subprocess.run(["gnuplot"], input=variables + (ROOT / "demos/compare/plot.gnuplot").read_text(encoding="utf-8"),
                   text=True, check=True)


def write_pages():
    benches = {path.stem: read(path) for path in sorted(RESULTS.glob("*.csv"))}
    tables = {"ratios": ratios, "programs": programs}

    def block(match):
        if match[2] == "all":
            text = "\n".join(f"### {name}\n\n" + "\n".join(everything(bench)) + f"\n![The times]({name}.png)\n"
                             for name, bench in benches.items())
        else:
            text = tables[match[2]](benches[match[3]])
        return f"{match[1]}\n{text}\n{match[4]}"

    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(re.sub(r"(<!-- tables\.py: (\S+) (\S*) ?-->\n).*?(<!-- /tables\.py -->)", block, text,
                               flags=re.DOTALL), encoding="utf-8")
    for name, bench in benches.items():
        plot(bench, RESULTS / f"{name}.png")


def read(path):
    try:
        return Bench(path)
    except (Damaged, OSError, ValueError, csv.Error) as error:
        sys.stderr.write(f"tables.py: {path}: {error}\n")
        sys.exit(2)


def main():
    if len(sys.argv) == 1:
        write_pages()
    for name in sys.argv[1:]:
        print("\n".join(everything(read(pathlib.Path(name)))))


if __name__ == "__main__":
    main()

"""Tests of `jostle.study` and of the command `jostle study`."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import jostle
import numpy as np
import pandas
import pytest
from conftest import start

GRID = {"sizes": ["equal", "concrete"], "n": 200, "effort": ["quick", 0.25]}


def coarsest(packing):
    """An analysis that other processes can import."""
    return {"largest": packing.diameters.max(), "name": packing.provenance["sizes"]}


def without_time(table):
    return table.drop(columns=["seconds", "file"])


def test_a_grid_has_a_row_for_each_combination_and_seed():
    table = jostle.study(GRID, seeds=range(1, 4))
    assert len(table) == 12 and table["key"].is_unique and table["error"].isna().all()
    assert list(table["sizes"][:6]) == ["equal"] * 6 and list(table["seed"][:3]) == [1, 2, 3]
    for row in table.itertuples():
        effort = row.effort if row.effort == "quick" else float(row.effort)
        packing = jostle.pack(row.sizes, row.n, effort=effort, seed=row.seed)
        assert row.hash == packing.digest()
        assert row.packing_fraction == packing.packing_fraction
        assert row.stop_reason == "converged" and row.spheres == 200 and row.max_overlap == 0
        assert row.min_gap == packing.certificate.min_gap and row.sweeps == packing.provenance["sweeps"]
    assert (table["seconds"] > 0).all()


def test_requests_may_be_listed():
    law = jostle.SizeDistribution.from_sieve([1, 2], [0, 100], name="pit")
    requests = [
        {"sizes": law, "n": 100},
        {"sizes": [1.0, 2.0, 1.5] * 30, "fraction": 0.4},
        {"sizes": "equal", "n": 30, "box": (5, 5, 5), "seed": 3},
    ]
    table = jostle.study(requests)
    assert table["error"].isna().all()
    assert list(table["sizes"]) == ["pit", "90 diameters", "equal"]
    assert table["box"][2] == "[5, 5, 5]" and table["seed"][2] == 3


def test_a_failing_request_becomes_a_row(tmp_path):
    table = jostle.study({"sizes": ["equal", "nothing"], "n": 50}, out=tmp_path)
    assert table["error"].isna().tolist() == [True, False]
    assert table["error"][1].startswith("'nothing' is not a preset")
    assert pandas.isna(table["packing_fraction"][1])
    repeated = jostle.study({"sizes": ["nothing"], "n": 50}, out=tmp_path, retry_failed=True)
    assert len(repeated) == 2 and len((tmp_path / "rows.jsonl").read_text().splitlines()) == 3


def test_a_failing_analysis_becomes_a_row():
    table = jostle.study({"sizes": "equal", "n": 50}, analyses={"x": lambda packing: 1 / 0})
    assert table["error"][0] == "analysis 'x': division by zero"
    # The numbers of the packing are kept.
    assert table["hash"][0] == jostle.pack("equal", 50).digest() and table["spheres"][0] == 50


def test_quantities_of_the_analysis_have_names():
    names = ["contacts.mean", "rattlers", "order.q6_mean", "nothing"]
    table = jostle.study({"sizes": "equal", "n": 300}, analyses=names[:3])
    analysis = jostle.pack("equal", 300).analyze(points=0)
    assert table["contacts.mean"][0] == analysis["contacts"]["mean"] > 0
    assert table["rattlers.share"][0] == analysis["rattlers"]["share"]
    assert table["order.q6_mean"][0] == analysis["order"]["q6_mean"]
    # A wrong name costs no packing.
    with pytest.raises(jostle.InputError, match="unknown analysis 'nothing'; expected one of spheres, packing_fraction"):
        jostle.study({"sizes": "equal", "n": 10**7}, analyses=names)
    with pytest.raises(jostle.InputError, match="tolerance"):
        jostle.study({"sizes": "equal", "n": 10**7}, analyses={"x": {"quantity": "contacts.mean", "tolerance": -1}})


def test_arrays_and_iterators_are_axes(tmp_path):
    diameters = np.linspace(1.0, 2.0, 40)
    grid = {"sizes": [diameters, diameters[::-1]], "fraction": np.array([0.3, 0.4])}
    table = jostle.study(grid, seeds=(seed for seed in (1, 2)), out=tmp_path)
    assert table["error"].isna().all() and list(table["fraction"]) == [0.3, 0.3, 0.4, 0.4] * 2
    assert list(table["seed"]) == [1, 2] * 4 and set(table["sizes"]) == {"40 diameters"}
    again = jostle.study(grid, seeds=[1, 2], out=tmp_path)
    pandas.testing.assert_frame_equal(again, table)
    assert rows(tmp_path) == 8
    single = jostle.study({"sizes": diameters, "fraction": 0.3})
    assert list(single["hash"]) == [jostle.pack(diameters, fraction=0.3).digest()]


def test_shapes_are_axes():
    shapes = [jostle.Cylinder(aspect=1), jostle.Sphere(), "box"]
    table = jostle.study({"sizes": "equal", "n": 40, "effort": "quick", "container": shapes}, analyses={"loose": lambda p: p.rattlers.mean()})
    assert table["container"].tolist() == ["cylinder:aspect=1", "sphere", "box"] and table["error"].isna().all()
    texts = jostle.study({"sizes": "equal", "n": 40, "effort": "quick", "container": [str(shape) for shape in shapes]})
    assert list(texts["key"]) == list(table["key"])


@pytest.mark.parametrize("save", ["json", "data"])
def test_new_analyses_and_files_are_applied_to_finished_rows(save, tmp_path):
    first = jostle.study(GRID, out=tmp_path, save="json" if save == "json" else None)
    loose = {"quantity": "contacts.mean", "tolerance": 0.05}
    analyses = {"loose": loose, "radii": lambda packing: packing.radii[:2], "top": coarsest}
    table = jostle.study(GRID, out=tmp_path, save=save, analyses=analyses)
    assert list(table["hash"]) == list(first["hash"]) and list(table["seconds"]) == list(first["seconds"])
    for row in table.itertuples():
        packing = jostle.read(row.file, boundary=None if save == "json" else "ppp")
        assert list(row.radii) == list(packing.radii[:2])
        assert row.loose == packing.analyze(tolerance=0.05, points=0)["contacts"]["mean"]
    # Other options are another analysis.
    other = jostle.study(GRID, out=tmp_path, save=save, analyses={"loose": {**loose, "tolerance": 0.2}})
    assert (other["loose"] > table["loose"]).all() and list(other["top.name"]) == list(table["top.name"])
    pandas.testing.assert_frame_equal(pandas.read_parquet(tmp_path / "table.parquet"), other, check_dtype=False)


def test_columns_of_the_user_belong_to_the_table(tmp_path):
    requests = [{"sizes": "equal", "n": 50, "columns": {"batch": "A", "mass": 2.5}}, {"sizes": "equal", "n": 60}]
    table = jostle.study(requests, out=tmp_path)
    assert table["batch"][0] == "A" and table["mass"][0] == 2.5 and pandas.isna(table["batch"][1])
    requests[1]["columns"] = {"batch": "B"}
    assert list(jostle.study(requests, out=tmp_path)["batch"]) == ["A", "B"]


def test_promised_columns_exist_and_reasons_are_told():
    with pytest.warns(jostle.PackingWarning, match="2 of 2 packings failed; the first: 'nothing' is not a preset"):
        table = jostle.study({"sizes": ["nothing", "none"]}, analyses=["contacts.mean"])
    assert {"packing_fraction", "hash", "warning", "contacts.mean"} <= set(table.columns)
    with pytest.warns(jostle.PackingWarning, match="1 of 1 packings did not meet their requests"):
        table = jostle.study({"sizes": "equal", "n": 50, "fraction": 0.9, "effort": "quick"})
    assert "was not reached" in table["warning"][0] and table["spheres"][0] == 50


def test_the_continuation_of_many_rows_is_linear(tmp_path):
    from jostle._study._requests import Request

    with open(tmp_path / "rows.jsonl", "w") as journal:
        for seed in range(4000):
            key = Request.of({"n": 10, "seed": seed}).key
            journal.write(json.dumps({"key": key, "n": 10, "seed": seed, "spheres": 10, "hash": "0", "error": None}) + "\n")
    began = time.process_time()
    assert len(jostle.study({"n": 10}, seeds=range(4000), out=tmp_path)) == 4000
    # 0.5 s; a list that is searched for each row took 6 s.
    assert time.process_time() - began < 3


def test_analyses_and_files_belong_to_the_rows(tmp_path):
    table = jostle.study(GRID, analyses={"top": coarsest, "gap": lambda p: p.certificate.min_gap}, out=tmp_path, save="json")
    assert (table["gap"] == table["min_gap"]).all() and (table["top.name"] == table["sizes"]).all()
    for row in table.itertuples():
        packing = jostle.read(row.file)
        assert packing.digest() == row.hash and packing.packing_fraction == row.packing_fraction
    largest = [jostle.read(file).diameters.max() for file in table["file"]]
    assert list(table["top.largest"]) == largest


@pytest.mark.parametrize(
    "make", [lambda: ThreadPoolExecutor(2), lambda: ProcessPoolExecutor(2, mp_context=get_context("spawn"))], ids=["threads", "processes"]
)
def test_every_executor_makes_the_same_rows(make):
    alone = jostle.study(GRID, analyses={"top": coarsest})
    with make() as executor:
        found = jostle.study(GRID, executor=executor, analyses={"top": coarsest})
    pandas.testing.assert_frame_equal(without_time(found), without_time(alone))


def test_the_folder_holds_the_table(tmp_path):
    table = jostle.study(GRID, out=tmp_path / "study")
    pandas.testing.assert_frame_equal(pandas.read_parquet(tmp_path / "study" / "table.parquet"), table, check_dtype=False)


def test_finished_rows_are_not_repeated(tmp_path):
    first = jostle.study(GRID, seeds=[1], out=tmp_path)
    lines = (tmp_path / "rows.jsonl").read_text()
    second = jostle.study(GRID, seeds=[1, 2], out=tmp_path)
    assert (tmp_path / "rows.jsonl").read_text().startswith(lines)
    assert len(second) == 8
    # The time of a repeated packing would differ.
    old = second[second["seed"] == 1].reset_index(drop=True)
    pandas.testing.assert_frame_equal(old, first)
    # Rows of requests that are no longer wanted remain, at the end.
    third = jostle.study(GRID, seeds=[2], out=tmp_path)
    assert list(third["seed"]) == [2, 2, 2, 2, 1, 1, 1, 1]


def test_an_unfinished_line_is_repeated(tmp_path):
    first = jostle.study(GRID, out=tmp_path)
    journal = tmp_path / "rows.jsonl"
    content = journal.read_bytes()
    journal.write_bytes(content[:-30])
    second = jostle.study(GRID, out=tmp_path)
    pandas.testing.assert_frame_equal(without_time(second), without_time(first))
    assert all(json.loads(line) for line in journal.read_text().splitlines())


SCRIPT = "import jostle, sys; jostle.study({'sizes': 'equal', 'n': 3000}, seeds=range(40), out=sys.argv[1])"


def rows(folder):
    journal = folder / "rows.jsonl"
    return journal.read_text().count("\n") if journal.exists() else 0


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_a_study_that_was_ended_continues(number, tmp_path):
    process = start(sys.executable, "-c", SCRIPT, tmp_path, stderr=subprocess.DEVNULL)
    while rows(tmp_path) < 3 and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(number)
    assert process.wait(60) != 0
    done = (tmp_path / "rows.jsonl").read_text().splitlines(keepends=True)
    done = [line for line in done if line.endswith("\n")]
    assert 3 <= len(done) < 40
    if number == signal.SIGINT:
        assert len(pandas.read_parquet(tmp_path / "table.parquet")) == len(done)
    subprocess.run([sys.executable, "-c", SCRIPT, tmp_path], check=True, timeout=200)
    journal = (tmp_path / "rows.jsonl").read_text()
    assert journal.startswith("".join(done)) and journal.count("\n") == 40
    table = pandas.read_parquet(tmp_path / "table.parquet")
    assert list(table["seed"]) == list(range(40)) and table["error"].isna().all()


def test_a_cluster_continues_after_the_death_of_a_worker(tmp_path):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        workers = list(client.run(os.getpid).values())

        def kill():
            while rows(tmp_path) < 3:
                time.sleep(0.01)
            os.kill(workers[0], signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        table = jostle.study({"sizes": "equal", "n": 3000}, seeds=range(30), executor=client, out=tmp_path)
        killer.join()
        assert workers[0] not in client.run(os.getpid).values()
    assert list(table["seed"]) == list(range(30)) and table["error"].isna().all()
    assert rows(tmp_path) == 30
    for row in table.iloc[::10].itertuples():
        assert row.hash == jostle.pack("equal", 3000, seed=row.seed).digest()


@pytest.mark.parametrize(
    ("requests", "keywords", "words"),
    [
        ({"size": "equal"}, {}, "unknown argument 'size'"),
        ([{"progress": True}], {}, "unknown argument 'progress'"),
        ({"n": [object()]}, {}, "cannot be stored"),
        ({"n": 10}, {"save": "json"}, "without out"),
        ({"n": 10}, {"seeds": [1.7]}, "a seed is 1.7"),
        ({"n": 10}, {"seeds": 5}, "seeds is 5"),
        ({"n": 10}, {"seeds": []}, "seeds is empty"),
        ({"n": 10, "seed": 1}, {"seeds": [2]}, "give one of them"),
        ({"n": []}, {}, "the axis n has no values"),
        ({"n": range(10**12)}, {}, "fewer values or seeds"),
        ([5], {}, "request 0 is 5"),
        ({"n": 10}, {"analyses": {"x": 5}}, "the analysis 'x' is 5"),
        ({"n": 10}, {"analyses": {"error": coarsest}}, "names no other column"),
        ({"n": 10, "columns": {"n": 1}}, {}, "names no other column"),
        ({"strict": True}, {}, "unknown argument 'strict'"),
        ({"n": 10, "seed": [1, None]}, {}, "seed is None"),
        ({"n": 10}, {"analyses": "rattlers"}, "analyses is 'rattlers'"),
        ({"n": 10}, {"executor": "two"}, "executor has no submit"),
    ],
)
def test_bad_studies_are_rejected(requests, keywords, words):
    with pytest.raises(jostle.InputError) as error:
        jostle.study(requests, **keywords)
    assert words in str(error.value)


PLAN = """
out = "results"
seeds = 3
save = "data"

[grid]
sizes = ["equal", "concrete"]
n = 100
effort = "quick"
"""


def test_the_command_runs_a_plan(run, tmp_path):
    (tmp_path / "plan.toml").write_text(PLAN)
    command = [sys.executable, "-m", "jostle", "study"]
    result = run(*command, "plan.toml", "--jobs", "2")
    assert result.stdout == "6 packings, 0 failed, 3 did not meet their requests; the table is in results/table.parquet\n"
    table = pandas.read_parquet(tmp_path / "results" / "table.parquet")
    assert list(table["seed"]) == [1, 2, 3, 1, 2, 3]
    assert jostle.read(table["file"][0], boundary="ppp").certificate.max_overlap == 0
    assert run(*command, "plan.toml", "-q", "--out", "other").stdout == ""
    other = pandas.read_parquet(tmp_path / "other" / "table.parquet")
    assert list(other["hash"]) == list(table["hash"])


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ("x = 1", "unknown key 'x'"),
        ("seeds = 1", "either [grid] or [[requests]]"),
        ("[grid]\nsize = 1", "unknown argument 'size'"),
        ("[grid", "plan.toml"),
        (None, "cannot read 'plan.toml'"),
    ],
)
def test_bad_plans_are_rejected(run, tmp_path, plan, words):
    if plan is not None:
        (tmp_path / "plan.toml").write_text(plan)
    result = run(sys.executable, "-m", "jostle", "study", "plan.toml", check=False)
    assert result.returncode == 2 and result.stderr.startswith("error: ") and words in result.stderr
    assert result.stderr.count("\n") == 1


def test_failures_have_an_exit_code(run, tmp_path):
    (tmp_path / "plan.toml").write_text('[[requests]]\nsizes = "nothing"\n[[requests]]\nsizes = "equal"\nn = 50')
    result = run(sys.executable, "-m", "jostle", "study", "plan.toml", check=False)
    assert result.returncode == 1 and result.stdout.startswith("2 packings, 1 failed; the table is in plan/")
    assert "\nerror, 1 of 2 packings: 'nothing' is not a preset" in result.stderr

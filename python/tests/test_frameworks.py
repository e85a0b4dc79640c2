"""The recipes for frameworks that ask models and train them, with the frameworks themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars
import pytest
from conftest import blocks

import gridmill

RECIPES = dict(blocks("models.md", "python"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(title: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "recipe"}
    exec(compile(RECIPES[title], "a recipe", "exec"), names)
    return names


@pytest.mark.trainer
def test_reasoning_gym() -> None:
    factory = pytest.importorskip("reasoning_gym.factory")
    recipe = run("reasoning-gym")
    puzzles = recipe["puzzles"]
    items = list(puzzles)
    assert [item["metadata"]["puzzle"] for item in items] == gridmill.generate(100, seed=1, level="medium")["puzzle"]
    for item, answer, score in [(items[3], items[3]["answer"], 1.0), (items[3], None, 0.0), (items[3], "No.", 0.0)]:
        assert puzzles.score_answer(f"<answer>{answer}</answer>" if answer else answer, item) == score
    assert puzzles[7] == items[7]
    assert factory


@pytest.mark.trainer
def test_inspect() -> None:
    inspect_ai = pytest.importorskip("inspect_ai")
    model = pytest.importorskip("inspect_ai.model")
    recipe = run("Inspect")
    right = gridmill.solve(recipe["puzzles"][0]).solution
    outputs = [model.ModelOutput.from_content("mockllm/model", text) for text in [right, *["No."] * 99]]
    for output in outputs:
        # It would count tokens with a file from the internet.
        output.usage = model.ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    tested = model.get_model("mockllm/model", custom_outputs=outputs)
    (log,) = inspect_ai.eval(recipe["task"], model=tested, display="none", log_dir="logs", max_connections=1)
    assert log.status == "success", log.error
    assert log.results.scores[0].metrics["mean"].value == 0.01


@pytest.mark.trainer
def test_lm_evaluation_harness() -> None:
    pytest.importorskip("lm_eval")
    recipe = run("lm-evaluation-harness")
    assert recipe["found"]["results"]["sudoku"]["score,none"] == 0.0
    assert recipe["found"]["n-samples"]["sudoku"]["effective"] == 100
    made = gridmill.generate(1, with_solution=True)[0]
    assert recipe["results"](made, [made["solution"]]) == {"score": 1.0}


def test_batch_files() -> None:
    """The messages have the types of the package openai, if it is installed."""
    puzzles = gridmill.generate(100, seed=1, level="hard")["puzzle"]
    rows = []
    for number in reversed(range(100)):
        content = gridmill.solve(puzzles[number]).solution if number < 30 else "I give up."
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
        body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        rows.append(
            {"id": "y", "custom_id": str(number), "response": {"status_code": 200, "body": body}, "error": None}
        )
    # One has failed, and one is missing.
    rows[0]["response"] = None
    del rows[50]
    Path("answers.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = run("Batch files")["found"]
    assert found.pass_at[1].mean == 0.3
    assert found.score.puzzles == 100
    requests = [json.loads(line) for line in Path("requests.jsonl").read_text().splitlines()]
    assert [request["custom_id"] for request in requests] == [str(number) for number in range(100)]
    assert all(
        puzzle in request["body"]["messages"][0]["content"] for puzzle, request in zip(puzzles, requests, strict=True)
    )
    chat = pytest.importorskip("openai.types.chat")
    assert chat.ChatCompletion.model_validate(rows[1]["response"]["body"]).choices[0].message.content == "I give up."


def test_verl() -> None:
    """verl itself needs torch, Ray and versions of transformers that TRL does not take: it calls the function so."""
    recipe = run("verl")
    (first, *_), rows = recipe["puzzles"], polars.read_parquet("train.parquet").to_dicts()
    assert len(rows) == 100
    assert rows[0]["reward_model"] == {"style": "rule", "ground_truth": first}
    call = {"data_source": "sudoku", "ground_truth": first, "extra_info": {"index": 0}}
    assert recipe["compute_score"](solution_str=gridmill.solve(first).solution, **call) == 1.0
    assert recipe["compute_score"](solution_str="no", **call) == 0.0

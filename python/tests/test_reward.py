"""Reward functions, as trainers call them: stand-ins do what TRL and verifiers do with a function."""

from __future__ import annotations

import asyncio
import copy
import inspect
import pickle
import sys
import types
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from test_recipes import RECIPES, run

import gridmill

PUZZLE, SOLUTION = "1.3..........4.2", "1234432121433412"
HALF = "1.34432121433412"


def chat(*messages: tuple[str, object]) -> list[dict[str, object]]:
    return [{"role": role, "content": content} for role, content in messages]


class Trainer:
    """Calls reward functions as a `GRPOTrainer` does, with answers that `answer` gives."""

    answer: Callable[[dict[str, Any]], object]
    last: Trainer

    def __init__(self, model: str, reward_funcs: list[Any], args: dict[str, Any], train_dataset: Any) -> None:
        self.rows = list(train_dataset)
        self.functions = reward_funcs
        self.names = [function.__name__ for function in reward_funcs]
        assert not any(asyncio.iscoroutinefunction(function) for function in reward_funcs)
        self.weights = args["reward_weights"]
        Trainer.last = self

    def train(self) -> None:
        completions = [Trainer.answer(row) for row in self.rows]
        columns = {name: [row[name] for row in self.rows] for name in self.rows[0] if name != "prompt"}
        prompts, ids = [row["prompt"] for row in self.rows], [[1, 2, 3]] * len(self.rows)
        self.rewards = [
            function(prompts=prompts, completions=completions, completion_ids=ids, trainer_state=object(), **columns)
            for function in self.functions
        ]


class Rubric:
    """Calls reward functions as a `Rubric` of verifiers does: with what their signatures name."""

    def __init__(self, funcs: list[Any], weights: list[float]) -> None:
        self.functions, self.weights = funcs, weights
        for function in funcs:
            signature = inspect.signature(function)
            # Such a function would be one of a group of rollouts.
            groups = {"states", "prompts", "completions", "answers", "tasks", "infos"}
            assert not groups & signature.parameters.keys()
            assert signature.return_annotation is not list
            assert any(item.kind is item.VAR_KEYWORD for item in signature.parameters.values())

    def rewards(self, state: dict[str, Any]) -> dict[str, float]:
        given = {name: state.get(name) for name in ("prompt", "completion", "answer", "task", "info")}
        return {function.__name__: float(function(**given, state=state)) for function in self.functions}


def test_the_recipe_for_trl(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.SimpleNamespace(GRPOConfig=dict, GRPOTrainer=Trainer)
    monkeypatch.setitem(sys.modules, "trl", module)
    Trainer.answer = staticmethod(lambda row: f"So: <answer>{gridmill.solve(row['puzzle']).solution}</answer>")
    run(RECIPES["TRL"])
    trainer = Trainer.last
    assert (trainer.names, trainer.weights) == (["gridmill_blanks", "gridmill_exact"], [0.2, 0.8])
    assert trainer.rewards == [[1.0] * 200] * 2
    # As if a model filled nothing in.
    Trainer.answer = staticmethod(lambda row: row["puzzle"])
    trainer.train()
    assert trainer.rewards == [[0.0] * 200] * 2


def test_the_recipe_for_verifiers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "verifiers", types.SimpleNamespace(Rubric=Rubric))
    rubric = run(RECIPES["verifiers"])["rubric"]
    state = {"prompt": "Solve it.", "completion": chat(("assistant", HALF)), "answer": "", "task": "default"}
    expected = {"gridmill_blanks": 0.916666, "gridmill_exact": 0.0}
    assert rubric.rewards({**state, "info": {"puzzle": PUZZLE}}) == expected
    assert rubric.rewards({**state, "info": {}, "puzzle": PUZZLE}) == expected
    assert Rubric([gridmill.Reward("answer")], [1]).rewards({**state, "answer": PUZZLE}) == {
        "gridmill_blanks": 0.916666
    }


@pytest.mark.parametrize(
    "completion",
    [
        SOLUTION,
        chat(("assistant", SOLUTION)),
        tuple(chat(("assistant", "1" * 16), ("user", "No."), ("assistant", f"Then {SOLUTION}."), ("tool", "2" * 16))),
        [{"content": SOLUTION}],
        [{"role": "assistant", "content": [{"type": "text", "text": "So:"}, {"type": "text", "text": SOLUTION}, 5]}],
        [types.SimpleNamespace(role="assistant", content=SOLUTION)],
    ],
    ids=lambda completion: type(completion).__name__,
)
def test_texts_and_chats_are_read(completion: object) -> None:
    reward = gridmill.Reward()
    assert reward(completion, puzzle=PUZZLE) == 1.0
    assert reward(completions=[completion, "no"], puzzle=[PUZZLE, PUZZLE]) == [1.0, 0.0]


@pytest.mark.parametrize(
    "completion", [None, [], [None], [[]], [{}], chat(("assistant", None)), chat(("user", SOLUTION)), [5], 5, b"\xff"]
)
def test_what_is_no_answer_has_no_reward(completion: object) -> None:
    assert gridmill.Reward()(completion, puzzle=PUZZLE) == 0.0


def test_unknown_scores_have_no_reward() -> None:
    reward = gridmill.Reward()
    few = "1" + "." * 80
    near = gridmill.solve(few, first=True).solution
    assert near is not None
    wrong = near[:80] + near[0]
    assert gridmill.score(few, wrong).score is None
    answers = {few: wrong, "11..............": SOLUTION, "x": SOLUTION}
    assert reward(completions=list(answers.values()), puzzle=list(answers)) == [0.0] * 3


def test_mistakes_of_the_caller_are_refused() -> None:
    reward = gridmill.Reward()
    for columns, kind, message in [
        ({"completions": [SOLUTION]}, ValueError, "there is no column 'puzzle'"),
        ({"completions": [SOLUTION], "puzzle": [PUZZLE] * 2}, ValueError, "a puzzle for each of 1 completions"),
        ({"completions": [SOLUTION], "puzzle": PUZZLE[:1]}, ValueError, "a puzzle for each of 1 completions"),
        ({"completions": [SOLUTION], "puzzle": [5]}, TypeError, "puzzle must be a str, not int"),
        ({"completion": SOLUTION}, ValueError, "there is no column 'puzzle'"),
    ]:
        with pytest.raises(kind, match=message):
            reward(**columns)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no formula is called 'best'"):
        gridmill.Reward(formula="best")
    with pytest.raises(TypeError, match="puzzle must be a str"):
        gridmill.Reward(5)  # type: ignore[arg-type]


def test_it_is_copied_and_called_by_threads() -> None:
    reward = gridmill.Reward("quiz", "cells")
    for other in (copy.deepcopy(reward), pickle.loads(pickle.dumps(reward))):
        assert other.__name__ == "gridmill_cells"
        assert other(HALF, quiz=PUZZLE) == reward(HALF, quiz=PUZZLE) == 0.9375
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: reward(HALF, quiz=PUZZLE), range(2000))) == {0.9375}

"""Reward functions, as trainers call them: stand-ins do what TRL and verifiers do with a function."""

from __future__ import annotations

import asyncio
import copy
import functools
import pickle
import sys
import types
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
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


class LikeVerifiers(types.ModuleType):
    """The parts of `verifiers.v1` that the recipe takes."""

    class TaskData(types.SimpleNamespace):
        pass

    class TasksetConfig(types.SimpleNamespace):
        pass

    class Trace(types.SimpleNamespace):
        pass

    class Task:
        def __init__(self, data: Any, config: Any) -> None:
            self.data, self.config = data, config

        def __class_getitem__(cls, _: Any) -> Any:
            return cls

    class Taskset(Task):
        def __init__(self, config: Any) -> None:
            self.config = config

    def reward(self, weight: float) -> Any:
        return lambda function: function


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
    like = LikeVerifiers("verifiers.v1")
    for name in ("verifiers", "verifiers.v1"):
        monkeypatch.setitem(sys.modules, name, like)
    monkeypatch.setattr(like, "v1", like, raising=False)
    tasks = run(RECIPES["verifiers"])["Puzzles"](types.SimpleNamespace(task=None)).load()
    assert len(tasks) == 200
    for reply, expected in [(gridmill.solve(tasks[0].data.puzzle).solution, 1.0), (HALF, 0.0)]:
        trace = types.SimpleNamespace(last_reply=reply)
        assert asyncio.run(tasks[0].solved(trace)) == expected


@pytest.mark.cluster
def test_the_recipe_runs_with_verifiers() -> None:
    vf = pytest.importorskip("verifiers.v1")
    tasks = run(RECIPES["verifiers"])["Puzzles"](vf.TasksetConfig()).load()
    reply = gridmill.solve(tasks[0].data.puzzle).solution
    trace = types.SimpleNamespace(last_reply=reply, metrics={}, rewards={}, recorded={})
    trace.record_reward = lambda name, value, weight: trace.recorded.update({name: value * weight})
    asyncio.run(tasks[0].score(trace))
    assert trace.recorded == {"solved": 1.0}


@pytest.fixture
def tiny_model(tmp_path: Path) -> Path:
    """A language model of a few thousand random weights, whose tokens are the symbols of ASCII."""
    transformers, tokenizers = pytest.importorskip("transformers"), pytest.importorskip("tokenizers")
    symbols = ["<pad>", "<end>", *map(chr, range(128))]
    tokens = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({symbol: number for number, symbol in enumerate(symbols)})
    )
    tokens.pre_tokenizer = tokenizers.pre_tokenizers.Split(tokenizers.Regex(r"[\s\S]"), "isolated")
    tokens.decoder = tokenizers.decoders.Fuse()
    names = {"pad_token": "<pad>", "eos_token": "<end>"}
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokens, **names).save_pretrained(tmp_path)
    sizes = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = transformers.LlamaConfig(
        vocab_size=len(symbols), pad_token_id=0, bos_token_id=None, eos_token_id=1, **sizes
    )
    transformers.LlamaForCausalLM(config).save_pretrained(tmp_path)
    return tmp_path


@pytest.mark.trainer
def test_the_recipe_trains_with_trl(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trl = pytest.importorskip("trl")
    calls: dict[str, list[tuple[str, str, float]]] = {"gridmill_blanks": [], "gridmill_exact": []}

    class Reward(gridmill.Reward):
        def __call__(self, completion: object = None, **columns: Any) -> Any:
            rewards = super().__call__(completion, **columns)
            calls[self.__name__] += zip(columns["prompts"], columns["puzzle"], rewards, strict=True)
            return rewards

    monkeypatch.setattr(gridmill, "Reward", Reward)
    few = {"max_steps": 2, "num_generations": 4, "per_device_train_batch_size": 4, "max_completion_length": 20}
    here = {"use_cpu": True, "output_dir": str(tiny_model / "out"), "report_to": "none", "logging_steps": 1}
    monkeypatch.setattr(trl, "GRPOConfig", functools.partial(trl.GRPOConfig, **few, **here))
    trainer = run(RECIPES["TRL"].replace("Qwen/Qwen3-0.6B", str(tiny_model)))["trainer"]

    assert trainer.state.global_step == 2
    steps = [step for step in trainer.state.log_history if "reward" in step]
    assert len(steps) == 2
    for name, own in calls.items():
        assert len(own) == 8
        assert all(prompt.endswith(f"\n{puzzle}") and 0 <= reward <= 1 for prompt, puzzle, reward in own)
        for number, step in enumerate(steps):
            mean = sum(reward for _, _, reward in own[4 * number : 4 * number + 4]) / 4
            assert step[f"rewards/{name}/mean"] == pytest.approx(mean)


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
    "completion", [None, [], [None], [[]], [{}], chat(("assistant", None)), chat(("user", SOLUTION)), [5], b"\xff"]
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
        ({"completions": [SOLUTION], "puzzle": [5]}, TypeError, "puzzle must be a str or a list of cells, not int"),
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

"""The benchmark: a fixed protocol by which an agent is measured against fixed opponents (docs/benchmark.md)."""

from pyramidion.lab.evaluation.agents import Agent, read_agent
from pyramidion.lab.evaluation.evaluate import evaluate
from pyramidion.lab.evaluation.page import page
from pyramidion.lab.evaluation.protocol import Budget, Opponent, Protocol, protocol_of
from pyramidion.lab.evaluation.result import Evaluation, read_evaluation
from pyramidion.lab.evaluation.verification import Verification, verify

__all__ = [
    "Agent",
    "Budget",
    "Evaluation",
    "Opponent",
    "Protocol",
    "Verification",
    "evaluate",
    "page",
    "protocol_of",
    "read_agent",
    "read_evaluation",
    "verify",
]

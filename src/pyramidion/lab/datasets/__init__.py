"""Data sets of decisions in games between bots, as Parquet files."""

from pyramidion.lab.datasets.dataset import make_spec, write_dataset
from pyramidion.lab.datasets.spec import DatasetSpec, OtherDataset
from pyramidion.lab.datasets.verification import verify_dataset

__all__ = ["DatasetSpec", "OtherDataset", "make_spec", "verify_dataset", "write_dataset"]

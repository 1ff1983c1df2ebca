"""Data sets of decisions in games between bots, as Parquet files."""

from pyramidion.extras import missing

try:
    from pyramidion.lab.datasets.dataset import make_spec, write_dataset
    from pyramidion.lab.datasets.spec import DatasetSpec, OtherDataset
    from pyramidion.lab.datasets.verification import verify_dataset
except ModuleNotFoundError as error:
    raise missing(error, "lab") from error

__all__ = ["DatasetSpec", "OtherDataset", "make_spec", "verify_dataset", "write_dataset"]

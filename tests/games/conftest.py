"""What the tests of all games share."""

from hypothesis import HealthCheck, settings

# No example may fail because the machine is busy: a first call compiles, and time is not what these tests are about.
settings.register_profile("games", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("games")

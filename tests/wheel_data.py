"""Puts data/ into the wheel, as bpe_core/_data; pyproject.toml names this file."""

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WheelData(BuildHookInterface):
    """What hatchling's force-include does, but not where the course is installed with pip -e."""

    def initialize(self, version, build_data):
        if version == "standard":
            build_data["force_include"]["data"] = "bpe_core/_data"

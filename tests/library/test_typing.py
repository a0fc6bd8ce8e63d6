"""A user's code is checked against the types of the public names, as an installed package."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.script_files import SCRIPTS

USER = Path(__file__).with_name("typed_user.py")
ROOT = SCRIPTS.parent


@pytest.mark.full
def test_mypy_accepts_what_a_user_writes(tmp_path):
    python = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", python], check=True)
    packages = next((python / "lib").glob("python*/site-packages"))
    (packages / "continental_sim").symlink_to(ROOT / "continental_sim")
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-executable", python / "bin/python",
         "--cache-dir", tmp_path / "cache", USER],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr

"""The Python of docs/Integrate.md."""
import pathlib
import subprocess
import sys


def test_integrate(tmp_path):
    root = pathlib.Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, root / "test/docs/run_page.py", root / "docs/Integrate.md", tmp_path, "python"],
        capture_output=True, text=True, timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 <text>:2:3: error:" in done.stdout

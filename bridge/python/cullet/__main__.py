# SPDX-License-Identifier: Zlib
"""python -m cullet: what `cullet info` says."""

import platform
import signal

import numpy as np

from . import Broadphase, devices, version


def main() -> None:
    broadphase = Broadphase([[0, 0, 0, 1, 1, 1]])
    broadphase.update()
    choice = broadphase.stats()  # only a broadphase knows what "auto" takes
    print(f"cullet     {version()}")
    print(f"Python     {platform.python_version()}, NumPy {np.__version__}")
    print(f"system     {platform.platform()}")
    for device in devices():
        print(f"{device.device:<10} {'usable' if device.usable else 'not usable'}: {device.name} ({device.reason})")
    print(f"auto       takes {choice.device}: {choice.device_reason}")
    print(f"           and there {choice.algorithm}: {choice.reason}")


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # | head
    main()

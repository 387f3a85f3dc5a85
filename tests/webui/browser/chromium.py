"""Finding and starting a Chromium: the one named, the system's, or Playwright's own."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from playwright.sync_api import Browser, Playwright

_WHOLE = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
#: A Chromium without windows, which needs an eighth less of the processor for the same pages; it has no camera.
_SHELL = ("chromium-headless-shell", "chrome-headless-shell")
#: What Chromium goes without: pages of its own behind the address bar, two processes for every window, and a
#: process kept ready for the next. Of this switch the last counts, so what Playwright itself leaves away follows.
_WITHOUT = [
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess",
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding",
    "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints",
    "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch",
]  # fmt: skip
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--force-color-profile=srgb",
    f"--disable-features={','.join(_WITHOUT)}",
]  # fmt: skip

#: What to do where there is none.
NO_CHROMIUM = "no Chromium found: install the package chromium, or name one in VEDETTE_CHROMIUM"


def chromium_path(*, camera: bool = False) -> str | None:
    """The Chromium named in ``VEDETTE_CHROMIUM``, else one of the system's; None where there is none.

    With ``camera`` it is one that can have a camera.
    """
    named = os.environ.get("VEDETTE_CHROMIUM")
    names = _WHOLE if camera else (*_SHELL, *_WHOLE)
    return named or next((found for name in names if (found := shutil.which(name))), None)


def open_chromium(playwright: Playwright) -> Browser | None:
    """A headless browser; None where there is none to start."""
    path = chromium_path()
    if path is None and not Path(playwright.chromium.executable_path).exists():
        return None
    return playwright.chromium.launch(executable_path=path, args=ARGUMENTS)

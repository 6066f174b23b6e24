"""A truth file is read row by row, and a faulty row is named."""

import pytest

from venire.errors import UsageError
from venire.measure.truth import truths
from venire.model import Truth

HEAD = "target,id,line_lo,line_hi,category,severity,note\n"


def test_a_row_is_a_truth() -> None:
    (made,) = truths(HEAD + 'a.py,leak,15,17,ResourceLeak,Medium,"open(), never closed"\n', "t.csv")

    assert made == Truth("a.py", "leak", ("ResourceLeak",), (15, 17), "Medium", "open(), never closed")


def test_the_seed_experiments_own_columns_are_read() -> None:
    (made,) = truths("target,gt_id,line,line_lo,line_hi,category,severity,note\na.py,x,9,8,10,SQLInjection,High,n\n", "t.csv")

    assert (made.id, made.lines) == ("x", (8, 10))


def test_categories_and_checks_together_name_a_defect() -> None:
    (made,) = truths("target,id,line,category,check\na.py,x,9,Leak | Leak,b::check_3|b::check_4\n", "t.csv")

    assert (made.labels, made.lines) == (("Leak", "b::check_3", "b::check_4"), (9, 9))


def test_byte_order_marks_and_blank_lines_do_not_matter() -> None:
    assert len(truths("\ufeff" + HEAD + "\r\na.py,x,1,1,L,,\r\n\n", "t.csv")) == 1


def test_a_file_with_a_header_alone_knows_of_no_defect() -> None:
    assert truths(HEAD, "t.csv") == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t.csv:1: no column target"),
        ('target,"id', "t.csv:1: "),
        ("target,line,category\n", "t.csv:1: no column id or gt_id"),
        ("target,id,category\n", "t.csv:1: no column line or line_lo"),
        ("target,id,line\n", "t.csv:1: no column category or check"),
        (HEAD + "a.py,x,1\n", "t.csv:2: not as many fields"),
        (HEAD + "a.py,x,1,1,L,,n,more\n", "t.csv:2: not as many fields"),
        (HEAD + "a.py,x,1,1,L,,\n,x,1,1,L,,\n", "t.csv:3: no target"),
        (HEAD + "a.py,,1,1,L,,\n", "t.csv:2: no id"),
        (HEAD + "a.py,x,1,1, | ,,\n", "t.csv:2: no category or check"),
        (HEAD + "a.py,x,,,L,,\n", "t.csv:2: '' to '' are no lines"),
        (HEAD + "a.py,x,1.5,2,L,,\n", "t.csv:2: '1.5' to '2' are no lines"),
        (HEAD + "a.py,x,-1,2,L,,\n", "t.csv:2: '-1' to '2' are no lines"),
        (HEAD + "a.py,x,3,2,L,,\n", "t.csv:2: lines 3 to 2"),
        (HEAD + "a.py,x,0,2,L,,\n", "t.csv:2: lines 0 to 2"),
        (HEAD + "a.py,x,1,99999999999,L,,\n", "t.csv:2: '1' to '99999999999' are no lines"),
        (HEAD + "a.py,x,²,²,L,,\n", "t.csv:2: '²' to '²' are no lines"),
        (HEAD + 'a.py,"x,1,1,L,,\n', "t.csv:2: "),
        (HEAD + "a.py,x,1,1,L,,\n" * 2, "t.csv:3: x of a.py is there twice"),
    ],
)
def test_a_faulty_file_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        truths(text, "t.csv")

    assert message in error.value.message
    assert error.value.remedy

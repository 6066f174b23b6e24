"""Host settings in every spelling people use, and the refusal of foreign hosts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from venire.errors import ConfigError
from venire.sample.backends.address import reach


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("127.0.0.1", "http://127.0.0.1:11434"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        (":8080", "http://127.0.0.1:8080"),
        ("127.0.0.1:", "http://127.0.0.1:11434"),
        ("localhost", "http://127.0.0.1:11434"),
        ("LocalHost.:99", "http://127.0.0.1:99"),
        ("http://localhost", "http://127.0.0.1:11434"),
        ("http://127.0.0.1:11434/", "http://127.0.0.1:11434"),
        ("HTTP://127.0.0.1", "http://127.0.0.1:11434"),
        ("https://127.0.0.1", "https://127.0.0.1:443"),
        ("0.0.0.0", "http://127.0.0.1:11434"),  # noqa: S104
        ("http://0.0.0.0:11434", "http://127.0.0.1:11434"),
        ("::", "http://127.0.0.1:11434"),
        ("[::]:8080", "http://127.0.0.1:8080"),
        ("::1", "http://[::1]:11434"),
        ("[::1]", "http://[::1]:11434"),
        ("http://[0:0:0:0:0:0:0:1]:99/", "http://[::1]:99"),
        ('"127.0.0.1:11434"', "http://127.0.0.1:11434"),
        ("'localhost'", "http://127.0.0.1:11434"),
        ("  127.0.0.2:1\n", "http://127.0.0.2:1"),
    ],
)
def test_every_way_to_write_this_machine_is_understood(text, url):
    assert reach(text).url == url


@pytest.mark.parametrize(
    "text",
    [
        "gpu.lan",
        "8.8.8.8:11434",
        "http://example.com",
        "[2001:db8::1]:11434",
        "192.168.1.4",
        "127.0.0.1.example.com",
        "2130706433",
        "127.1",
        "::ffff:8.8.8.8",
        "localhost.example.com",
    ],
)
def test_a_host_that_is_not_this_machine_is_refused_with_the_way_to_allow_it(text):
    with pytest.raises(ConfigError, match="is not this machine") as caught:
        reach(text)
    assert "allow-hosts" in caught.value.remedy


@pytest.mark.parametrize(
    "text",
    [
        "ftp://127.0.0.1",
        "http://127.0.0.1:0",
        "127.0.0.1:65536",
        "127.0.0.1:http",
        "127.0.0.1:-1",
        "127.0.0.1:１１",
        "[::1",
        "[127.0.0.1]:80",
        "::1:x",
        "http://user@127.0.0.1",
        "127.0.0.1/api",
        "127.0.0.1?x",
        "127.0.0.1#x",
        "127.0.0.1\r\nHost: x",
        "127.0. 0.1",
        "127.0.0.1\\@example.com",
        "fe80::1%eth0",
        "file:///etc/passwd",
    ],
)
def test_an_unreadable_host_is_refused_with_its_text(text):
    with pytest.raises(ConfigError) as caught:
        reach(text)
    assert str(caught.value).startswith(f"host {text!r}")


def test_an_allowed_host_is_reached_at_any_port_unless_the_entry_names_one():
    assert reach("gpu.lan", allow_hosts=["GPU.lan"]).url == "http://gpu.lan:11434"
    assert reach("http://gpu.lan:9", allow_hosts=["x", "gpu.lan:9"]).url == "http://gpu.lan:9"
    assert reach("https://gpu.lan", allow_hosts=["https://gpu.lan/"]).url == "https://gpu.lan:443"
    with pytest.raises(ConfigError):
        reach("gpu.lan:8", allow_hosts=["gpu.lan:9"])
    with pytest.raises(ConfigError):
        reach("evil.gpu.lan", allow_hosts=["gpu.lan"])


@settings(deadline=None, max_examples=60)
@given(st.one_of(st.text(max_size=30), st.text(alphabet="01.:[]/@ht\"'pslocal", max_size=25)))
def test_any_text_is_refused_or_means_this_machine_and_is_stable(text):
    """What was understood once is understood the same when written out."""
    try:
        address = reach(text)
    except ConfigError:
        return
    assert address.is_loopback
    assert reach(address.url) == address

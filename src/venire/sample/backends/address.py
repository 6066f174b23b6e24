"""The text of a server setting → where to connect. Only this machine and allow-listed hosts are ever contacted."""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass

from venire.errors import ConfigError

LOOPBACK = "127.0.0.1"  # never "localhost": some systems try ::1 first and wait for seconds
REMEDY = "write it as host:port, for example 127.0.0.1:11434"


@dataclass(frozen=True, slots=True)
class Address:
    """A scheme, a host without brackets, and a port."""

    scheme: str
    host: str
    port: int

    @property
    def netloc(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.netloc}"

    @property
    def is_loopback(self) -> bool:
        address = _ip(self.host)
        return address is not None and address.is_loopback


def reach(text: str, *, allow_hosts: Sequence[str] = (), port: int = 11434) -> Address:
    """Return the address ``text`` means; ConfigError when it is unreadable, or neither this machine nor allow-listed."""
    scheme, host, given = _parts(text)
    address = Address(scheme, host, given or (443 if scheme == "https" else port))
    if address.is_loopback or any(_allows(entry, address) for entry in allow_hosts):
        return address
    raise ConfigError(
        f"host {address.netloc} is not this machine, and code is sent nowhere else unasked",
        remedy=f"if it is yours: --allow-hosts {host}, or VENIRE_ALLOW_HOSTS={host}",
    )


def _allows(entry: str, address: Address) -> bool:
    _, host, port = _parts(entry)
    return host == address.host and port in (None, address.port)


def _parts(text: str) -> tuple[str, str, int | None]:
    plain = text.strip().strip("\"'").strip()
    if any(char.isspace() or not char.isprintable() for char in plain):
        raise ConfigError(f"host {text!r}: white space or control characters", REMEDY)
    scheme, separator, rest = plain.partition("://")
    if not separator:
        scheme, rest = "http", plain
    if scheme.lower() not in ("http", "https"):
        raise ConfigError(f"host {text!r}: scheme {scheme!r}", "use http or https")
    host, port = _split(rest.rstrip("/"), text)
    return scheme.lower(), _canonical(host), _port(port, text)


def _split(rest: str, text: str) -> tuple[str, str]:
    if any(char in rest for char in "/\\?#@%"):
        raise ConfigError(f"host {text!r}: only a host and a port are understood", REMEDY)
    if rest.startswith("["):
        host, closed, tail = rest[1:].partition("]")
        if not closed or not _is_v6(host) or (tail and not tail.startswith(":")):
            raise ConfigError(f"host {text!r}: not an IPv6 address in brackets", REMEDY)
        return host, tail[1:]
    if rest.count(":") > 1:  # an IPv6 address without brackets has no room for a port
        if not _is_v6(rest):
            raise ConfigError(f"host {text!r}: neither host:port nor an IPv6 address", REMEDY)
        return rest, ""
    host, _, port = rest.partition(":")
    if "[" in host or "]" in host:
        raise ConfigError(f"host {text!r}: stray bracket", REMEDY)
    return host, port


def _canonical(host: str) -> str:
    plain = host.lower().removesuffix(".")
    if plain in ("", "localhost"):
        return LOOPBACK
    address = _ip(plain)
    if address is None:
        return plain
    return LOOPBACK if address.is_unspecified else str(address)  # a server binds the wildcard, nobody connects to it


def _port(port: str, text: str) -> int | None:
    if not port:
        return None
    if not (port.isascii() and port.isdecimal() and len(port) <= 5 and 0 < int(port) < 65536):
        raise ConfigError(f"host {text!r}: port {port!r}", "use a port from 1 to 65535")
    return int(port)


def _ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _is_v6(host: str) -> bool:
    return isinstance(_ip(host), ipaddress.IPv6Address)

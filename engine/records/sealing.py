"""Texts under a key that both players know: for choices made in secret and for games sent by mail (MP-303).

The key's words are stretched with scrypt, and the text is sealed with AES-256-GCM, which also tells a wrong key
and a text that was changed on the way; both are of the library ``cryptography``.
"""

from __future__ import annotations

import base64
import os
import zlib

from engine.errors import EngineError

__all__ = ["SealError", "open_seal", "opened_text", "seal", "sealed_text"]

_SALT, _NONCE = 16, 12
#: scrypt's cost: a guess takes about a tenth of a second and 32 MB.
_COST, _BLOCK, _PARALLEL = 2**15, 8, 1


class SealError(EngineError, ValueError):
    """A text that this key does not open."""

    exit_status = 2


def seal(text: bytes, key: str, *, salt: bytes | None = None, nonce: bytes | None = None) -> bytes:
    """Salt, nonce, and the text packed and sealed with a key; salt and nonce are random unless given."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    salt = os.urandom(_SALT) if salt is None else salt
    nonce = os.urandom(_NONCE) if nonce is None else nonce
    return salt + nonce + AESGCM(_stretched(key, salt)).encrypt(nonce, zlib.compress(text), None)


def open_seal(sealed: bytes, key: str) -> bytes:
    """The reverse of `seal`. Raises SealError for another key, and for a text that was damaged or changed."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    salt, nonce, rest = sealed[:_SALT], sealed[_SALT : _SALT + _NONCE], sealed[_SALT + _NONCE :]
    try:
        return zlib.decompress(AESGCM(_stretched(key, salt)).decrypt(nonce, rest, None))
    except (InvalidTag, ValueError) as error:
        raise SealError("the key does not open it: another key was used, or the file was damaged") from error


def sealed_text(text: str, key: str) -> str:
    """A short text under a key, as letters that a JSON file can hold."""
    return base64.b64encode(seal(text.encode(), key)).decode("ascii")


def opened_text(sealed: str, key: str) -> str:
    """The reverse of `sealed_text`. Raises SealError."""
    try:
        raw = base64.b64decode(sealed, validate=True)
    except ValueError as error:
        raise SealError("expected a sealed text, got something else") from error
    return open_seal(raw, key).decode()


def _stretched(key: str, salt: bytes) -> bytes:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    if not key:
        raise SealError("expected a key of one character or more")
    return Scrypt(salt=salt, length=32, n=_COST, r=_BLOCK, p=_PARALLEL).derive(key.encode())

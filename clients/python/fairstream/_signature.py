"""Ed25519 signatures of records of the model topic, as docs/serving.md describes them. They need the extra signatures."""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import Optional, Sequence

from fairstream._document import DocumentError

_PREFIX = "ed25519:"
_DOMAIN = b"fairstream-model-topic-1"


class Verifier:
    """The public keys that are trusted, each as ed25519:BASE64, as `fairstream keys generate` prints it."""

    def __init__(self, keys: Sequence[str]) -> None:
        try:
            from cryptography.exceptions import InvalidSignature
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        except ImportError as err:
            raise ImportError("signatures need the library cryptography: pip install 'fairstream[signatures]'") from err
        self._invalid = InvalidSignature
        self._keys = {}
        for text in [keys] if isinstance(keys, str) else keys:
            try:
                raw = base64.b64decode(text.removeprefix(_PREFIX), validate=True)
            except binascii.Error:
                raw = b""
            if not text.startswith(_PREFIX) or len(raw) != 32:
                raise ValueError(f"{text!r} is no public key: write {_PREFIX} and 32 bytes in base64, as `fairstream keys generate` prints it")
            self._keys[hashlib.sha256(raw).hexdigest()[:16]] = Ed25519PublicKey.from_public_bytes(raw)

    def verify(self, key: bytes, value: bytes, key_id: str, signature: Optional[bytes]) -> None:
        """DocumentError if a record is not signed by a trusted key. key_id and signature are the values of its headers."""
        if not key_id or not signature:
            raise DocumentError("it is not signed")
        if key_id not in self._keys:
            raise DocumentError(f"it is signed with key {key_id!r}, which is not among the public keys")
        try:
            self._keys[key_id].verify(signature, _DOMAIN + len(key).to_bytes(8, "big") + key + value)
        except self._invalid:
            raise DocumentError(f"its signature with key {key_id!r} is wrong") from None

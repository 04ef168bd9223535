"""The part of a screenshot that shows something, found without decoding it to pixels.

Theory of operation
    Small pages leave most of a screenshot blank, and a thumbnail of it shows nothing but a blank. A browser cannot read
    the pixels of a local file, and an image library is a large dependency. But a JPEG file already divides a picture
    into blocks of 8 by 8 pixels, and says for each block how bright it is on average (its DC coefficient, as a
    difference from the block before) and what its pattern is (its AC coefficients). A block is blank if it has no
    pattern and the brightness that most such blocks have. So only the Huffman codes are read, with a table that is
    looked up with the next 16 bits, and no picture is computed. numpy prepares the 16 bits at every position.

    The codes are those of ITU-T T.81, annexes B and F: baseline, Huffman-coded, without restart markers, which is what
    Chromium writes. For any other file, nothing is found, and the whole picture is shown.
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_BYTES = 2_000_000  # of one file; larger ones are shown as they are
BLOCK = 8  # pixels
COEFFICIENTS = 64  # of a block
MOST_BLOCKS = 4  # of one component in a unit, as Chromium writes them
WINDOW = 16  # bits of the longest code
LONG = 256  # in a table: the number of coefficients, above the number of bits


@dataclass(frozen=True, slots=True)
class Box:
    """A part of a picture, in pixels."""

    left: int
    top: int
    right: int
    bottom: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Component:
    """Brightness or colour of a picture: its blocks in each unit, and the tables for their codes."""

    blocks: int
    dc: Sequence[int]
    ac: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Header:
    width: int
    height: int
    across: int  # blocks of brightness in each unit, from left to right
    down: int
    components: tuple[_Component, ...]
    data: bytes  # the codes


def content_of(jpeg: bytes) -> tuple[int, int, Box] | None:
    """Return width and height of a picture and the part that shows something; None if that is unknown or nothing."""
    if len(jpeg) > MOST_BYTES:
        return None
    try:
        header = _header(jpeg)
        box = None if header is None else _box(header, *_blocks(header))
    except (IndexError, KeyError, ValueError):  # a damaged file
        return None
    return None if header is None or box is None else (header.width, header.height, box)


def _segments(jpeg: bytes) -> Iterator[tuple[int, bytes, int]]:
    """Yield marker, content and end of each segment up to the codes."""
    at = 2
    while jpeg[at] == 0xFF:
        marker, length = jpeg[at + 1], int.from_bytes(jpeg[at + 2 : at + 4])
        yield marker, jpeg[at + 4 : at + 2 + length], at + 2 + length
        at += 2 + length


def _header(jpeg: bytes) -> _Header | None:
    tables: dict[int, list[int]] = {}
    frame = b""
    for marker, content, end in _segments(jpeg):
        if marker == 0xC4:
            tables |= _tables(content)
        elif marker == 0xC0:
            frame = content
        elif marker == 0xDA and frame:
            codes = jpeg[end : jpeg.rindex(b"\xff\xd9")].replace(b"\xff\x00", b"\xff")
            return _of_frame(frame, content, tables, codes)
        elif marker in (0xDA, 0xDD) or 0xC0 < marker < 0xCF:
            return None
    return None


def _of_frame(frame: bytes, scan: bytes, tables: dict[int, list[int]], codes: bytes) -> _Header:
    """Return what is needed to read the codes. See T.81, B.2.2 and B.2.3."""
    chosen = {scan[1 + 2 * each]: scan[2 + 2 * each] for each in range(scan[0])}
    parts = [frame[6 + 3 * each : 9 + 3 * each] for each in range(frame[5])]
    components = [
        _Component(blocks=_blocks_of(sampling), dc=tables[chosen[name] >> 4], ac=tables[0x10 | chosen[name] & 15])
        for name, sampling, _ in parts
    ]
    return _Header(
        width=int.from_bytes(frame[3:5]),
        height=int.from_bytes(frame[1:3]),
        across=parts[0][1] >> 4,
        down=parts[0][1] & 15,
        components=tuple(components),
        data=codes,
    )


def _blocks_of(sampling: int) -> int:
    blocks = (sampling >> 4) * (sampling & 15)
    if not 0 < blocks <= MOST_BLOCKS:
        raise ValueError(sampling)
    return blocks


def _tables(content: bytes) -> dict[int, list[int]]:
    """Return tables that map the next 16 bits to a code: its bits, and how many coefficients it stands for.

    In a table for DC coefficients, the second number is that of the bits that follow the code.
    """
    tables = {}
    while content:
        name, counts = content[0], content[1:17]
        symbols = content[17 : 17 + sum(counts)]
        tables[name] = _table(counts, symbols, is_ac=name >> 4 == 1)
        content = content[17 + len(symbols) :]
    return tables


def _table(counts: bytes, symbols: bytes, *, is_ac: bool) -> list[int]:
    lengths = [length for length, count in enumerate(counts, 1) for _ in range(count)]
    table = list[int]()
    for length, symbol in zip(lengths, symbols, strict=True):
        table += [_entry(symbol, length, is_ac=is_ac)] * (1 << (WINDOW - length))
        if len(table) > 1 << WINDOW:
            raise ValueError(length)  # more codes than there are
    return [*table, *[0] * ((1 << WINDOW) - len(table))]


def _entry(symbol: int, length: int, *, is_ac: bool) -> int:
    if not is_ac:
        return length | symbol * LONG
    run, size = symbol >> 4, symbol & 15
    is_end = not size and run != 15
    return (length + size) | (COEFFICIENTS if is_end else run + 1) * LONG


def _windows(data: bytes) -> "array[int]":
    """Return the next 16 bits at each bit of the data."""
    octets = np.frombuffer(data + b"\xff" * 4, dtype=np.uint8).astype(np.uint32)
    words = octets[:-2] << 16 | octets[1:-1] << 8 | octets[2:]
    shifts = np.arange(8, 0, -1, dtype=np.uint32)
    windows = (words[:, None] >> shifts) & 0xFFFF
    return array("H", windows.astype(np.uint16).tobytes())


def _blocks(header: _Header) -> tuple[list[int], list[bool]]:
    """Return the brightness of each block of the first component, and whether it has a pattern."""
    windows, at, bright = _windows(header.data), 0, 0
    levels, patterned = list[int](), list[bool]()
    units = _units(header.width, header.across) * _units(header.height, header.down)
    if units > len(windows):
        raise ValueError(units)  # more than there can be codes for
    for _ in range(units):
        for number, component in enumerate(header.components):
            dc, ac = component.dc, component.ac
            for _ in range(component.blocks):
                size = dc[windows[at]]
                at, size = at + size % LONG, size // LONG
                if size and not number:
                    bright += _signed(windows[at] >> (WINDOW - size), size)
                at += size
                begun, coefficient = at, 1
                while coefficient < COEFFICIENTS:
                    entry = ac[windows[at]]
                    at += entry % LONG
                    coefficient += entry // LONG or COEFFICIENTS
                if not number:
                    levels.append(bright)
                    patterned.append(at - begun > ac[windows[begun]] % LONG)  # more than the end of the block
    return levels, patterned


def _signed(value: int, size: int) -> int:
    return value if value >> (size - 1) else value - (1 << size) + 1


def _units(length: int, blocks: int) -> int:
    return -(-length // (BLOCK * blocks))


def _box(header: _Header, levels: list[int], patterned: list[bool]) -> Box | None:
    """Return the units that show something, with those between them."""
    per_unit = header.across * header.down
    flat, pattern = np.array(levels).reshape(-1, per_unit), np.array(patterned).reshape(-1, per_unit)
    if pattern.all():
        return Box(0, 0, header.width, header.height)
    plain, counts = np.unique(flat[~pattern], return_counts=True)
    shows: NDArray[np.bool_] = (pattern | (flat != plain[counts.argmax()])).any(axis=1)
    grid = shows.reshape(_units(header.height, header.down), -1)
    rows, columns = np.flatnonzero(grid.any(axis=1)), np.flatnonzero(grid.any(axis=0))
    if not rows.size:
        return None
    wide, high = BLOCK * header.across, BLOCK * header.down
    right, bottom = int(columns[-1] + 1) * wide, int(rows[-1] + 1) * high
    return Box(int(columns[0]) * wide, int(rows[0]) * high, min(right, header.width), min(bottom, header.height))

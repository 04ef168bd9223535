"""JPEG files of flat and patterned blocks, written code by code."""

from collections.abc import Collection

DC_SYMBOLS, DC_BITS = bytes(range(12)), 4
AC_SYMBOLS, AC_BITS = b"\x00\x01\xf0", 2  # the end of a block, a coefficient of one bit, and sixteen zeros
BACKGROUND = 50
Place = tuple[int, int]  # column and row


def picture(
    columns: int, rows: int, *, patterned: Collection[Place] = (), dark: Collection[Place] = (), colours: bool = True
) -> bytes:
    """A picture of so many units (16 by 16 pixels, without colours 8 by 8), blank except at these places."""
    bits, level = "", 0
    for row in range(rows):
        for column in range(columns):
            wanted = 3 if (column, row) in dark else BACKGROUND
            for _ in range(4 if colours else 1):
                bits += _level(wanted - level) + _pattern((column, row) in patterned)
                level = wanted
            bits += (_level(0) + _pattern(False)) * (2 if colours else 0)
    bits += "1" * (-len(bits) % 8)
    data = int(bits, 2).to_bytes(len(bits) // 8).replace(b"\xff", b"\xff\x00")
    return b"\xff\xd8" + _headers(columns, rows, colours=colours) + data + b"\xff\xd9"


def _headers(columns: int, rows: int, *, colours: bool) -> bytes:
    size = 16 if colours else 8
    parts = [(1, 0x22 if colours else 0x11), (2, 0x11), (3, 0x11)][: 3 if colours else 1]
    frame = bytes((8, *(rows * size).to_bytes(2), *(columns * size).to_bytes(2), len(parts)))
    scan = bytes((len(parts),))
    for name, sampling in parts:
        frame += bytes((name, sampling, 0))
        scan += bytes((name, 0))
    tables = _table(0x00, DC_SYMBOLS, DC_BITS) + _table(0x10, AC_SYMBOLS, AC_BITS)
    return (
        _segment(0xDB, b"\x00" + b"\x10" * 64) + _segment(0xC0, frame) + tables + _segment(0xDA, scan + b"\x00\x3f\x00")
    )


def _segment(marker: int, content: bytes) -> bytes:
    return bytes((0xFF, marker)) + (len(content) + 2).to_bytes(2) + content


def _table(name: int, symbols: bytes, bits: int) -> bytes:
    counts = bytes(len(symbols) if length == bits else 0 for length in range(1, 17))
    return _segment(0xC4, bytes((name,)) + counts + symbols)


def _level(difference: int) -> str:
    size = abs(difference).bit_length()
    written = difference if difference > 0 else difference + (1 << size) - 1
    return f"{size:0{DC_BITS}b}" + (f"{written:0{size}b}" if size else "")


def _pattern(is_some: bool) -> str:
    """A coefficient after seventeen zeros and the end of the block, or its end only."""
    return "10" + "01" + "1" + "00" if is_some else "00"

# SPDX-License-Identifier: MIT
"""The records of a DATA chunk, in all encodings (doc/format.md, 5)."""
from columns import column_records
from looped import looped_records
from parts import Damage
from records import all_defined, raw_records
from signatures import signature_records

TIMES_SUMMED = 4  # a flag of a chunk


def in_raw_form(header, body, functions):
    """The records of a DATA chunk of encoding 0, and their unit of time."""
    records = all_defined(raw_records(body, functions, header.sequence))
    numbers = [record.sequence for record in records]
    if numbers != list(range(header.sequence, header.sequence + len(records))):
        raise Damage("sequence numbers of raw records are not consecutive")
    return records, (1, 0)


DECODE = (in_raw_form, column_records, signature_records, signature_records, looped_records,
          looped_records)    # by encoding
LAST_ENCODING = len(DECODE) - 1


def data_records(header, body, functions):
    """(records, (unit, phase)) of a DATA chunk."""
    records, step = DECODE[header.encoding](header, body, functions)
    if len(records) != header.count:
        raise Damage(f"{len(records)} records instead of {header.count}")
    if header.flags & TIMES_SUMMED:
        records = [record._replace(summed=True) for record in records]
    return records, step

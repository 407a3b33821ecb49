# SPDX-License-Identifier: MIT
"""Broken traces: DATA chunks of encoding 2, their two parts and their signatures."""
import zlib

from spoiling import case, four_opens, part
from spoiling_signatures import OFFSET, constant, one, signed_by, spoiled, string
from write_signatures import ADD, ASIDE, CHAINS, EQUAL, RELATIVE, plain_sequence
from write_trace import svarint, uvarint


@case("encoding 2 as it should be", 45, damaged=False)
def signatures_sound(t):
    signed_by(t, one())


# ---- the two parts ------------------------------------------------------------------------


@case("bytes after the bits", at="x")
def bits_after(t):
    spoiled(t, part("bits", b"more"))


@case("words whose zlib stream is cut", at="x")
def words_cut(t):
    spoiled(t, body=zlib.compress(bytes(70))[:-3], plain=70)


@case("words that inflate to more than it says", at="x")
def words_more(t):
    spoiled(t, plain=20)


@case("words after the last sequence", at="x")
def words_left(t):
    spoiled(t, part(OFFSET, uvarint(8) + plain_sequence([0] + [2] * 9) + b"\0"))


@case("words that end before the last sequence", at="x")
def words_short(t):
    spoiled(t, part(OFFSET, b""))


@case("encoding 2 with a function without a definition", at="x")
def signatures_undefined(t):
    spoiled(t, part("functions", uvarint(1) + uvarint(4711)))


@case("encoding 2 with one record less than the header counts", at="x")
def signatures_count_more(t):
    spoiled(t, count=11)


@case("encoding 2 with one record more than the header counts", at="x")
def signatures_count_less(t):
    spoiled(t, count=9)


@case("a module whose id has 33 bits", at="x")
def site_module_wide(t):
    spoiled(t, part("sites", uvarint(1) + uvarint(1 << 32) + uvarint(64)))


# ---- signatures ------------------------------------------------------------------------------


@case("a list of 2^40 signatures", at="x")
def signatures_many(t):
    spoiled(t, part("signatures", uvarint(1 << 40) + one()))


@case("65,535 signatures", at="x")
def signatures_limit(t):
    signed_by(t, *[one()] * 65535)


@case("65,536 chains", at="x")
def chains_many(t):
    spoiled(t, part("chains", uvarint(65536)))


@case("65,536 groups", at="x")
def groups_many(t):
    spoiled(t, part("groups", uvarint(65536)))


@case("a signature of a function beyond the list", at="x")
def signature_function(t):
    signed_by(t, one(function=1))


@case("a signature with a level of 70,000", at="x")
def signature_level(t):
    signed_by(t, one(level=70_000))


@case("a signature of a group that is not there", at="x")
def signature_group(t):
    signed_by(t, one(times=2 << 1))


@case("a signature with an errno of 2^40", at="x")
def signature_err(t):
    signed_by(t, one(err=1 << 40))


@case("a signature with four arguments of a function that has three", at="x")
def signature_arguments(t):
    signed_by(t, one(args=4) + constant(0))


@case("a field with operation 5", at="x")
def field_operation(t):
    signed_by(t, one({2: uvarint(5) + svarint(0)}))


@case("a field that is equal to itself", at="x")
def field_equal_itself(t):
    signed_by(t, one({6: uvarint(EQUAL) + uvarint(6)}))


@case("a field that is equal to a later one", at="x")
def field_equal_later(t):
    signed_by(t, one({6: uvarint(EQUAL) + uvarint(7)}))


@case("a field of a chain that is not there", at="x")
def field_chain(t):
    signed_by(t, one({7: uvarint(ASIDE) + uvarint(CHAINS)}))


@case("a field added to a chain where there is none", at="x")
def field_no_chain(t):
    spoiled(t, part("chains", uvarint(0)),
            part("signatures", uvarint(1) + one({7: uvarint(ADD) + uvarint(0) + svarint(8)})),
            lambda parts: parts.pop(OFFSET))


@case("a repeat of 2^32", at="x")
def field_repeat(t):
    signed_by(t, one({0: constant((1 << 32) - 1)}))


@case("a call site beyond the list", at="x")
def field_site(t):
    signed_by(t, one({1: constant(1)}))


@case("a call site that is counted on beyond the list", at="x")
def field_site_counted(t):
    signed_by(t, one({1: uvarint(ADD) + uvarint(0) + svarint(1)}))


@case("a stack of 2^32", at="x")
def field_stack(t):
    signed_by(t, one({2: constant(1 << 32)}))


@case("a stack that is what self makes it, -1", at="x")
def field_stack_relative(t):
    signed_by(t, one({2: uvarint(RELATIVE) + svarint(-3)}))


@case("a stack that is counted on to 2^32", at="x")
def field_stack_counted(t):
    signed_by(t, one({2: uvarint(ADD) + uvarint(0) + svarint(1 << 31)}))


@case("a pair whose value is 2^31", at="x")
def field_pair_value(t):
    signed_by(t, one({4: constant(1 << 31)}))


@case("a pair whose value is a negative number that is not extended", at="x")
def field_pair_half(t):
    signed_by(t, one({4: constant(0xFFFFFFFF)}))


@case("a pair whose id is -1", at="x")
def field_pair_id(t):
    signed_by(t, one({5: constant(-1)}))


@case("a field that does not fit in a signature that no record has", at="x")
def field_unused(t):
    signed_by(t, one(), one({2: constant(1 << 32)}))


@case("a field that is equal to one that does not fit, in a signature that no record has", at="x")
def field_unused_equal(t):
    signed_by(t, one(), one({3: constant(1 << 32), 5: uvarint(EQUAL) + uvarint(3)}))


@case("a string that is not there in a signature that no record has", at="x")
def field_unused_string(t):
    words = b"".join([uvarint(0), uvarint(0), b"\0", uvarint(0), svarint(0), uvarint(1)])
    good, bad = [words + b"".join(constant(value) for value in (0, 0, 0, 5, 1, index))
                 for index in (2, 3)]
    spoiled(t, part("strings", uvarint(1) + string(b"/tmp/a")),
            part("signatures", uvarint(2) + good + bad),
            records=lambda now: four_opens(now)[:1])


@case("repeated records of encoding 2 in a chunk whose header says there is none", 45, at="x")
def signatures_repeats(t):
    signed_by(t, one({0: constant(1)}))

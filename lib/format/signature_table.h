/* SPDX-License-Identifier: MIT */
/*
 * signature_table.h - the signatures of a chunk that is being encoded: finding that of a record, making new ones.
 *
 * For each field of each function there is a mode. At first every field is part of the signature as it is (FIELD_CONSTANT). When a field has
 * made too many signatures, or its values are those of a loop, it is its step from the last value that is in the signature (FIELD_ADD), which suits offsets and numbers that grow; when there are too
 * many steps too, the value goes aside (FIELD_ASIDE). Steps are from the last value of the field's chain: that of its function, or that of a descriptor, which all functions share. Signatures that were made before stay. What was learned is kept for the next chunks of the process as
 * `hints`, and the chunk that taught it is looked at once more (signatures_encode.c). So any pattern takes constant time a record, and the table is bounded.
 *
 * A record is looked up twice: by the words that its function's modes keep as they are, which finds the signature that the last record like it had and costs a few products; and
 * only if it has not that one by its shape, field by field.
 *
 * All memory comes from the caller. Nothing here writes to the records, behind which RECORDS_BEHIND bytes can be read.
 */
#ifndef RECORDER_FORMAT_SIGNATURE_TABLE_H
#define RECORDER_FORMAT_SIGNATURE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "format/bump.h"
#include "format/fields.h"
#include "format/interner.h"
#include "format/signature.h"

#define TABLE_SIGNATURES 4096u
#define TABLE_CHAINS 4096u
#define TABLE_FUNCTIONS 256u
#define TABLE_SITES 1024u
#define TABLE_KNOWN 1024u
#define TABLE_RECENT 4u
#define TABLE_WATCHED 1024u /* unless some field has to be */

/* What the encoder must know of a function: the class of its result and of each argument (enum arg_class). */
struct encode_function {
	uint8_t result_class;
	uint8_t arg_count;
	const uint8_t *arg_classes;
	uint64_t ranks; /* bits of the arguments that are ranks, those that are not negative */
	/* PAIRs of a descriptor and what it stands for: bits of the arguments, and the result */
	uint64_t descriptors;
	bool result_descriptor;
};

/* Where a field is in a raw record, and what it has been like. */
struct field_plan {
	uint64_t seen; /* bits of values or steps that signatures were made for, by hash */
	uint64_t newest,
		step; /* of these values the last one, and how far it was from the one before */
	uint16_t at;  /* byte */
	uint8_t form;
	uint8_t mode;        /* enum signature_operation */
	uint8_t seen_count;  /* of these bits */
	uint8_t steps_alike; /* how often in a row the step was the same */
	bool rank;
	bool described;       /* what the descriptor in the field before it stands for */
	bool aside;           /* some signature has it aside */
	bool aside_apart;     /* such signatures have other chains for it */
	uint16_t aside_chain; /* of the last one */
	bool copies;          /* aside, but mostly a number that another field had last */
	uint32_t aside_count; /* numbers */
	uint32_t aside_begin; /* for the encoder, which puts them in order */
};

/* Words of a record from its result on, to its fourth argument. */
#define KNOWN_BEGIN offsetof(struct raw_record, result)
#define KNOWN_WORDS 8u

struct function_plan {
	struct field_plan *fields;
	uint64_t constant[KNOWN_WORDS]; /* bits of fields that are part of signatures as they are */
	uint32_t made;                  /* signatures since a mode changed */
	uint16_t id;
	uint16_t field_count;
	uint16_t file; /* the field that has the id of the first PAIR among the arguments, 0 none */
	uint16_t first_arg; /* field */
	/* fields before each argument, and before what would follow the last one */
	uint8_t arg_fields[RECORD_MAX_ARGS + 1];
	bool blocks; /* it has strings or arrays */
};

/* For the encoder alone: a step from the result, which has the same chain, to an argument. It is written as FIELD_ADD. */
#define FIELD_BEYOND FIELD_OPERATIONS

struct signature_field {
	uint64_t operand;
	uint16_t chain;
	uint8_t operation;
};

struct table_chain {
	uint64_t last;
	uint32_t function;
	uint32_t file;
	uint16_t field;
	uint32_t tried,
		copied; /* numbers that went aside and were watched, and those that another field had last */
};

/* A field that the words of a record do not tell: its value has to be looked at. */
struct signature_special {
	uint64_t operand;
	struct table_chain *chain; /* NULL: it has none */
	uint64_t value;            /* of the record that was matched last */
	uint16_t at;               /* byte of the record */
	uint32_t whose;            /* see ASIDE_FUNCTION */
	uint8_t form;
	uint8_t operation;
	/* of its field_plan; signature_shape_is_settled(); whether there are values that are not put aside */
	bool described : 1, copies : 1, settled : 1, doubted : 1;
};

/* Two words of a record. Records lie at multiples of 8. */
typedef uint64_t record_words __attribute__((vector_size(16), aligned(8), may_alias));

/* The same where they lie at multiples of 16. */
typedef uint64_t expected_pair __attribute__((vector_size(16), aligned(16)));

struct expected_words {
	expected_pair words, mask;
};

/* Words 0 and 1, 4 and 5, 6 and 7, then two arguments each: times are not compared. The first four arguments are, whether or not there are so many. */
#define EXPECTED_HEAD 3u
#define EXPECTED_ARGS 2u
#define EXPECTED_TIMES 2u

struct signature {
	/* what is looked at to match a record: */
	uint8_t arg_count;
	bool after;
	uint8_t arg_pairs;
	uint8_t special_count, chain_count; /* specials with a chain come first */
	uint16_t function;                  /* index into the list of functions */
	uint16_t number;                    /* index into the list of signatures */
	uint32_t count;                     /* records */
	uint64_t calls;                     /* that these stand for */
	uint32_t repeat;                    /* of each; 0: it is not always the same */
	struct signature_special *specials;
	/* what is written: */
	struct signature_field *fields;
	uint32_t hash;
	int32_t err;
	uint16_t level, field_count, group;
	uint8_t flags;
	struct expected_words expected[]; /* (word ^ expected) & mask is 0 */
};

/* Whose a number aside is: its chain << ASIDE_CHAIN, its function's index << ASIDE_FUNCTION, and the field. */
#define ASIDE_FUNCTION 8
#define ASIDE_CHAIN 16

/* What the caller gives. */
struct table_input {
	struct bump bump; /* for plans and signatures */
	uint64_t *aside;  /* room for numbers that go aside, and whose they are */
	uint32_t *aside_of;
	uint32_t aside_room;
	uint32_t records; /* at most so many are looked up */
	uint64_t self;
	/* modes of fields by function, for `hint_count` functions; others may read and write them at the same time */
	uint64_t *hints;
	uint32_t hint_count;
	void *data;
	struct encode_function (*function)(void *data, uint16_t id);
};

struct signature_table {
	struct table_input input;
	bool learned; /* hints have changed since the begin */
	uint32_t count, chain_count, function_count, site_count, aside_count;
	/* the chain of the descriptor that was the last to stand for something else, NULL none: one of the same file may come next */
	struct table_chain *newest;
	/* the chains whose last numbers went aside, the last one first; NULL none */
	struct table_chain *recent[TABLE_RECENT];
	uint32_t watched; /* so many numbers aside are held against them */
	struct interner strings, arrays;
	struct signature_field shape[FIELDS_MAX]; /* of the record that is being looked up */
	uint64_t values[FIELDS_MAX];
	struct signature *list[TABLE_SIGNATURES];
	struct function_plan *functions[TABLE_FUNCTIONS];
	uint64_t site_addresses[TABLE_SITES];
	struct table_chain chains[TABLE_CHAINS];
	/* numbers + 1, open-addressed; those below the functions' are used as far as the records or chains need it, as most processes have few, and what was not cleared is never touched */
	uint32_t site_mask, slot_mask, chain_mask;
	/* the signature that a record had last which agreed in these words, by their hash; to be matched */
	uint16_t known[TABLE_KNOWN];
	uint16_t function_slots[2 * TABLE_FUNCTIONS];
	uint16_t site_slots[2 * TABLE_SITES];
	uint16_t slots[2 * TABLE_SIGNATURES];
	uint16_t chain_slots[2 * TABLE_CHAINS]; /* cleared for the first chain */
};

/* For tables here that are found by hash. */
static inline uint32_t signature_mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
	return (uint32_t)(hash >> 32);
}

/* The interners are set up by the caller. */
void signature_table_init(struct signature_table *table, const struct table_input *input);

/* The number of the record's signature, which is made if there is none yet and matched; -E2BIG: something is too many for this encoding. */
int signature_find(struct signature_table *table, const struct raw_record *record, bool after);

#endif

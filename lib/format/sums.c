/* SPDX-License-Identifier: MIT */
/* sums.c - see sums.h */
#include "format/sums.h"

#include "format/defs.h"
#include "format/wire.h"

const struct sum_parameter sum_parameters[SUM_ARGS] = {
	[SUM_FILE] = {"file", KIND_mapped}, [SUM_COUNT] = {"count", KIND_uint},
	[SUM_TIME] = {"time", KIND_time},   [SUM_INTERVAL] = {"interval", KIND_time},
	[SUM_BACK] = {"back", KIND_time},   [SUM_BYTES] = {"bytes", KIND_bytes},
	[SUM_QUEUE] = {"queue", KIND_time},
};

unsigned sum_put(uint64_t args[SUM_ARGS], const struct sum *sum)
{
	args[SUM_FILE] = pair_make(sum->file ? 0 : -1, sum->file);
	args[SUM_COUNT] = sum->count;
	args[SUM_TIME] = sum->time;
	args[SUM_INTERVAL] = sum->interval;
	args[SUM_BACK] = sum->back;
	if (sum->bytes < 0)
		return SUM_BYTES; /* not there, as an argument that was not passed */
	args[SUM_BYTES] = (uint64_t)sum->bytes;
	if (sum->queue < 0)
		return SUM_QUEUE;
	args[SUM_QUEUE] = (uint64_t)sum->queue;
	return SUM_ARGS;
}

void def_sum_pack(struct packer *packer, uint16_t id, const char *layer, const char *name,
		  bool queues)
{
	uint8_t count = queues ? SUM_ARGS : SUM_COMMON_ARGS;

	def_function_pack(packer, id, count, layer, name, kind_class(KIND_sum),
			  kind_name(KIND_sum));
	for (unsigned i = 0; i < count; i++)
		def_parameter_pack(packer, kind_class(sum_parameters[i].kind),
				   sum_parameters[i].name, kind_name(sum_parameters[i].kind));
}

#ifdef UNIT_TEST
#include "unittest.h"

TEST_CASE(sums_as_arguments)
{
	struct sum sum = {.file = 3, .count = 5, .time = 70, .interval = 100, .bytes = -1};
	uint64_t args[SUM_ARGS] = {0};

	EXPECT_EQ(sum_put(args, &sum), SUM_BYTES);
	EXPECT_EQ(args[SUM_FILE], pair_make(0, 3));
	EXPECT_EQ(args[SUM_COUNT], 5);
	sum.file = 0;
	sum.bytes = 0;
	sum.queue = -1;
	EXPECT_EQ(sum_put(args, &sum), SUM_COMMON_ARGS);
	EXPECT_EQ(args[SUM_FILE], pair_make(-1, 0));
	EXPECT_EQ(args[SUM_BYTES], 0);
	sum.queue = 30;
	EXPECT_EQ(sum_put(args, &sum), SUM_ARGS);
	EXPECT_EQ(args[SUM_QUEUE], 30);
}

TEST_CASE(sums_are_defined)
{
	struct def_function function;
	struct def_parameter parameter;
	uint8_t payload[256];
	struct packer packer = packer_of(payload, sizeof(payload));
	struct bytes bytes;

	def_sum_pack(&packer, 9, "kernel", "read", false);
	bytes = bytes_of(payload, packer_size(&packer, payload));
	REQUIRE(def_function_unpack(&bytes, &function));
	EXPECT_MEM(function.layer.bytes, "kernel", 6);
	EXPECT_MEM(function.result_kind.bytes, "sum", 3);
	EXPECT_EQ(function.arg_count, SUM_COMMON_ARGS);
	REQUIRE(def_parameter_unpack(&bytes, &parameter));
	EXPECT_EQ(parameter.class, CLASS_PAIR);
	EXPECT_MEM(parameter.name.bytes, "file", 4);
}
#endif

/* SPDX-License-Identifier: MIT */
/* defs.c - see defs.h */
#include "format/defs.h"

size_t def_entry_pack(void *buffer, size_t size, enum def_type type, const void *payload,
		      size_t payload_size)
{
	static const uint8_t zeros[8];
	struct def_header header = {.size = (uint32_t)payload_size, .type = (uint16_t)type};
	struct packer packer = packer_of(buffer, size);

	pack_bytes(&packer, &header, sizeof(header));
	pack_bytes(&packer, payload, payload_size);
	pack_bytes(&packer, zeros, def_entry_size(payload_size) - sizeof(header) - payload_size);
	return packer_size(&packer, buffer);
}

bool def_entry_next(struct bytes *entries, struct def_entry *entry)
{
	struct def_header header;
	const uint8_t *p;

	if (bytes_left(entries) == 0)
		return false;
	p = bytes_take(entries, sizeof(header));
	if (!p)
		return false;
	memcpy(&header, p, sizeof(header));
	p = bytes_take(entries, def_entry_size(header.size) - sizeof(header));
	if (!p)
		return false;
	entry->type = (enum def_type)header.type;
	entry->complete = header.complete;
	entry->payload = bytes_of(p, header.size);
	return true;
}

void def_function_pack(struct packer *packer, uint16_t id, uint8_t arg_count, const char *layer,
		       const char *name, uint8_t result_class, const char *result_kind)
{
	pack_u16(packer, id);
	pack_u8(packer, arg_count);
	pack_u8(packer, result_class);
	pack_str(packer, layer);
	pack_str(packer, name);
	pack_str(packer, result_kind);
}

void def_parameter_pack(struct packer *packer, uint8_t class, const char *name, const char *kind)
{
	pack_u8(packer, class);
	pack_str(packer, name);
	pack_str(packer, kind);
}

void def_outputs_pack(struct packer *packer, uint64_t outputs)
{
	pack_u64(packer, outputs);
}

bool def_function_unpack(struct bytes *payload, struct def_function *function)
{
	function->id = bytes_u16(payload);
	function->arg_count = bytes_u8(payload);
	function->result_class = bytes_u8(payload);
	function->layer = bytes_str(payload);
	function->name = bytes_str(payload);
	function->result_kind = bytes_str(payload);
	return !payload->bad;
}

bool def_parameter_unpack(struct bytes *payload, struct def_parameter *parameter)
{
	parameter->class = bytes_u8(payload);
	parameter->name = bytes_str(payload);
	parameter->kind = bytes_str(payload);
	return !payload->bad;
}

uint64_t def_outputs_unpack(struct bytes *payload)
{
	return bytes_left(payload) >= sizeof(uint64_t) ? bytes_u64(payload) : 0;
}

void def_category_pack(struct packer *packer, const char *category)
{
	pack_str(packer, category);
}

struct text def_category_unpack(struct bytes *payload)
{
	struct bytes behind = *payload;
	struct text category = bytes_str(&behind);

	if (behind.bad)
		return (struct text){"", 0};
	*payload = behind;
	return category;
}

size_t def_file_pack(void *buffer, size_t size, const struct def_file *def)
{
	struct packer packer = packer_of(buffer, size);

	pack_u32(&packer, def->id);
	pack_u32(&packer, def->type);
	pack_u64(&packer, def->device);
	pack_u64(&packer, def->inode);
	pack_u64(&packer, def->size);
	pack_u64(&packer, def->fs_magic);
	pack_text(&packer, def->path.bytes, def->path.length);
	pack_u32(&packer, def->block_size);
	pack_u32(&packer, def->mount);
	pack_text(&packer, def->striping.bytes, def->striping.length);
	return packer_size(&packer, buffer);
}

bool def_file_unpack(struct bytes payload, struct def_file *def)
{
	def->id = bytes_u32(&payload);
	def->type = bytes_u32(&payload);
	def->device = bytes_u64(&payload);
	def->inode = bytes_u64(&payload);
	def->size = bytes_u64(&payload);
	def->fs_magic = bytes_u64(&payload);
	def->path = bytes_str(&payload);
	def->block_size = def->mount = 0;
	def->striping = text_of("");
	if (!payload.bad && bytes_left(&payload) > 0) {
		def->block_size = bytes_u32(&payload);
		def->mount = bytes_u32(&payload);
		def->striping = bytes_str(&payload);
	}
	return !payload.bad;
}

size_t def_thread_pack(void *buffer, size_t size, const struct def_thread *def)
{
	struct packer packer = packer_of(buffer, size);

	pack_u32(&packer, def->index);
	pack_u32(&packer, def->tid);
	pack_u32(&packer, def->flags);
	pack_u32(&packer, 0);
	pack_u64(&packer, def->start);
	pack_text(&packer, def->name.bytes, def->name.length);
	pack_u32(&packer, def->module);
	pack_u64(&packer, def->offset);
	return packer_size(&packer, buffer);
}

bool def_thread_unpack(struct bytes payload, struct def_thread *def)
{
	def->index = bytes_u32(&payload);
	def->tid = bytes_u32(&payload);
	def->flags = bytes_u32(&payload);
	bytes_u32(&payload);
	def->start = bytes_u64(&payload);
	def->name = bytes_str(&payload);
	def->module = 0;
	def->offset = 0;
	if (!payload.bad && bytes_left(&payload) > 0) {
		def->module = bytes_u32(&payload);
		def->offset = bytes_u64(&payload);
	}
	return !payload.bad;
}

size_t def_module_pack(void *buffer, size_t size, const struct def_module *def)
{
	struct packer packer = packer_of(buffer, size);

	pack_u32(&packer, def->id);
	pack_u32(&packer, 0);
	pack_u64(&packer, def->start);
	pack_u64(&packer, def->end);
	pack_u64(&packer, def->offset);
	pack_text(&packer, def->path.bytes, def->path.length);
	pack_text(&packer, def->build_id.bytes, def->build_id.length);
	return packer_size(&packer, buffer);
}

bool def_module_unpack(struct bytes payload, struct def_module *def)
{
	def->id = bytes_u32(&payload);
	bytes_u32(&payload);
	def->start = bytes_u64(&payload);
	def->end = bytes_u64(&payload);
	def->offset = bytes_u64(&payload);
	def->path = bytes_str(&payload);
	def->build_id = bytes_str(&payload);
	return !payload.bad;
}

size_t def_name_pack(void *buffer, size_t size, const struct def_name *def)
{
	struct packer packer = packer_of(buffer, size);

	pack_u32(&packer, def->id);
	pack_text(&packer, def->kind.bytes, def->kind.length);
	pack_text(&packer, def->text.bytes, def->text.length);
	return packer_size(&packer, buffer);
}

bool def_name_unpack(struct bytes payload, struct def_name *def)
{
	def->id = bytes_u32(&payload);
	def->kind = bytes_str(&payload);
	def->text = bytes_str(&payload);
	return !payload.bad;
}

size_t def_string_pack(void *buffer, size_t size, const struct def_string *def)
{
	struct packer packer = packer_of(buffer, size);

	pack_u32(&packer, def->id);
	pack_text(&packer, def->text.bytes, def->text.length);
	return packer_size(&packer, buffer);
}

bool def_string_unpack(struct bytes payload, struct def_string *def)
{
	def->id = bytes_u32(&payload);
	def->text = bytes_str(&payload);
	return !payload.bad;
}

size_t def_stack_pack(void *buffer, size_t size, const struct def_stack *def)
{
	struct packer packer = packer_of(buffer, size);

	pack_u32(&packer, def->id);
	pack_u16(&packer, def->count);
	pack_u16(&packer, def->flags);
	pack_u32(&packer, 0);
	pack_bytes(&packer, def->frames, def->count * sizeof(*def->frames));
	return packer_size(&packer, buffer);
}

bool def_stack_unpack(struct bytes payload, struct def_stack *def)
{
	size_t size;
	const uint8_t *p;

	def->id = bytes_u32(&payload);
	def->count = bytes_u16(&payload);
	def->flags = bytes_u16(&payload);
	bytes_u32(&payload);
	size = def->count * sizeof(struct def_frame);
	p = bytes_take(&payload, size);
	def->frame_bytes = bytes_of(p, p ? size : 0);
	def->frames = NULL;
	return !payload.bad;
}

bool def_stack_frame(const struct def_stack *def, unsigned index, struct def_frame *frame)
{
	struct bytes frames = def->frame_bytes;
	const uint8_t *p;

	if (index >= def->count || !bytes_take(&frames, index * sizeof(*frame)))
		return false;
	p = bytes_take(&frames, sizeof(*frame));
	if (p)
		memcpy(frame, p, sizeof(*frame));
	return p;
}

size_t def_object_pack(void *buffer, size_t size, const struct def_object *def)
{
	struct packer packer = packer_of(buffer, size);

	pack_u32(&packer, def->id);
	pack_u32(&packer, def->file);
	pack_text(&packer, def->kind.bytes, def->kind.length);
	pack_text(&packer, def->name.bytes, def->name.length);
	return packer_size(&packer, buffer);
}

bool def_object_unpack(struct bytes payload, struct def_object *def)
{
	def->id = bytes_u32(&payload);
	def->file = bytes_u32(&payload);
	def->kind = bytes_str(&payload);
	def->name = bytes_str(&payload);
	return !payload.bad;
}

size_t def_source_pack(void *buffer, size_t size, const struct def_source *def)
{
	struct packer packer = packer_of(buffer, size);

	pack_u32(&packer, def->function);
	pack_u32(&packer, def->flags);
	pack_u32(&packer, def->line);
	pack_u32(&packer, def->stack);
	pack_text(&packer, def->module.bytes, def->module.length);
	pack_text(&packer, def->path.bytes, def->path.length);
	pack_text(&packer, def->file.bytes, def->file.length);
	pack_text(&packer, def->args.bytes, def->args.length);
	pack_text(&packer, def->locals.bytes, def->locals.length);
	return packer_size(&packer, buffer);
}

bool def_source_unpack(struct bytes payload, struct def_source *def)
{
	def->function = bytes_u32(&payload);
	def->flags = bytes_u32(&payload);
	def->line = bytes_u32(&payload);
	def->stack = bytes_u32(&payload);
	def->module = bytes_str(&payload);
	def->path = bytes_str(&payload);
	def->file = bytes_str(&payload);
	def->args = bytes_str(&payload);
	def->locals = bytes_str(&payload);
	return !payload.bad;
}

size_t def_directory_pack(void *buffer, size_t size, const struct def_directory *def)
{
	struct packer packer = packer_of(buffer, size);

	pack_u32(&packer, def->thread);
	pack_u32(&packer, def->file);
	pack_u64(&packer, def->ticks);
	return packer_size(&packer, buffer);
}

bool def_directory_unpack(struct bytes payload, struct def_directory *def)
{
	def->thread = bytes_u32(&payload);
	def->file = bytes_u32(&payload);
	def->ticks = bytes_u64(&payload);
	return !payload.bad;
}

#ifdef UNIT_TEST
#include "unittest.h"

#include "defs_cases.h"
#include "format/varint.h"

TEST_CASE(varint_round_trip)
{
	static const uint64_t values[] = {0,         1, 127, 128, 300, 1u << 31, UINT64_MAX >> 1,
					  UINT64_MAX};
	uint8_t buffer[VARINT_MAX];

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		uint8_t *end = varint_put(buffer, values[i]);
		struct bytes bytes = bytes_of(buffer, (size_t)(end - buffer));

		EXPECT_EQ(bytes_varint(&bytes), values[i]);
		EXPECT(!bytes.bad && bytes_left(&bytes) == 0);
		bytes = bytes_of(buffer, (size_t)(end - buffer) - 1);
		EXPECT_EQ(bytes_varint(&bytes), 0);
		EXPECT(bytes.bad);
		EXPECT_EQ(unzigzag(zigzag((int64_t)values[i])), (int64_t)values[i]);
	}
}

TEST_CASE(varint_refuses_more_than_64_bits)
{
	struct bytes eleven = bytes_of("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11);
	struct bytes large = bytes_of("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10);

	bytes_varint(&eleven);
	EXPECT(eleven.bad);
	bytes_varint(&large);
	EXPECT(large.bad);
	EXPECT_EQ(bytes_u64(&large), 0);
}

TEST_CASE(def_function_round_trip)
{
	uint8_t buffer[128];
	struct packer packer = packer_of(buffer, sizeof(buffer));
	struct def_function function;
	struct def_parameter parameter;
	struct bytes payload;

	def_function_pack(&packer, 7, 1, "posix", "close", CLASS_INT, "error");
	def_parameter_pack(&packer, CLASS_PAIR, "fd", "fd");
	def_outputs_pack(&packer, 1ull << 63);
	payload = bytes_of(buffer, packer_size(&packer, buffer));
	REQUIRE(def_function_unpack(&payload, &function));
	REQUIRE(def_parameter_unpack(&payload, &parameter));
	EXPECT_EQ(def_outputs_unpack(&payload), 1ull << 63);
	EXPECT_EQ(bytes_left(&payload), 0);
	EXPECT_EQ(def_outputs_unpack(&payload), 0);
	EXPECT_EQ(function.id, 7);
	EXPECT_TEXT(function.layer, "posix");
	EXPECT_TEXT(function.name, "close");
	EXPECT_TEXT(function.result_kind, "error");
	EXPECT_EQ(parameter.class, CLASS_PAIR);
	EXPECT_TEXT(parameter.name, "fd");
}

TEST_CASE(def_file_round_trip)
{
	struct def_file in = {5,  0100000,       2, 3, 4, 0xEF53, text_of("/scratch/out.0"), 4096,
			      29, text_of("raw")},
			out;
	uint8_t buffer[128];
	size_t size = def_file_pack(buffer, sizeof(buffer), &in);

	REQUIRE(def_file_unpack(bytes_of(buffer, size), &out));
	EXPECT_EQ(out.id, 5);
	EXPECT_EQ(out.fs_magic, 0xEF53);
	EXPECT_EQ(out.block_size, 4096);
	EXPECT_EQ(out.mount, 29);
	EXPECT_EQ(out.striping.length, 3);
	/* as traces have it that were made before those were stored */
	REQUIRE(def_file_unpack(bytes_of(buffer, size - 13), &out));
	EXPECT_EQ(out.block_size, 0);
	EXPECT_EQ(out.striping.length, 0);
	EXPECT_TEXT(out.path, "/scratch/out.0");
	EXPECT_TRUNCATIONS(file, in, buffer, size - 13);
}

TEST_CASE(def_other_round_trips)
{
	struct def_frame frame = {1, FRAME_INTERRUPTED, 0x1234};
	struct def_thread thread = {1, 2, THREAD_MAIN, 3, text_of("io"), 7, 99}, started;
	struct def_module module = {1, 10, 20, 0, text_of("/bin/true"), {"\0\1", 2}};
	struct def_name name = {1, text_of("op"), text_of("MPI_SUM")};
	struct def_string string = {1, text_of("text")};
	struct def_stack stack = {.id = 1, .count = 1, .flags = STACK_CUT, .frames = &frame};
	struct def_object object = {1, 2, text_of("dataset"), text_of("/x")};
	struct def_directory directory = {3, 4, 5};
	struct def_source source = {1,
				    SOURCE_GENERATOR,
				    12,
				    3,
				    text_of("m"),
				    text_of("m.f"),
				    text_of("m.py"),
				    text_of("a,b"),
				    text_of("c")};
	uint8_t buffer[128];

	/* the module and what follows it may be missing, as in older traces */
	EXPECT_TRUNCATIONS(thread, thread, buffer, def_thread_pack(buffer, 128, &thread) - 12);
	REQUIRE(def_thread_unpack(bytes_of(buffer, def_thread_pack(buffer, 128, &thread)),
				  &started));
	EXPECT_EQ(started.module, 7);
	EXPECT_EQ(started.offset, 99);
	EXPECT_TRUNCATIONS(module, module, buffer, def_module_pack(buffer, 128, &module));
	EXPECT_TRUNCATIONS(name, name, buffer, def_name_pack(buffer, 128, &name));
	EXPECT_TRUNCATIONS(string, string, buffer, def_string_pack(buffer, 128, &string));
	EXPECT_TRUNCATIONS(object, object, buffer, def_object_pack(buffer, 128, &object));
	EXPECT_TRUNCATIONS(directory, directory, buffer,
			   def_directory_pack(buffer, 128, &directory));
	EXPECT_TRUNCATIONS(source, source, buffer, def_source_pack(buffer, 128, &source));
	EXPECT_TRUNCATIONS(stack, stack, buffer, def_stack_pack(buffer, 128, &stack));
	REQUIRE(def_stack_unpack(bytes_of(buffer, 28), &stack));
	EXPECT(def_stack_frame(&stack, 0, &frame) && frame.offset == 0x1234);
	EXPECT_EQ(frame.flags, FRAME_INTERRUPTED);
	EXPECT_EQ(stack.flags, STACK_CUT);
	EXPECT(!def_stack_frame(&stack, 1, &frame));
}

TEST_CASE(def_entries_walk)
{
	uint8_t buffer[64];
	size_t size = def_entry_pack(buffer, sizeof(buffer), DEF_STRING, "abc", 3);
	struct def_entry entry;
	struct bytes bytes;

	EXPECT_EQ(size, 16);
	size += def_entry_pack(buffer + size, sizeof(buffer) - size, DEF_PADDING, NULL, 0);
	bytes = bytes_of(buffer, size);
	EXPECT(def_entry_next(&bytes, &entry) && entry.type == DEF_STRING);
	EXPECT_EQ(bytes_left(&entry.payload), 3);
	EXPECT(def_entry_next(&bytes, &entry) && entry.type == DEF_PADDING);
	EXPECT(!def_entry_next(&bytes, &entry) && !bytes.bad);
	bytes = bytes_of(buffer, 12);
	EXPECT(!def_entry_next(&bytes, &entry) && bytes.bad);
}
#endif

/* SPDX-License-Identifier: MIT */
/**
 * dftracer.h - the macros of DFTracer, for programs that were instrumented for it: what they say lands in the trace of Recorder.
 *
 *	#include <dftracer/dftracer.h>
 *
 *	void train(int epoch)
 *	{
 *		DFTRACER_C_FUNCTION_START();
 *		DFTRACER_C_FUNCTION_UPDATE_INT("epoch", epoch);
 *		DFTRACER_C_REGION_START(read);
 *		...
 *		DFTRACER_C_REGION_END(read);
 *		DFTRACER_C_FUNCTION_END();
 *	}
 *
 * The names are DFTracer's documented ones, of 1.0 and of 2; all else is recorder.h: nothing is to be linked (-ldftracer_core goes), and where the recorder is not loaded
 * nothing happens, at the cost of a test. Functions and regions are calls of the layer `user` with the category C_APP or CPP_APP, metadata is what recorder_note() keeps.
 *
 * What is different: a region that is not ended when its block is left ends there, by return, break and exceptions, too, where DFTracer 1 has no event. Regions
 * of a thread lie in each other: where A begins, B begins, A ends, B ends, B ends with A. An update takes its region by name, whatever is open inside of it.
 * INIT and FINI do nothing: the recorder begins and ends with the process; where traces go is said by its settings or by DFTRACER_LOG_FILE.
 *
 * Some macros end with a semicolon of their own, as DFTracer's do: programs that leave theirs out are unchanged, too.
 */
#ifndef DFTRACER_DFTRACER_H
#define DFTRACER_DFTRACER_H

#include <dftracer/entity.h>
#include <recorder/recorder.h>

/* Init, fini, metadata ------------------------------------------------------------- */

#define DFTRACER_INIT_(log_file, data_dirs, process_id)                                            \
	((void)(log_file), (void)(data_dirs), (void)(process_id));

#define DFTRACER_C_INIT(log_file, data_dirs, process_id)                                           \
	DFTRACER_INIT_(log_file, data_dirs, process_id)
#define DFTRACER_C_INIT_NO_BIND(log_file, data_dirs, process_id)                                   \
	DFTRACER_INIT_(log_file, data_dirs, process_id)
#define DFTRACER_C_FINI() ((void)0)

/** Something that is true of the whole process. `name` tells it from others in the program's text alone. */
#define DFTRACER_C_METADATA(name, key, value)                                                      \
	{                                                                                          \
		recorder_note(key, value);                                                         \
	}
#define DFTRACER_C_APP_METADATA_STR(key, value) recorder_note(key, value);
#define DFTRACER_C_APP_METADATA_INT(key, value) dftracer_note_int(key, value);
#define DFTRACER_C_MARK_USED(name) ((void)(name));

#ifdef __cplusplus
extern "C" {
#endif

static inline void dftracer_note_int(const char *key, int64_t value)
{
	char digits[24], *at = &digits[sizeof(digits) - 1];
	uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;

	*at = '\0';
	do
		*--at = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (value < 0)
		*--at = '-';
	recorder_note(key, at);
}

/* Regions of C --------------------------------------------------------------------- */

/* An open one. A jump into its block passes by its beginning (switch does): what the memory then holds is none, as it is not its own address. Without the recorder it is not asked. */
struct DFTracerData {
	struct DFTracerData *volatile self;
	struct recorder_site *volatile site;
	struct dftracer_related related;
};

static inline void dftracer_region_begin(struct DFTracerData *region, struct recorder_site *site)
{
	if (!recorder_site_begin)
		return;
	memset(&region->related, 0, sizeof(region->related));
	region->site = site;
	region->self = region;
	recorder_site_begin(site);
}

static inline void finalize_region(struct DFTracerData *region)
{
	if (!recorder_site_end || region->self != region)
		return;
	region->self = NULL;
	recorder_site_end(region->site);
}

static inline void dftracer_region_left(struct DFTracerData (*region)[1])
{
	finalize_region(*region);
}

static inline void update_metadata_int(struct DFTracerData *region, const char *key, int64_t value)
{
	if (recorder_site_int && region->self == region)
		recorder_site_int(region->site, key, value);
}

static inline void update_metadata_string(struct DFTracerData *region, const char *key,
					  const char *value)
{
	if (recorder_site_string && region->self == region)
		recorder_site_string(region->site, key, value);
}

/** The region's call used, generated, invalidated or updated an entity. */
static inline void update_relation(struct DFTracerData *region, EntityRelation relation,
				   EntityID entity)
{
	char key[24], id[24];

	if (recorder_site_string && region->self == region &&
	    dftracer_relation_argument(&region->related, relation, entity, key, id))
		recorder_site_string(region->site, key, id);
}

/** The same with an entity that is declared thereby; its id. */
static inline EntityID update_relation_entity(struct DFTracerData *region, EntityRelation relation,
					      ConstEntityTypeName type, ConstEntityKey key,
					      EntityStore store, ConstEntityURI uri)
{
	EntityID entity = dftracer_declare_entity(type, key, store, uri);

	update_relation(region, relation, entity);
	return entity;
}

#ifdef __cplusplus
}
#endif

/* clang takes no jump over the begin of what has a cleanup: there a region without its end lasts as long as the one around it. */
#ifdef __clang__
#define DFTRACER_ENDS_WITH_BLOCK_
#else
#define DFTRACER_ENDS_WITH_BLOCK_ __attribute__((cleanup(dftracer_region_left)))
#endif

/* An array of one: programs hand `data_fn` on as the pointer that it is in DFTracer. */
#define DFTRACER_REGION_START_(here, text)                                                         \
	static struct recorder_site here##_site = RECORDER_SITE(text, "C_APP");                    \
	DFTRACER_ENDS_WITH_BLOCK_ struct DFTracerData here[1];                                     \
	dftracer_region_begin(here, &here##_site);

/** From here to its end, which belongs before each return; without one it ends with the block. */
#define DFTRACER_C_FUNCTION_START() DFTRACER_REGION_START_(data_fn, __func__)
#define DFTRACER_C_FUNCTION_END() finalize_region(data_fn);
/** `name` is a word, without quotes. */
#define DFTRACER_C_REGION_START(name) DFTRACER_REGION_START_(data_##name, #name)
#define DFTRACER_C_REGION_END(name) finalize_region(data_##name);

/** Arguments of the function's or the region's call. */
#define DFTRACER_C_FUNCTION_UPDATE_INT(key, value) update_metadata_int(data_fn, key, value);
#define DFTRACER_C_FUNCTION_UPDATE_STR(key, value) update_metadata_string(data_fn, key, value);
#define DFTRACER_C_REGION_UPDATE_INT(name, key, value) update_metadata_int(data_##name, key, value);
#define DFTRACER_C_REGION_UPDATE_STR(name, key, value)                                             \
	update_metadata_string(data_##name, key, value);

/** What it has to do with entities (entity.h). */
#define DFTRACER_C_FUNCTION_RELATE(relation, entity) update_relation(data_fn, relation, entity);
#define DFTRACER_C_FUNCTION_USES(type, key)                                                        \
	update_relation_entity(data_fn, DFT_REL_USED, type, key, DFT_STORE_MEMORY, NULL);
#define DFTRACER_C_FUNCTION_GENERATES(type, key)                                                   \
	update_relation_entity(data_fn, DFT_REL_GENERATED, type, key, DFT_STORE_MEMORY, NULL);
#define DFTRACER_C_REGION_RELATE(name, relation, entity)                                           \
	update_relation(data_##name, relation, entity);

/* What DFTracer 2 does with arguments when it sums events up is no matter here. */
#define DFTRACER_C_FUNCTION_UPDATE_INT_TYPE(key, value, type)                                      \
	DFTRACER_C_FUNCTION_UPDATE_INT(key, ((void)(type), (value)))
#define DFTRACER_C_FUNCTION_UPDATE_STR_TYPE(key, value, type)                                      \
	DFTRACER_C_FUNCTION_UPDATE_STR(key, ((void)(type), (value)))
#define DFTRACER_C_REGION_UPDATE_INT_TYPE(name, key, value, type)                                  \
	DFTRACER_C_REGION_UPDATE_INT(name, key, ((void)(type), (value)))
#define DFTRACER_C_REGION_UPDATE_STR_TYPE(name, key, value, type)                                  \
	DFTRACER_C_REGION_UPDATE_STR(name, key, ((void)(type), (value)))

/* C++ ------------------------------------------------------------------------------ */

#ifdef __cplusplus
#include <string>
#include <type_traits>

namespace dftracer_recorder
{
inline void set(struct recorder_site *site, const char *key, const char *value)
{
	recorder_set_string_of(site, key, value);
}

inline void set(struct recorder_site *site, const char *key, const std::string &value)
{
	recorder_set_string_of(site, key, value.c_str());
}

template <typename Number>
typename std::enable_if<std::is_floating_point<Number>::value>::type set(struct recorder_site *site,
									 const char *key,
									 Number value)
{
	recorder_set_double_of(site, key, static_cast<double>(value));
}

template <typename Number>
typename std::enable_if<std::is_integral<Number>::value || std::is_enum<Number>::value>::type set(
	struct recorder_site *site, const char *key, Number value)
{
	recorder_set_int_of(site, key, static_cast<int64_t>(value));
}

inline void note(const char *key, const char *value)
{
	recorder_note(key, value);
}

inline void note(const char *key, const std::string &value)
{
	recorder_note(key, value.c_str());
}

/** A region that lasts as long as the object, or until end(). */
class region
{
      public:
	explicit region(struct recorder_site &site) noexcept : site_(&site)
	{
		recorder_begin(site_);
	}
	~region()
	{
		end();
	}
	region(const region &) = delete;
	region &operator=(const region &) = delete;

	void end() noexcept
	{
		if (site_)
			recorder_end(site_);
		site_ = nullptr;
	}
	template <typename Value> void update(const char *key, const Value &value)
	{
		if (site_)
			set(site_, key, value);
	}
	template <typename Value> void update(const std::string &key, const Value &value)
	{
		update(key.c_str(), value);
	}
	void relate(EntityRelation relation, EntityID entity) noexcept
	{
		char key[24], id[24];

		if (site_ && dftracer_relation_argument(&related_, relation, entity, key, id))
			recorder_set_string_of(site_, key, id);
	}
	EntityID relate(EntityRelation relation, ConstEntityTypeName type, ConstEntityKey key,
			EntityStore store = DFT_STORE_MEMORY, ConstEntityURI uri = nullptr) noexcept
	{
		EntityID entity = dftracer_declare_entity(type, key, store, uri);

		relate(relation, entity);
		return entity;
	}
	EntityID uses(ConstEntityTypeName type, ConstEntityKey key,
		      EntityStore store = DFT_STORE_MEMORY, ConstEntityURI uri = nullptr) noexcept
	{
		return relate(DFT_REL_USED, type, key, store, uri);
	}
	EntityID generates(ConstEntityTypeName type, ConstEntityKey key,
			   EntityStore store = DFT_STORE_MEMORY,
			   ConstEntityURI uri = nullptr) noexcept
	{
		return relate(DFT_REL_GENERATED, type, key, store, uri);
	}

      private:
	struct recorder_site *site_;
	struct dftracer_related related_ = {};
};
} // namespace dftracer_recorder

#define DFTRACER_CPP_INIT(log_file, data_dirs, process_id)                                         \
	DFTRACER_INIT_(log_file, data_dirs, process_id)
#define DFTRACER_CPP_INIT_NO_BIND(log_file, data_dirs, process_id)                                 \
	DFTRACER_INIT_(log_file, data_dirs, process_id)
#define DFTRACER_CPP_FINI() ((void)0)
#define DFTRACER_CPP_METADATA(name, key, value)                                                    \
	{                                                                                          \
		dftracer_recorder::note(key, value);                                               \
	}
#define DFTRACER_CPP_APP_METADATA_STR(key, value) dftracer_recorder::note(key, value);
#define DFTRACER_CPP_APP_METADATA_INT(key, value) dftracer_note_int(key, value);
#define DFTRACER_CPP_MARK_USED(name) ((void)(name));

#define DFTRACER_CPP_REGION_(here, text)                                                           \
	static struct recorder_site here##_site = RECORDER_SITE(text, "CPP_APP");                  \
	dftracer_recorder::region here(here##_site);

/** From here to the end of the function, however that is left. */
#define DFTRACER_CPP_FUNCTION() DFTRACER_CPP_REGION_(profiler_dft_fn, __func__)
/** From here to the end of the block. `name` is a word, without quotes. */
#define DFTRACER_CPP_REGION(name) DFTRACER_CPP_REGION_(profiler_##name, #name)
/** From here to DFTRACER_CPP_REGION_END(name) or the end of the block. */
#define DFTRACER_CPP_REGION_START(name) DFTRACER_CPP_REGION_(profiler_##name, #name)
#define DFTRACER_CPP_REGION_END(name) profiler_##name.end()

/** Arguments: numbers, bool, enums and texts. DYN is for those that REGION_START began; here that is no difference. */
#define DFTRACER_CPP_FUNCTION_UPDATE(key, value) profiler_dft_fn.update(key, value);
#define DFTRACER_CPP_REGION_UPDATE(name, key, value) profiler_##name.update(key, value);
#define DFTRACER_CPP_REGION_DYN_UPDATE(name, key, value)                                           \
	DFTRACER_CPP_REGION_UPDATE(name, key, value)
#define DFTRACER_CPP_FUNCTION_UPDATE_TYPE(key, value, type)                                        \
	DFTRACER_CPP_FUNCTION_UPDATE(key, ((void)(type), (value)))
#define DFTRACER_CPP_REGION_UPDATE_TYPE(name, key, value, type)                                    \
	DFTRACER_CPP_REGION_UPDATE(name, key, ((void)(type), (value)))
#define DFTRACER_CPP_REGION_DYN_UPDATE_TYPE(name, key, value, type)                                \
	DFTRACER_CPP_REGION_UPDATE(name, key, ((void)(type), (value)))

#define DFTRACER_CPP_FUNCTION_RELATE(relation, entity) profiler_dft_fn.relate(relation, entity);
#define DFTRACER_CPP_FUNCTION_USES(type, key) profiler_dft_fn.uses(type, key);
#define DFTRACER_CPP_FUNCTION_GENERATES(type, key) profiler_dft_fn.generates(type, key);
#define DFTRACER_CPP_REGION_RELATE(name, relation, entity) profiler_##name.relate(relation, entity);
#define DFTRACER_CPP_REGION_DYN_RELATE(name, relation, entity)                                     \
	DFTRACER_CPP_REGION_RELATE(name, relation, entity)
#endif

#endif

/* SPDX-License-Identifier: MIT */
/* dftracer.c - a program that says what it is doing by DFTracer's macros for C. */
#include <dftracer/dftracer.h>

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int early(int how)
{
	DFTRACER_C_FUNCTION_START();
	DFTRACER_C_FUNCTION_UPDATE_INT("how", how);
	if (how == 0) {
		DFTRACER_C_FUNCTION_END();
		return 1;
	}
	DFTRACER_C_REGION_START(tail);
	if (how == 1)
		return 2; /* two ends are missing */
	DFTRACER_C_REGION_END(tail);
	DFTRACER_C_FUNCTION_END();
	return 3;
}

static int fibonacci(int n)
{
	int result;

	DFTRACER_C_FUNCTION_START();
	result = n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
	DFTRACER_C_FUNCTION_UPDATE_INT("result", result);
	DFTRACER_C_FUNCTION_END();
	return result;
}

/* A block that is jumped into behind the beginning of a region. */
static void choose(int which)
{
	switch (which) {
	case 0:;
		DFTRACER_C_REGION_START(zero);
		access("/zero", F_OK);
		DFTRACER_C_REGION_END(zero);
		break;
	default:
		access("/other", F_OK);
	}
}

/* What is said of a region while others are open inside. */
static void outer(const char *text)
{
	DFTRACER_C_FUNCTION_START()
	DFTRACER_C_REGION_START(middle)
	DFTRACER_C_REGION_START(inner)
	DFTRACER_C_REGION_UPDATE_STR(inner, "mine", "inner")
	DFTRACER_C_FUNCTION_UPDATE_STR("text", text)
	DFTRACER_C_REGION_UPDATE_INT(middle, "size", 1 << 20)
	DFTRACER_C_REGION_UPDATE_INT(inner, "behind", -1)
	DFTRACER_C_FUNCTION_UPDATE_STR("text", "twice")
	access("/in/three", F_OK);
	DFTRACER_C_FUNCTION_UPDATE_INT("count", 3)
	DFTRACER_C_FUNCTION_UPDATE_STR("file", "/a/name") /* keys of pfw for calls of files */
	DFTRACER_C_FUNCTION_UPDATE_INT("level", 7)        /* and for all */
	DFTRACER_C_REGION_END(inner)
	DFTRACER_C_REGION_UPDATE_STR(middle, "which", NULL)
	DFTRACER_C_REGION_END(middle)
	DFTRACER_C_REGION_UPDATE_INT(inner, "over", 1) /* it is */
	DFTRACER_C_FUNCTION_END()
}

/* What it works with, also by the pointer that the macros make, and twice of the same kind. */
static void fold(const char *sequence)
{
	EntityID structure, archive;

	DFTRACER_C_FUNCTION_START();
	DFTRACER_C_FUNCTION_USES("sequence", sequence);
	structure = update_relation_entity(data_fn, DFT_REL_GENERATED, "structure", sequence,
					   DFT_STORE_PARALLEL_FS, "/p/out/a.pdb");
	DFTRACER_C_REGION_START(pack);
	archive = DFTRACER_C_ENTITY("archive", "all", DFT_STORE_LOCAL_DISK, NULL);
	DFTRACER_C_REGION_RELATE(pack, DFT_REL_UPDATED, archive);
	DFTRACER_C_FUNCTION_RELATE(DFT_REL_USED, archive);
	DFTRACER_C_REGION_END(pack);
	DFTRACER_C_ENTITY_RELATE(DFT_REL_CONTAINS, archive, structure);
	DFTRACER_C_FUNCTION_RELATE(DFT_REL_CONTAINS, archive); /* not of a call */
	DFTRACER_C_FUNCTION_END();
}

static void *work(void *unused)
{
	DFTRACER_C_FUNCTION_START();
	fibonacci(1);
	DFTRACER_C_FUNCTION_END();
	return unused;
}

int main(void)
{
	pthread_t thread;

	DFTRACER_C_INIT(NULL, NULL, NULL);
	DFTRACER_C_METADATA(model, "model", "unet \"3d\"");
	DFTRACER_C_APP_METADATA_INT("lowest", INT64_MIN);
	for (int how = 0; how < 3; how++)
		early(how);
	fibonacci(2);
	for (int which = 0; which < 2; which++)
		choose(which);
	outer("a longer text than what takes its place");
	DFTRACER_C_ENTITY_TYPE("sequence", DFT_ROLE_INPUT, "What is folded");
	fold("MGYP0001");
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	DFTRACER_C_FINI();
	puts("done");
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* nvml.c - see nvml.h */
#include "system/nvml.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY "libnvidia-ml.so.1"

static const char *const list_names[NVML_LISTS] = {
	[NVML_COMPUTE] = "nvmlDeviceGetComputeRunningProcesses",
	[NVML_GRAPHICS] = "nvmlDeviceGetGraphicsRunningProcesses",
	[NVML_MPS] = "nvmlDeviceGetMPSComputeRunningProcesses",
};

/* Where names of functions that are not there are collected. */
struct absences {
	char *text;
	size_t room;
};

static void add_absence(struct absences *absences, const char *name)
{
	size_t used = strlen(absences->text);

	snprintf(absences->text + used, absences->room - used, "%s%s", used ? " " : "", name);
}

/* The function under that name or its older one; a pointer to data, as dlsym() has it. */
static void *find(void *library, const char *name, const char *older, struct absences *absences)
{
	void *found = dlsym(library, name);

	if (!found && older)
		found = dlsym(library, older);
	if (!found)
		add_absence(absences, name);
	return found;
}

static void find_lists(struct nvml *nvml, struct absences *absences)
{
	for (unsigned i = 0; i < NVML_LISTS; i++) {
		char name[64];
		void *found = NULL;

		for (int version = 3; version >= 2 && !found; version--) {
			snprintf(name, sizeof(name), "%s_v%d", list_names[i], version);
			found = dlsym(nvml->library, name);
		}
		if (found)
			memcpy(&nvml->lists[i].list, &found, sizeof(found));
		else if ((found = find(nvml->library, list_names[i], NULL, absences)))
			memcpy(&nvml->lists[i].list_v1, &found, sizeof(found));
	}
}

static void find_all(struct nvml *nvml, struct absences *absences)
{
	void *found;

#define FIND(name, symbol, older, arguments)                                                       \
	found = find(nvml->library, symbol, older, absences);                                      \
	memcpy(&nvml->name, &found, sizeof(found));
	NVML_FUNCTIONS(FIND)
#undef FIND
	find_lists(nvml, absences);
}

bool nvml_open(struct nvml *nvml, char *why, size_t room, char *missing, size_t missing_room)
{
	struct absences absences = {missing, missing_room};
	int error;

	*nvml = (struct nvml){.library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL)};
	*missing = '\0';
	if (!nvml->library) {
		snprintf(why, room, "%s", dlerror());
		return false;
	}
	find_all(nvml, &absences);
	error = nvml->init && nvml->count && nvml->device ? nvml->init() : NVML_FUNCTION_NOT_FOUND;
	if (!error)
		return true;
	snprintf(why, room, "%s: nvmlInit: error %d", LIBRARY, error);
	dlclose(nvml->library);
	nvml->library = NULL;
	return false;
}

void nvml_close(struct nvml *nvml)
{
	if (!nvml->library)
		return;
	if (nvml->shutdown)
		nvml->shutdown();
	dlclose(nvml->library);
	nvml->library = NULL;
}

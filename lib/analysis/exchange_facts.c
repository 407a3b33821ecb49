/* SPDX-License-Identifier: MIT */
/* exchange_facts.c - see exchange_facts.h */
#include "analysis/exchange_facts.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <string.h>

#include "analysis/roles.h"

static unsigned root_of(const struct reader_function_info *function)
{
	for (unsigned i = 0; i < function->arg_count; i++)
		if (!strcmp(function->args[i].kind, "rank") &&
		    !strcmp(function->args[i].name, "root"))
			return i;
	return NO_ARGUMENT;
}

static unsigned argument(uint8_t place)
{
	return place == NO_PLACE ? NO_ARGUMENT : place;
}

static bool is_like(const struct reader_function_info *function, const char *pattern)
{
	return fnmatch(pattern, function->name, 0) == 0;
}

static enum exchange_shape shape_of(const struct reader_function_info *function, unsigned root)
{
	if (is_like(function, "*[Nn]eighbor*") || is_like(function, "*scan*") ||
	    is_like(function, "*Scan*"))
		return SHAPE_OTHER;
	if (root == NO_ARGUMENT)
		return SHAPE_ALL;
	return is_like(function, "*cast*") || is_like(function, "*catter*") ? SHAPE_FROM_ROOT
									    : SHAPE_TO_ROOT;
}

static enum exchange_role role_among(const struct reader_function_info *function,
				     enum analysis_operation operation, unsigned roles)
{
	if (operation == ANALYSIS_COLLECTIVE)
		return EXCHANGE_COLLECTIVE;
	if (is_like(function, "MPI_Probe") || is_like(function, "MPI_Iprobe"))
		return EXCHANGE_PROBE;
	if (roles & ROLE_STARTS)
		return EXCHANGE_START;
	if (roles & ROLE_PROBES)
		return EXCHANGE_MATCHED_PROBE;
	if (roles & ROLE_TAKES)
		return EXCHANGE_MATCHED_RECEIVE;
	if (!(roles & (ROLE_SENDS | ROLE_RECEIVES)))
		return EXCHANGE_NONE;
	return roles & ROLE_INACTIVE ? EXCHANGE_PERSISTENT : EXCHANGE_MESSAGE;
}

struct exchange_facts exchange_facts_of(const struct reader_function_info *function,
					enum analysis_operation operation)
{
	struct role_of_function role = role_of(function);
	struct exchange_facts facts = {
		.dest = argument(role.at.dest),
		.send_tag = argument(role.at.send_tag),
		.source = argument(role.at.source),
		.receive_tag = argument(role.at.receive_tag),
		.request = argument(role.at.request),
		.status = argument(role.at.status),
		.flag = argument(role.at.flag),
		.message = argument(role.at.message),
		.root = root_of(function),
	};

	if (!strcmp(function->layer, "mpi"))
		facts.role = role_among(function, operation, role.roles);
	if (facts.role == EXCHANGE_COLLECTIVE)
		facts.shape = shape_of(function, facts.root);
	return facts;
}

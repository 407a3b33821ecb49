/* SPDX-License-Identifier: MIT */
/* sqlviews.c - the views of a database, see sqlschema.h. */
#include <stddef.h>

#include "sqlschema.h"

const struct sql_view sql_views[] = {
	{"calls", "SELECT r.*, f.path, c.place, m.name AS comm_name, s.host, s.pid\n"
		  "FROM records r LEFT JOIN files f ON f.id = r.file LEFT JOIN callsites c ON c.id "
		  "= r.callsite\n"
		  "LEFT JOIN comms m ON m.id = r.comm LEFT JOIN streams s ON s.id = r.stream"},
	{NULL, NULL},
};

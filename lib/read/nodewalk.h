/* SPDX-License-Identifier: MIT */
/* nodewalk.h - the walk over the headers of a file of a node: which chunks belong to which stream, and what belongs to none. node_refresh() of nodefile.h is here, too. */
#ifndef RECORDER_READ_NODEWALK_H
#define RECORDER_READ_NODEWALK_H

#include "read/nodefile.h"

#define BACK_REACH 16u /* chunks of a stream that a BACK may reach over */

/* Of the file as it is. Returns how many bytes, or a negative errno. */
ssize_t nodewalk_read(const struct node_file *node, void *buffer, size_t size, uint64_t offset);

#endif

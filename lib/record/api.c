/* SPDX-License-Identifier: MIT */
/* api.c - what programs call by themselves: include/recorder/recorder.h. */
#include <recorder/recorder.h>

#include <errno.h>

#include "record/control.h"
#include "record/lifecycle.h"

__attribute__((visibility("default"))) int recorder_control(int request)
{
	if (!lifecycle_start())
		return -ENOSYS;
	switch (request) {
	case RECORDER_PAUSE:
	case RECORDER_RESUME:
		control_pause(request == RECORDER_PAUSE);
		return 0;
	case RECORDER_FLUSH:
		control_flush();
		return 0;
	}
	return -EINVAL;
}

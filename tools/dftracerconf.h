/* SPDX-License-Identifier: MIT */
/*
 * dftracerconf.h - the file that DFTRACER_CONFIGURATION names, for `recorder run`:
 *
 *	enable: True
 *	profiler:
 *	  log_file: logs/trace       # DFTRACER_LOG_FILE
 *	  data_dirs: /data:/scratch  # DFTRACER_DATA_DIR
 *	features:
 *	  metadata: True             # DFTRACER_INC_METADATA
 *
 * What it says becomes variables, where these are not set. It is of mappings and plain values, which is all that DFTracer reads; other YAML says nothing here.
 */
#ifndef RECORDER_TOOLS_DFTRACERCONF_H
#define RECORDER_TOOLS_DFTRACERCONF_H

/* Into the environment of this process. A file that cannot be read becomes a warning. */
void dftracerconf_apply(void);

#endif

/* SPDX-License-Identifier: MIT */
/* file_classes.h - which class a file is of: what the program works on, or software, the system and what is no file. */
#ifndef RECORDER_ANALYSIS_FILE_CLASSES_H
#define RECORDER_ANALYSIS_FILE_CLASSES_H

#include <stdint.h>

#include <recorder/analysis.h>

/* By its place alone; `path` may be anything. */
enum analysis_file_class file_class_of_path(const char *path);
/* By its place and its type, S_IFMT's or 0. */
enum analysis_file_class file_class_of_type(enum analysis_file_class place, uint32_t type);
/* By both. */
enum analysis_file_class file_class(const char *path, uint32_t type);

#endif

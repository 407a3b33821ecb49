/* SPDX-License-Identifier: MIT */
/*
 * report_page.h - the page of `recorder report` without its data: what stands before and after, in pieces of text that end with NULL. report/pack.py makes it of
 * the sources in report/.
 */
#ifndef RECORDER_TOOLS_REPORT_PAGE_H
#define RECORDER_TOOLS_REPORT_PAGE_H

extern const char *const report_page_begin[];
extern const char *const report_page_end[];

#endif

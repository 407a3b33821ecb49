/* SPDX-License-Identifier: MIT */
/*
 * commands.h - the verbs of the `recorder` command, one file each.
 *
 * argv[0] is the verb. The result is the exit status.
 */
#ifndef RECORDER_TOOLS_COMMANDS_H
#define RECORDER_TOOLS_COMMANDS_H

int cmd_run(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_env(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_repair(int argc, char **argv);
int cmd_system(int argc, char **argv);
int cmd_system_summary(int argc, char **argv);
int cmd_where(int argc, char **argv);
int cmd_clean(int argc, char **argv);
int cmd_anonymize(int argc, char **argv);
int cmd_stacks(int argc, char **argv);
int cmd_functions(int argc, char **argv);
int cmd_sql(int argc, char **argv);
int cmd_findings(int argc, char **argv);
int cmd_summary(int argc, char **argv);
int cmd_match(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_pack(int argc, char **argv);
int cmd_filter(int argc, char **argv);
int cmd_unpack(int argc, char **argv);
int cmd_ctl(int argc, char **argv);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * secrets.h - passwords, tokens and keys in command lines and environments are replaced by asterisks before they are stored.
 *
 * Secrets are known by the name before them (--password X, API_KEY=X, Authorization: X), by their place (scheme://user:X@host,
 * mysql -pX) or by their own form (ghp_..., a private key). When in doubt it is one: an argument masked in vain costs less
 * than a password in a trace. The number of bytes stays, so that lengths in records are true.
 *
 * All of them work in the buffer that they are given, with little stack, and call nothing that could be traced.
 */
#ifndef RECORDER_FORMAT_SECRETS_H
#define RECORDER_FORMAT_SECRETS_H

#include <stddef.h>

/* What becomes of command lines. */
enum secrets_kept {
	SECRETS_MASK, /* stored with their secrets masked */
	SECRETS_KEEP, /* as they are */
	SECRETS_LEAVE_OUT,
};

/* By the value of RECORDER_LOG_ARGV; NULL: it is not set. */
enum secrets_kept secrets_kept_by(const char *setting);

/* Strings one after the other, each ended by a zero byte (the last one may lack it). */
void secrets_mask_argv(char *strings, size_t size);
/* A command line for a shell. */
void secrets_mask_command(char *command, size_t length);
/* The value of an environment variable. */
void secrets_mask_variable(const char *name, char *value, size_t length);

#endif

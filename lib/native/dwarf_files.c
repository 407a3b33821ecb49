/* SPDX-License-Identifier: MIT */
/* dwarf_files.c - the list of files that each unit has (dwarf_functions.h): in the header of its table of lines. */
#include "native/dwarf_functions.h"
#include "native/dwarf_values.h"
#include "native/dwarf_words.h"

#define COLUMNS_MAX 8u

struct file_list {
	const struct dwarf *dwarf;
	const struct dwarf_unit *unit;
	struct dwarf_cursor cursor;
	unsigned version, offset_size;
};

/* A row of the lists of DWARF 5. */
struct file_row {
	const char *path;
	uint64_t folder;
};

struct columns {
	uint64_t content[COLUMNS_MAX], form[COLUMNS_MAX];
	unsigned count;
};

static bool begin_list(struct file_list *list)
{
	struct dwarf_cursor *cursor = &list->cursor;
	uint64_t length;

	if (list->unit->lines == DWARF_NONE)
		return false;
	*cursor = dwarf_cursor(list->dwarf, DWARF_LINE, list->unit->lines);
	length = dwarf_number(cursor, 4);
	list->offset_size = 4;
	if (length == 0xffffffff) {
		length = dwarf_number(cursor, 8);
		list->offset_size = 8;
	}
	if (cursor->bad || length > (uint64_t)(cursor->end - cursor->at))
		return false;
	cursor->end = cursor->at + length;
	list->version = (unsigned)dwarf_number(cursor, 2);
	if (list->version >= 5)
		dwarf_skip(cursor, 2); /* sizes of an address and of a segment */
	dwarf_number(cursor, list->offset_size);
	dwarf_skip(cursor, list->version >= 4 ? 5 : 4);
	length = dwarf_number(cursor, 1);
	dwarf_skip(cursor, length ? length - 1 : 0);
	return !cursor->bad && list->version >= 2 && list->version <= 5;
}

/* ---- 2 to 4 ---- */

static bool old_folder(struct dwarf_cursor cursor, uint64_t number, const char **folder)
{
	const char *text = dwarf_string(&cursor);

	while (--number && *text)
		text = dwarf_string(&cursor);
	*folder = text;
	return !cursor.bad && *text;
}

static bool old_file(struct file_list *list, uint64_t number, struct file_row *row,
		     const char **folder)
{
	struct dwarf_cursor folders = list->cursor;

	while (*dwarf_string(&list->cursor))
		;
	for (; number > 0 && !list->cursor.bad; number--) {
		row->path = dwarf_string(&list->cursor);
		if (!*row->path)
			return false;
		row->folder = dwarf_uleb(&list->cursor);
		dwarf_uleb(&list->cursor);
		dwarf_uleb(&list->cursor);
	}
	*folder = "";
	return !list->cursor.bad && row->path &&
	       (!row->folder || old_folder(folders, row->folder, folder));
}

/* ---- 5 ---- */

static bool read_columns(struct file_list *list, struct columns *columns)
{
	columns->count = (unsigned)dwarf_number(&list->cursor, 1);
	if (columns->count > COLUMNS_MAX)
		return false;
	for (unsigned i = 0; i < columns->count; i++) {
		columns->content[i] = dwarf_uleb(&list->cursor);
		columns->form[i] = dwarf_uleb(&list->cursor);
	}
	return !list->cursor.bad;
}

static bool read_row(struct file_list *list, const struct columns *columns, struct file_row *row)
{
	/* offsets in the table of lines have its own size */
	struct dwarf_unit unit = *list->unit;

	unit.offset_size = (uint8_t)list->offset_size;
	row->path = NULL;
	row->folder = 0;
	for (unsigned i = 0; i < columns->count; i++) {
		struct dwarf_value value;

		if (!dwarf_value(list->dwarf, &unit, &list->cursor, columns->form[i], &value))
			return false;
		if (columns->content[i] == DW_LNCT_path)
			row->path = value.text;
		else if (columns->content[i] == DW_LNCT_directory_index)
			row->folder = value.number;
	}
	return true;
}

/* The row of that number; the cursor is behind the list. */
static bool pick_row(struct file_list *list, uint64_t number, struct file_row *row)
{
	struct columns columns;
	struct file_row read;
	uint64_t count;
	bool picked = false;

	if (list->cursor.bad || !read_columns(list, &columns))
		return false;
	count = dwarf_uleb(&list->cursor);
	if (!columns.count || count > (uint64_t)(list->cursor.end - list->cursor.at))
		return false; /* a row has a byte, at least */
	for (uint64_t i = 0; i < count; i++) {
		if (!read_row(list, &columns, &read))
			return false;
		if (i != number)
			continue;
		*row = read;
		picked = true;
	}
	return picked;
}

static bool new_file(struct file_list *list, uint64_t number, struct file_row *row,
		     const char **folder)
{
	struct file_list again = *list;
	struct file_row folders;

	/* files come behind folders: the first of these is there always, and the list has to be read to its end */
	if (!pick_row(list, 0, &folders) || !pick_row(list, number, row) || !row->path ||
	    !pick_row(&again, row->folder, &folders) || !folders.path)
		return false;
	*folder = folders.path;
	return true;
}

/* ---- both ---- */

bool dwarf_file(const struct dwarf *dwarf, const struct dwarf_unit *unit, uint64_t number,
		struct textbuf *path)
{
	struct file_list list = {.dwarf = dwarf, .unit = unit};
	struct file_row row = {.path = NULL};
	const char *folder;

	if (!begin_list(&list) || (list.version < 5 && number == 0))
		return false;
	if (list.version >= 5 ? !new_file(&list, number, &row, &folder)
			      : !old_file(&list, number, &row, &folder))
		return false;
	if (row.path[0] != '/' && folder[0] != '/' && *unit->folder) {
		text_add(path, unit->folder);
		text_add(path, "/");
	}
	if (row.path[0] != '/' && *folder) {
		text_add(path, folder);
		text_add(path, "/");
	}
	text_add(path, row.path);
	return true;
}

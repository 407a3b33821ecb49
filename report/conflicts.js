// SPDX-License-Identifier: MIT
// conflicts.js - bytes of files that several ranks touch, and what consistency models say of it.

const MODELS = [["posix", "POSIX", "one after the other"], ["commit", "Commit", "and a sync or close of the writer between"], ["session", "Session", "and its close, and then an opening of the other one"],
	["mpi", "MPI-IO", "and MPI_File_sync or close, and then a sync or opening of the other one"]];
const VERDICTS = ["fine", "unknown", "violated"];

function conflictsPanel() {
	const shared = rowsOf("shared_files");
	if (!shared.length)
		return;
	const pairs = rowsOf("conflicts"), at = shared.filter((row) => row.pairs), bad = shared.filter((row) => row.together || row.commit === 2);
	const counts = [["write_write", "Write, write"], ["write_read", "Write, read"], ["read_write", "Read, write"], ["together", "At once"], ["uncertain", "Uncertain"]].map(([key, label]) => ({ key, label, type: "count" }));
	const rank = (world, key, label) => ({ key, label, type: "count", value: (row) => row[world] * 2 ** 31 + row[key], show: (row) => rankName({ world: row[world], rank: row[key] }) });
	const parts = [table({ caption: "Files of several ranks", rows: shared, sort: { key: "pairs", descending: true }, columns: [{ key: "path", label: "File", code: true }, { key: "ranks", label: "Ranks", type: "count" },
		{ key: "pairs", label: "Pairs in conflict", type: "count" }, ...MODELS.map(([key, label, title]) => ({ key, label, title, value: (row) => key === "mpi" && !row.mpi_io ? "-" : VERDICTS[row[key]] })), ...counts,
		{ key: "unknown", label: "Nowhere", type: "count", title: "transfers of which it is not known where they are, appended ones, too" }] })];
	if (pairs.length)
		parts.push(element("h3", {}, "Ranks at the same bytes"), table({ caption: "Ranks at the same bytes" + (number(data.conflicts.all) > pairs.length ? ", the first ones" : ""), rows: pairs, columns: [
			{ key: "path", label: "File", code: true }, rank("world", "one", "Rank"), rank("other_world", "other", "and rank"), { key: "begin", label: "From byte", type: "count" }, { key: "end", label: "To byte", type: "count" }, ...counts] }));
	panel("conflicts", "Conflicts", "Is it correct on file systems that relax consistency?", sentence(at.length ? countText(at.length) + " of " + counted(shared.length, "file") + " that several ranks use " + (at.length === 1 ? "has" : "have") +
		" bytes that more than one of them touches, one writing. " + (bad.length ? "Only where order is that of POSIX, or of chance, " + (bad.length === 1 ? "is it" : "are " + countText(bad.length)) + " correct." : "Writers sync or close before others go on, as far as is known.") :
		counted(shared.length, "file") + " that several ranks use and write: no two of them touch the same bytes, as far as is known."), parts);
}

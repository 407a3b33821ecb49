// SPDX-License-Identifier: MIT
// What test/analysis/known_mpi.c did, as the page says it: known_mpi.js FILE RANKS.
"use strict";
const { assert, withPage, run, tableOf, fileOf, same } = require("./browser.js");

run(async ([file, count]) => withPage(file, {}, async (page) => {
	const ranks = Number(count), functions = new Map((await tableOf(page, "Functions")).map((row) => [row.function, row]));
	for (const [name, calls, read, written] of [["MPI_Send", 5, 0, 5000], ["MPI_Irecv", 5, 0, 0], ["MPI_Wait", 5, 5000, 0], ["MPI_Barrier", 2, 0, 0], ["MPI_File_write_at_all", 1, 0, 300000], ["MPI_File_read_at", 2, 2000, 0]])
		same(name, { calls: calls * ranks, bytes_read: read * ranks, bytes_written: written * ranks }, functions.get(name));
	same("shared", { ranks, sharing: ranks > 1 ? "shared" : "one", bytes_written: 300000 * ranks }, await fileOf(page, "shared"));
	const byLayer = (await tableOf(page, "Files by layer")).filter((row) => row.path.endsWith("/shared"));
	same("shared in MPI-IO", { bytes_read: 2000 * ranks, bytes_written: 300000 * ranks }, byLayer.find((row) => row.layer === "mpiio"));
	same("shared in posix", { bytes_written: 300000 * ranks }, byLayer.find((row) => row.layer === "posix"));
	same("MPI-IO", { reads: 2 * ranks, writes: ranks, mean_read: 1000, mean_write: 300000 }, (await tableOf(page, "Reads and writes by layer")).find((row) => row.layer === "mpiio"));
	const kinds = await tableOf(page, "MPI calls by kind");
	same("point-to-point", { calls: 10 * ranks, bytes_written: 5000 * ranks }, kinds.find((row) => row.kind === "point-to-point"));
	// times of the picture are those of the tables, to the precision of its cells
	const heat = await tableOf(page, "Ranks by time"), table = await tableOf(page, "Ranks");
	assert.strictEqual(heat.length, table.length, "lines of the picture");
	for (const [i, row] of table.entries())
		assert.ok(Math.abs(heat[i].mpi - row.mpi) <= row.mpi * .02 + 512 * 200, `MPI time of line ${i}: ${heat[i].mpi}, not ${row.mpi}`);
}));

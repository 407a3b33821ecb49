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
	const world = (await tableOf(page, "Communicators")).find((row) => row.name === "MPI_COMM_WORLD");
	same("MPI_COMM_WORLD", { size: ranks }, world);
	assert.ok(world.calls >= 13 * ranks && world.sent >= 5000 * ranks, "its calls and bytes");
	const pairs = await tableOf(page, "From rank to rank");
	assert.strictEqual(pairs.length, ranks, "pairs: a ring");
	for (const pair of pairs)
		same("a pair", { to: (pair.from + 1) % ranks, calls: 5, bytes: 5000 }, pair);
	const waits = (await tableOf(page, "Waits by communicator")).find((row) => row.name === "MPI_COMM_WORLD");
	same("what was matched in MPI_COMM_WORLD", { size: ranks, messages: 5 * ranks, collective: 3 }, waits);
	const seen = await page.locator(".matrix canvas").evaluate((canvas, count) => {
		const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height), side = canvas.height - 22;
		const at = (line, column) => {
			const x = Math.floor(62 + (column + .5) * side / count), y = Math.floor(18 + (line + .5) * side / count);
			return data.slice(4 * (y * canvas.width + x), 4 * (y * canvas.width + x) + 3).join();
		};
		return Array.from({ length: count }, (_, line) => Array.from({ length: count }, (_, column) => at(line, column) !== at(0, 0)));
	}, (await tableOf(page, "Ranks by time")).length);
	for (let from = 0; from < ranks; from++)
		for (let to = 0; to < ranks; to++)
			assert.strictEqual(seen[from][to], to === (from + 1) % ranks, `the matrix from ${from} to ${to}`);
	// times of the picture are those of the tables, to the precision of its cells
	const heat = await tableOf(page, "Ranks by time"), table = await tableOf(page, "Ranks");
	assert.strictEqual(heat.length, table.length, "lines of the picture");
	for (const [i, row] of table.entries())
		assert.ok(Math.abs(heat[i].mpi - row.mpi) <= row.mpi * .02 + 512 * 200, `MPI time of line ${i}: ${heat[i].mpi}, not ${row.mpi}`);
}));

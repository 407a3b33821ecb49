// SPDX-License-Identifier: MIT
// What test/analysis/known.c did, as the page says it: known.js FILE THREADS.
"use strict";
const { assert, withPage, run, tableOf, fileOf, same } = require("./browser.js");

run(async ([file, threads]) => withPage(file, {}, async (page) => {
	same("data", { opens: 1, reads: 5, writes: 11, bytes_read: 500, bytes_written: 240960, errors: 0, ranks: 1, metadata: 5, class: "data", sharing: "one" }, await fileOf(page, "data"));
	same("lines", { opens: 1, reads: 3, writes: 1, bytes_read: 700, bytes_written: 1000, errors: 0 }, await fileOf(page, "lines"));
	same("none", { opens: 0, reads: 0, writes: 0, bytes_read: 0, errors: 5, metadata: 5 }, await fileOf(page, "none"));
	same("child", { opens: 1, writes: 2, bytes_written: 1000 }, await fileOf(page, "child"));
	for (let i = 0; i < Number(threads); i++)
		same("of." + i, { opens: 1, writes: 4, bytes_written: 256 }, await fileOf(page, "of." + i));
	const failed = await tableOf(page, "Failed calls");
	const opens = failed.find((row) => row.error === "ENOENT" && row.function === "access");
	assert.strictEqual(opens.calls, 2, "failed calls of access");
	const [rank] = await tableOf(page, "Ranks");
	same("bytes of the rank", { used: 4 + Number(threads), bytes_read: 1200, bytes_written: 242960 + 256 * Number(threads) }, rank);
	const processes = await tableOf(page, "Processes");
	assert.strictEqual(processes.length, 2, "processes");
	assert.deepStrictEqual(processes.map((row) => row.started), ["", "fork"], "who is forked");
	assert.ok(processes[1].program.startsWith("\u2514"), "the child is below its parent");
	const writes = (await tableOf(page, "Access pattern")).find((row) => row.direction === "writes");
	assert.strictEqual(writes.all, 11 + 1 + 2 + 4 * Number(threads), "writes of files of data");
	// bins of what moves over time add up to all
	const text = await page.evaluate(() => document.getElementById("series").textContent);
	assert.ok(/At most .*\/s (written|read)/.test(text), "the peak is named");
	const over = await tableOf(page, "Over time");
	const layers = (await tableOf(page, "Time by layer")).filter((row) => row.name === "posix" || row.name === "stdio");
	for (const key of ["calls", "bytes_read", "bytes_written"])
		assert.strictEqual(over.reduce((all, row) => all + row[key], 0), layers.reduce((all, row) => all + row[key], 0), key + " over time");
}));

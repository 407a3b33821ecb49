// SPDX-License-Identifier: MIT
// What test/analysis/known.c did, as the page says it: known.js FILE THREADS.
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");
const { assert, withPage, run, tableOf, fileOf, same } = require("./browser.js");

function shortCounts() {
	const context = vm.createContext({});
	vm.runInContext(fs.readFileSync(path.join(process.env.TOP_SRCDIR, "report", "calls.js"), "utf8"), context);
	const counts = { 0: "0", 0.5: "0.5", 9: "9", 950: "950", 1000: "1K", 1234: "1.23K", 99960: "100K", 500000: "500K", 999499: "999K", 999700: "1M", 30000000000: "30G" };
	assert.deepStrictEqual(Object.keys(counts).map((key) => vm.runInContext(`shortCount(${key})`, context)), Object.values(counts), "counts in short");
}

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
	shortCounts();
	// each size by itself, as bars and as a table
	const sizes = await tableOf(page, "Most frequent sizes of posix");
	assert.deepStrictEqual(sizes.map((row) => [row.size, row.reads, row.writes]), [[64, 0, 4 * Number(threads)], [4096, 0, 10], [100, 5, 0], [500, 0, 2], [200000, 0, 1]], "sizes of posix");
	const bars = await page.evaluate(() => [...document.querySelector(".common svg").querySelectorAll("rect.bar")].map((bar) => [bar.getAttribute("fill") || bar.style.fill, Number(bar.getAttribute("width"))]));
	assert.strictEqual(bars.length, 5, "a bar for each size");
	assert.ok(bars.every(([, long]) => long >= 2), "bars are seen");
	assert.ok(Math.abs(bars[0][1] / bars[3][1] - 12 / 10) < .01 || Number(threads) !== 3, "bars are as long as there are calls: " + bars);
	// bins of what moves over time add up to all
	const text = await page.evaluate(() => document.getElementById("series").textContent);
	assert.ok(/At most .*\/s (written|read)/.test(text), "the peak is named");
	const over = await tableOf(page, "Over time");
	const layers = (await tableOf(page, "Time by layer")).filter((row) => row.name === "posix" || row.name === "stdio");
	for (const key of ["calls", "bytes_read", "bytes_written"])
		assert.strictEqual(over.reduce((all, row) => all + row[key], 0), layers.reduce((all, row) => all + row[key], 0), key + " over time");
}));

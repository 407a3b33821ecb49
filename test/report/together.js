// SPDX-License-Identifier: MIT
// I/O against the rest, offsets and bursts of made-up jobs of which each instant is known (test/analysis/overlap.py): together.js OVERLAP-FILE CHECKPOINTS-FILE.
"use strict";
const { assert, withPage, run, tableOf, same } = require("./browser.js");

const ms = (count) => count * 1e6;
const sum = (rows, key) => rows.reduce((all, row) => all + row[key], 0);

async function overlap(page) {
	const rows = await tableOf(page, "I/O against the rest by rank"), of = (rank, processes) => rows.find((row) => row.line !== undefined && row.processes === processes && row.line === rank);
	assert.strictEqual(rows.length, 3, "rank 0, its child, rank 1");
	same("rank 0", { files_alone: 501e3, files_with_program: 1200e3, files_with_mpi: 500e3, mpi: 0, waiting: 0, program: 1e7 - 2201e3 }, of(0, "own"));
	same("its child", { files_alone: 401e3, files_with_program: 0, program: 1e7 - 401e3 }, of(1, "children"));
	same("rank 1", { files_alone: 2001e3, program: 1e7 - 2001e3 }, of(2, "own"));
	const bins = await tableOf(page, "I/O against the rest over time");
	for (const key of ["files_alone", "files_with_program", "files_with_mpi", "program", "mpi", "waiting"])
		assert.strictEqual(sum(bins, key), sum(rows, key), key + " over time");
	const first = bins.filter((row) => row.begin < ms(.49));
	assert.strictEqual(sum(first, "files_with_program") + sum(first, "files_alone"), 0, "nothing before the first write");
	assert.ok(/unoverlapped/.test(await page.locator("#overlap .sentence").first().textContent()), "it is said in words");
}

async function bursts(page) {
	const rows = (await tableOf(page, "Bursts")).filter((row) => row.direction === "writes");
	assert.strictEqual(rows.length, 5, "checkpoints");
	rows.forEach((row, i) => {
		assert.ok(Math.abs(row.begin - ms(100 + 200 * i)) < ms(4), `begin of checkpoint ${i}: ${row.begin}`);
		assert.ok(Math.abs(row.bytes - 4e7) < 1000, `its bytes: ${row.bytes}`);
	});
	assert.ok(/5\sbursts of writes: 40.0\sMB/.test(await page.locator("#bursts").innerText()), "it is said in words");
	await page.getByLabel("Direction of bursts").selectOption({ label: "reads" });
	assert.deepStrictEqual((await tableOf(page, "Bursts")).map((row) => row.direction), ["reads"]);
}

// Twenty writes of 10 MB, one behind the other, five times four of them; 10 MB are read of another file.
async function offsets(page) {
	await page.locator("#offsets").scrollIntoViewIfNeeded();
	assert.ok(await page.getByLabel("File", { exact: true }).locator("option").count() === 2, "two files");
	const parts = await tableOf(page, "By offset");
	assert.strictEqual(sum(parts, "written"), 2e8, "bytes written");
	assert.strictEqual(sum(parts, "read"), 0, "bytes read");
	for (const row of parts.slice(0, -1))
		assert.strictEqual(row.written, row.to - row.from, `all of ${row.from} to ${row.to}`);
	const times = await tableOf(page, "Offsets by time"), [rank] = await tableOf(page, "Offsets by rank");
	same("the rank", { column: 0, written: 2e8, from: 0 }, rank);
	assert.ok(rank.to >= 2e8, "as far as the file goes");
	assert.strictEqual(sum(times, "written"), 2e8, "bytes over time");
	times.forEach((row, i) => assert.ok(i === 0 || row.from >= times[i - 1].from, "further on with time"));
	assert.ok(times.some((row) => row.column > 10 && row.column < 14) && !times.some((row) => row.column > 16 && row.column < 34), "when checkpoints are written alone");
	await walk(page, parts, times);
	const before = await picture(page);
	await page.getByLabel("Reads or writes").selectOption({ label: "reads" });
	assert.notStrictEqual(await picture(page), before, "reads alone are another picture");
	await page.getByLabel("File", { exact: true }).selectOption({ index: 1 });
	assert.strictEqual(sum(await tableOf(page, "By offset"), "read"), 1e7, "bytes read of the other file");
}

// Arrows go from cell to cell of both pictures; what is in each is said.
async function walk(page, parts, times) {
	const said = (number) => page.locator("#offsets .walked").nth(number).textContent();
	const row = parts[0].to, offset = (from) => new RegExp(`^rank 0, offset ${from ? "[1-9]" : "0 to"}.*, about .*written$`);
	assert.strictEqual(await said(0) + await said(1), "", "nothing is said unasked");
	const plain = await picture(page, 1);
	await page.locator("#offsets canvas").nth(1).focus();
	await page.keyboard.press("ArrowDown");
	assert.match(await said(1), offset(0), "the first cell with bytes");
	assert.notStrictEqual(await picture(page, 1), plain, "it is marked");
	await page.keyboard.press("ArrowUp");
	assert.match(await said(1), offset(row), "the cell above");
	await page.keyboard.press("ArrowLeft");
	assert.match(await said(1), offset(row), "there is none on the left");
	for (let i = 0; i < 12; i++)
		await page.keyboard.press("PageUp");
	const top = await said(1);
	await page.keyboard.press("ArrowUp");
	assert.strictEqual(await said(1), top, "there is none above the last row");
	await page.keyboard.press("PageDown");
	assert.notStrictEqual(await said(1), top, "ten rows down");
	await page.locator("#offsets canvas").first().focus();
	const range = () => page.locator("#offsets .range").textContent(), all = await range();
	await page.keyboard.press("ArrowRight");
	const first = await said(0);
	assert.ok(first.includes(", offset 0 to ") && first.endsWith("written"), "the first cell by time: " + first);
	assert.strictEqual(await range(), all, "arrows do not move what is seen");
	for (let i = 0; i < 4; i++)
		await page.keyboard.press("+");
	await page.keyboard.press("ArrowLeft");
	const zoomed = await range();
	for (let i = times[0].column; i < times.at(-1).column; i++)
		await page.keyboard.press("ArrowRight");
	assert.notStrictEqual(await range(), zoomed, "what is seen follows the cell");
	assert.notStrictEqual(await said(0), first, "another cell");
	await page.keyboard.press("Home");
	assert.strictEqual(await range(), all, "Home shows all");
}

const picture = (page, number = 0) => page.locator("#offsets canvas").nth(number).evaluate((canvas) => canvas.toDataURL());

// A time is selected; who did what in it is told, and how to see more of it.
async function selects(page) {
	const canvas = page.locator("#heat canvas"), all = await tableOf(page, "Ranks by time");
	assert.ok(Math.abs(all[0].writes + all[0].reads - all[0].files) < ms(2), "all of the time on files is in reads and writes");
	await canvas.focus();
	for (let i = 0; i < 3; i++)
		await page.keyboard.press("+");
	for (let i = 0; i < 40; i++)
		await page.keyboard.press("ArrowLeft");
	const command = page.locator("#heat .finer code");
	await page.waitForFunction(() => document.querySelector("#heat .finer code").textContent.includes("--time 0s..0.1375"));
	const [row] = await tableOf(page, "Ranks by time");
	assert.ok(Math.abs(row.reads - ms(10)) < ms(2), `reads of the first eighth: ${row.reads}`);
	assert.ok(row.writes > ms(15) && row.writes < ms(27), `writes of the first eighth: ${row.writes}`);
	assert.ok((await command.textContent()).startsWith("recorder report --time 0s..0.1375"), "how to see more of it");
	await page.keyboard.press("Home");
	await page.waitForFunction((time) => document.querySelector("#heat td[data-value='" + time + "']"), all[0].files);
}

run(async ([together, checkpoints]) => {
	await withPage(together, {}, overlap);
	await withPage(checkpoints, {}, async (page) => {
		await bursts(page);
		await offsets(page);
		await selects(page);
		same("file system", { bytes_read: 1e7 }, (await tableOf(page, "File systems"))[0]);
	});
});

// SPDX-License-Identifier: MIT
// Epochs and steps as recorder summary --json has them, by table, by picture and by keyboard: steps.js FILE SUMMARY.json. See test/analysis/phases.py for the job.
"use strict";
const fs = require("fs");
const path = require("path");
const { assert, withPage, run, tableOf } = require("./browser.js");

const nanoseconds = (seconds) => Math.round(seconds * 1e9);

function dataOf(page) {
	return page.evaluate(() => JSON.parse(document.getElementById("data").textContent));
}

async function hovered(page, time, line, lines) {
	const canvas = page.locator("#phases canvas"), box = await canvas.boundingBox(), { trace } = await dataOf(page);
	await page.mouse.move(box.x + 92 + (box.width - 104) * time / Number(trace.duration), box.y + (line + .5) * (box.height - 28) / lines);
	return page.locator("#tip").innerText();
}

async function checkTable(page, phases) {
	const rows = await tableOf(page, "Epochs and steps");
	assert.deepStrictEqual(rows.map((row) => [row.begin, row.length, row.processes, row.loading, row.files_alone, row.calls, row.bytes_written]),
		phases.map((row) => [nanoseconds(row.begin), nanoseconds(row.length), row.processes, nanoseconds(row.loading), nanoseconds(row.files_alone), row.calls, row.bytes_written]), "rows");
	await page.getByLabel("Epochs or steps").selectOption({ label: "steps" });
	assert.strictEqual((await tableOf(page, "Epochs and steps")).length, phases.filter((row) => "step" in row).length, "steps alone");
}

// The first step of epoch 0 goes from 1 to 3 ms: rank 0 waits 400 us in it.
async function checkPicture(page) {
	const canvas = page.locator("#phases canvas");
	await canvas.scrollIntoViewIfNeeded();
	const names = (await dataOf(page)).phase_processes.processes, own = 0, child = 1; // by rank, children behind it
	assert.deepStrictEqual(names.map(([, rank, pid, main]) => [rank, pid, main]).sort(), [[0, 4016, 1], [0, 4018, 0], [1, 4017, 1]], "processes");
	const text = await hovered(page, 1.5e6, own, names.length);
	assert.ok(/epoch 0, step 0/.test(text) && /waiting for data for about (39|40)\d.µs/.test(text), text);
	const beside = await hovered(page, 6e6, child, names.length);
	assert.ok(/epoch 1, step 0/.test(beside) && /on files for about (9\d\.\d|10\d).µs/.test(beside) && /waiting for data for about 0.ns/.test(beside), beside);
	await canvas.focus();
	for (const key of ["ArrowRight", "ArrowRight", "ArrowDown"])
		await page.keyboard.press(key);
	const said = await page.locator("#phases .walked").textContent();
	assert.ok(said.startsWith("epoch 0, step 0, ") && said.includes("process 4018, a child"), said);
	const before = await canvas.screenshot();
	await page.getByLabel("What the picture of phases shows").selectOption({ label: "on files" });
	assert.notDeepStrictEqual(await canvas.screenshot(), before, "another picture");
}

run(async ([file, summary]) => withPage(file, {}, async (page) => {
	const { phases } = JSON.parse(fs.readFileSync(summary, "utf8"));
	await checkTable(page, phases);
	await checkPicture(page);
	const axe = fs.readFileSync(path.join(process.env.REPORT_MODULES, "axe-core", "axe.min.js"), "utf8");
	await page.evaluate(axe);
	const { violations } = await page.evaluate(() => axe.run(document.getElementById("phases")));
	assert.deepStrictEqual(violations.map((one) => one.id), [], "accessibility");
	await page.locator("#phases").screenshot({ path: path.join(process.env.REPORT_SHOTS, "phases.png") });
}));

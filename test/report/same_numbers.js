// SPDX-License-Identifier: MIT
// The page has the numbers of recorder summary: and of recorder findings: same_numbers.js FILE SUMMARY.json (of all classes of files) FINDINGS.json.
"use strict";
const fs = require("fs");
const { assert, withPage, run, tableOf, chooseFiles } = require("./browser.js");

const ns = (seconds) => Math.round(seconds * 1e9);
const SITES_MOST = 300; // of the page
const SUMS = [["calls"], ["errors"], ["time", ns], ["self", ns], ["bytes_read"], ["bytes_written"]];

// Each row of the page, found by its key, has the numbers of the summary.
function compare(what, want, got, keyOf, numbers) {
	assert.ok(got, "no table of " + what);
	assert.strictEqual(got.length, want.length, "rows of " + what);
	const rows = new Map(got.map((row) => [keyOf(row), row]));
	for (const row of want) {
		const found = rows.get(keyOf(row));
		assert.ok(found, what + ": no " + keyOf(row));
		for (const [key, convert] of numbers)
			if (key in found)
				assert.strictEqual(found[key], (convert || Number)(row[key]), `${what}: ${key} of ${keyOf(row)}`);
	}
}

run(async ([file, json, found]) => withPage(file, {}, async (page) => {
	const summary = JSON.parse(fs.readFileSync(json, "utf8"));
	const layers = await tableOf(page, "Time by layer");
	compare("layers", [...summary.layers, { layer: "program", calls: 0, errors: 0, bytes_read: 0, bytes_written: 0 }], layers.map((row) => ({ ...row, layer: row.name, time: undefined })), (row) => row.layer,
		[["calls"], ["errors"], ["bytes_read"], ["bytes_written"]]);
	for (const row of summary.layers) {
		const found = layers.find((one) => one.name === row.layer);
		assert.deepStrictEqual([found.time, found.elsewhere], [ns(row.self_by_place.main), ns(row.self_by_place.elsewhere)], "time of " + row.layer);
	}
	assert.strictEqual(layers.find((row) => row.name === "program").time, ns(summary.program), "time of the program");
	if (summary.functions.length)
		compare("functions", summary.functions, await tableOf(page, "Functions"), (row) => row.layer + " " + row.function, [...SUMS, ["p50", ns], ["p95", ns], ["p99", ns], ["most", ns]]);
	if (summary.callsites.length) {
		const nameOf = (path) => path.slice(path.lastIndexOf("/") + 1);
		const named = summary.callsites.slice(0, SITES_MOST).filter((row) => row.file).map((row) => `${row.caller} ${nameOf(row.file)}:${row.line}`);
		const siteOf = (row, time) => [row.layer, row.function, row.calls, row.errors, time, Number(row.bytes_read), Number(row.bytes_written)].join(" ");
		const sites = await tableOf(page, "Places that calls were made from"), there = new Set(sites.map((row) => row.place));
		assert.deepStrictEqual(named.filter((place) => !there.has(place)), [], "names of call sites");
		const places = sites.map((row) => siteOf(row, row.time));
		const most = summary.callsites.slice(0, SITES_MOST).map((row) => siteOf(row, ns(row.time)));
		assert.deepStrictEqual(places.sort(), most.sort(), "call sites");
	}
	if (summary.ranks.length) {
		const ranks = (await tableOf(page, "Ranks")).map((row) => ({ ...row, rank: row.rank % 2 ** 31, world: Math.floor(row.rank / 2 ** 31) }));
		compare("ranks", summary.ranks, ranks, (row) => row.world + ":" + row.rank, [["calls"], ["errors"], ["bytes_read"], ["bytes_written"], ["streams"], ["files", (places) => ns(places.main)], ["mpi", (places) => ns(places.main)], ["wall", ns]]);
	}
	if (summary.files.length) {
		await chooseFiles(page, "all files");
		compare("files", summary.files, await tableOf(page, "Files"), (row) => row.path, [["calls"], ["errors"], ["time", ns], ["bytes_read"], ["bytes_written"], ["opens"], ["reads"], ["writes"], ["metadata"], ["ranks"]]);
	}
	if (summary.errors.length)
		compare("errors", summary.errors, await tableOf(page, "Failed calls"), (row) => row.layer + " " + row.function + " " + row.error, [["calls"], ["time", ns]]);
	const { pairs, ranks: rankWaits } = summary.mpi_waits, order = (world, rank) => world * 2 ** 31 + rank;
	if (pairs.length) {
		compare("waits", pairs.map((row) => ({ ...row, waiter: order(row.waiter_world, row.waiter), cause: order(row.cause_world, row.cause) })), await tableOf(page, "Who waited for whom"), (row) => row.waiter + " " + row.cause, [["time", ns]]);
		compare("waits by rank", rankWaits.filter((row) => row.waited || row.caused).map((row) => ({ ...row, rank: order(row.world, row.rank) })), await tableOf(page, "Waits by rank"), (row) => row.rank, [["waited", ns], ["caused", ns], ["came_last"]]);
	}
	if (summary.conflicts.files.length)
		compare("conflicts", summary.conflicts.files, await tableOf(page, "Files of several ranks"), (row) => row.path, [["ranks"], ["pairs"], ["write_write"], ["write_read"], ["read_write"], ["together"], ["uncertain"]]);
	const findings = await page.locator("#findings li").allTextContents();
	if (await page.locator("#findings button.more").isVisible()) {
		await page.locator("#findings button.more").click();
		assert.ok(await page.locator("#findings li").count() > findings.length, "there are more findings");
	}
	const shown = await page.locator("#findings li").allTextContents();
	const told = JSON.parse(fs.readFileSync(found, "utf8"));
	assert.strictEqual(shown.length, told.length, "findings");
	for (const [i, finding] of told.entries())
		assert.ok(shown[i].startsWith(finding.text) && shown[i].includes(finding.advice), `finding ${i + 1}: ${shown[i]}`);
	const state = await page.locator("#completeness").textContent();
	assert.strictEqual(state.startsWith("Complete."), summary.complete, "completeness: " + state);
}));

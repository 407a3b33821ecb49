// SPDX-License-Identifier: MIT
// Many ranks in one picture, and tables cut where they are too long: many.js FILE LINES RANKS-OF-A-LINE [RANK THAT STANDS OUT].
"use strict";
const { assert, withPage, run, tableOf } = require("./browser.js");

run(async ([file, lines, each, slow]) => withPage(file, {}, async (page) => {
	const heat = await tableOf(page, "Ranks by time");
	assert.strictEqual(heat.length, Number(lines), "lines of the picture");
	const drawn = await page.locator("#heat canvas").evaluate((canvas) => {
		const { data } = canvas.getContext("2d").getImageData(canvas.width >> 2, 0, canvas.width >> 1, canvas.height);
		return new Set(Array.from({ length: data.length / 4 }, (_, i) => data.slice(4 * i, 4 * i + 3).join())).size;
	});
	assert.ok(drawn > 20, drawn + " colours in the picture");
	const text = await page.locator("#heat").innerText();
	assert.strictEqual(/each group of ranks/.test(text), Number(each) > 1, "groups are called so");
	const ranks = await tableOf(page, "Ranks"), all = Number(lines) * Number(each);
	assert.strictEqual(ranks.length, Math.min(all, 1000), "rows of ranks");
	if (all > 1000)
		assert.ok((await page.locator("#ranks tfoot").innerText()).includes(`${all - 1000} more ranks`), "ranks that are left out are counted");
	if (slow) {
		const row = ranks.find((one) => one.rank === Number(slow)), said = await page.locator("#ranks").innerText();
		assert.ok(row && row.files > 9e9, "the rank that stands out has a row");
		assert.ok(said.includes(`Most time on files: rank ${slow} with `), "and is named");
		const mean = Number(/Most time on files: .* ([\d.]+) times the mean/.exec(said)[1]);
		assert.ok(mean > 1.5, `${mean} times the mean`);
		assert.ok((await tableOf(page, "I/O against the rest by rank")).some((one) => one.files_alone > 8.5e9), "its time on files alone has one");
	}
	if (await page.locator("#files tfoot").count())
		assert.ok(/more files/.test(await page.locator("#files tfoot").innerText()));
}));

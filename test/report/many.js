// SPDX-License-Identifier: MIT
// Many ranks in one picture, and tables cut where they are too long: many.js FILE LINES RANKS-OF-A-LINE.
"use strict";
const { assert, withPage, run, tableOf } = require("./browser.js");

run(async ([file, lines, each]) => withPage(file, {}, async (page) => {
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
	if (await page.locator("#files tfoot").count())
		assert.ok(/more files/.test(await page.locator("#files tfoot").innerText()));
}));

// SPDX-License-Identifier: MIT
// A page of calls that are sums of intervals: summed.js FILE.
"use strict";
const path = require("path");
const { assert, withPage, run } = require(path.join(__dirname, "../report/browser.js"));

run(async ([file]) => {
	await withPage(file, {}, async (page) => {
		const text = await page.locator("#overlap").innerText();
		assert.ok(/sums of intervals/.test(text), text);
		assert.strictEqual(await page.locator("#overlap canvas").count(), 0, "nothing is drawn of what is not known");
		for (const said of await page.locator(".sentence").allInnerTexts())
			assert.ok(!/for - of/.test(said) && !/NaN/.test(said), said);
	});
});

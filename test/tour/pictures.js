// SPDX-License-Identifier: MIT
// The pictures of doc/tour.md: pictures.js FOLDER SLOW.html MENDED.html.
"use strict";
const path = require("path");
const { assert, withPage, run } = require("../report/browser.js");

const SIZE = { viewport: { width: 1340, height: 900 } };

async function picture(page, id, file) {
	await page.locator(id).scrollIntoViewIfNeeded();
	await page.mouse.move(0, 0);
	await page.locator(id).screenshot({ path: file, animations: "disabled" });
}

run(async ([folder, slow, mended]) => {
	const place = (name) => path.join(folder, name + ".png");
	await withPage(slow, SIZE, async (page) => {
		await picture(page, "#findings", place("findings"));
		assert.match(await page.locator("#files").textContent(), /particles\.txt/);
		await picture(page, "#files", place("files"));
		await picture(page, "#heat", place("heat"));
	});
	await withPage(mended, SIZE, async (page) => {
		await picture(page, "#heat", place("mended"));
	});
});

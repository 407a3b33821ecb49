// SPDX-License-Identifier: MIT
// The pictures of doc/tour.md: pictures.js FOLDER SLOW.html MENDED.html TRAIN.html.
"use strict";
const path = require("path");
const { assert, withPage, run } = require("../report/browser.js");

const SIZE = { viewport: { width: 1340, height: 900 } };

async function picture(page, id, file) {
	await page.locator(id).scrollIntoViewIfNeeded();
	await page.mouse.move(0, 0);
	await page.locator(id).screenshot({ path: file, animations: "disabled" });
}

run(async ([folder, slow, mended, train]) => {
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
	await withPage(train, { viewport: { width: 1340, height: 1300 } }, async (page) => {
		const text = await page.locator("#usage").textContent();
		assert.match(text, /1\sprocess of the program and 2 that it forked/);
		assert.match(text, /system calls of files, as the kernel told them.*requests to block devices by the process/);
		const presets = await page.locator("#usage button.preset").allTextContents();
		assert.deepStrictEqual(presets, ["First epoch", "One step", "Checkpoint"]);
		const range = page.locator("#usage .range"), seen = [await range.textContent()];
		for (const preset of presets) {
			await page.locator("#usage button", { hasText: preset }).click();
			seen.push(await range.textContent());
		}
		assert.strictEqual(new Set(seen).size, 4, "presets show parts: " + seen);
		await page.locator("#usage button", { hasText: "Whole run" }).click();
		await picture(page, "#usage", place("train"));
	});
});

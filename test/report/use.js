// SPDX-License-Identifier: MIT
// Sorting, searching, zooming, themes, and what axe-core says of it all; leaves screenshots: use.js FILE NAME.
"use strict";
const path = require("path");
const { assert, withPage, run, tableOf } = require("./browser.js");

const column = async (page, caption, key) => (await tableOf(page, caption)).map((row) => row[key]);

async function sorts(page) {
	const files = page.locator("#files table").first(), header = files.locator("th[data-key=bytes_written]");
	await header.getByRole("button").click();
	assert.strictEqual(await header.getAttribute("aria-sort"), "descending");
	const down = await column(page, "Files", "bytes_written");
	assert.ok(down.length > 2 && down[0] > down[down.length - 1], "there is something to sort");
	assert.deepStrictEqual(down, [...down].sort((a, b) => b - a), "most first");
	await header.getByRole("button").focus();
	await page.keyboard.press("Enter");
	assert.strictEqual(await header.getAttribute("aria-sort"), "ascending");
	assert.deepStrictEqual(await column(page, "Files", "bytes_written"), [...down].sort((a, b) => a - b), "least first, by the keyboard");
	const names = files.locator("th[data-key=path]");
	await names.getByRole("button").click();
	const paths = await column(page, "Files", "path");
	assert.deepStrictEqual(paths, [...paths].sort((a, b) => a.localeCompare(b)), "by name");
	assert.strictEqual(await header.getAttribute("aria-sort"), null, "one column at a time");
}

async function searches(page) {
	const all = (await tableOf(page, "Functions")).length;
	await page.getByLabel("Search in: Functions").fill("CLOSE");
	const found = await tableOf(page, "Functions");
	assert.ok(found.length > 0 && found.length < all, "some functions are found");
	assert.ok(found.every((row) => /close/i.test(row.function + row.operation)), "those that were searched for");
	await page.getByLabel("Search in: Functions").fill("no such function");
	assert.deepStrictEqual(await tableOf(page, "Functions"), [], "nothing is found");
	await page.getByLabel("Search in: Functions").fill("");
	assert.strictEqual((await tableOf(page, "Functions")).length, all, "all are back");
}

// How many rows there are of what is chosen, and bars that are as long as its values are to the largest of it.
async function counts(page) {
	const table = page.locator("#files .table").first();
	for (const what of ["all files", "files of data"]) {
		await page.getByLabel("Class of files").selectOption({ label: what });
		const rows = (await tableOf(page, "Files")).length;
		assert.match(await table.locator(".tools").textContent(), new RegExp(`\\D${rows.toLocaleString("en")}\\s(row|rows)$`), "rows of " + what);
	}
}

const range = (page) => page.locator("#heat .range").textContent();

async function zooms(page) {
	const whole = await range(page), canvas = page.locator("#heat canvas");
	await canvas.scrollIntoViewIfNeeded();
	const box = await canvas.boundingBox(), y = box.y + 10;
	const before = await canvas.evaluate((one) => one.toDataURL());
	await page.mouse.move(box.x + box.width * .4, y);
	assert.ok(await page.locator("#tip").isVisible(), "what is under the pointer is told");
	await page.mouse.down();
	await page.mouse.move(box.x + box.width * .6, y, { steps: 4 });
	await page.mouse.up();
	const part = await range(page);
	assert.notStrictEqual(part, whole, "dragging zooms");
	assert.notStrictEqual(await canvas.evaluate((one) => one.toDataURL()), before, "the picture changes");
	assert.strictEqual(await page.locator("#series .range").textContent(), part, "all charts zoom together");
	await page.locator("#heat").getByRole("button", { name: "Later" }).focus();
	await page.keyboard.press("Enter");
	assert.notStrictEqual(await range(page), part, "moved by the keyboard");
	await canvas.dblclick({ position: { x: box.width / 2, y: 10 } });
	assert.strictEqual(await range(page), whole, "a double click shows all");
	await page.locator("#series").getByRole("button", { name: "Zoom in" }).click();
	assert.notStrictEqual(await range(page), whole, "a button zooms");
	await page.locator("#activity").getByRole("button", { name: "Whole run" }).click();
	assert.strictEqual(await range(page), whole);
	const plot = page.locator("#series .u-over").first();
	await plot.scrollIntoViewIfNeeded();
	const over = await plot.boundingBox();
	await page.mouse.move(over.x + over.width * .2, over.y + 20);
	await page.mouse.down();
	await page.mouse.move(over.x + over.width * .7, over.y + 30, { steps: 4 });
	await page.mouse.up();
	assert.notStrictEqual(await range(page), whole, "dragging over a line chart zooms");
	await page.mouse.move(over.x + over.width * .5, over.y + 20);
	assert.ok(!(await page.locator("#series .u-legend").first().textContent()).includes("--"), "values under the pointer");
	await plot.dblclick();
	assert.strictEqual(await range(page), whole);
	await page.mouse.move(0, 0);
}

// The rules of WCAG 2, A and AA. axe is evaluated by the debugger, as the page's policy lets no other script in.
async function accessible(page, what) {
	await page.evaluate(() => { for (const one of document.querySelectorAll("details")) one.open = true; });
	await page.evaluate(require("fs").readFileSync(path.join(process.env.REPORT_MODULES, "axe-core", "axe.min.js"), "utf8"));
	const found = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }));
	assert.ok(found.passes.length > 10, "axe looked at it");
	assert.deepStrictEqual(found.violations.map((one) => `${what}: ${one.id}: ${one.help}: ${one.nodes.slice(0, 3).map((node) => node.html + " " + node.failureSummary).join("; ")}`), []);
	await page.evaluate(() => { for (const one of document.querySelectorAll("details")) one.open = false; });
}

const shot = (page, name, more) => page.screenshot({ path: path.join(process.env.REPORT_SHOTS, name + ".png"), fullPage: true, ...more });

run(async ([file, name]) => {
	await withPage(file, {}, async (page, said) => {
		await shot(page, name + "-light");
		await sorts(page);
		await searches(page);
		await counts(page);
		await zooms(page);
		await accessible(page, "light");
		const links = await page.locator("nav a").evaluateAll((all) => all.map((link) => document.querySelector(link.hash) !== null));
		assert.ok(links.length > 8 && links.every(Boolean), "each link leads to a panel");
		assert.deepStrictEqual(said, []);
	});
	await withPage(file, { colorScheme: "dark" }, async (page) => {
		await shot(page, name + "-dark");
		await accessible(page, "dark");
		await page.getByRole("button", { name: "Light" }).click();
		assert.ok(await page.evaluate(() => !document.documentElement.classList.contains("dark")), "the other theme");
	});
	await withPage(file, { viewport: { width: 420, height: 900 } }, async (page) => {
		await shot(page, name + "-narrow");
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing sticks out of a narrow window");
		await accessible(page, "narrow");
	});
	await withPage(file, {}, async (page) => {
		await page.pdf({ path: path.join(process.env.REPORT_SHOTS, name + ".pdf") });
		await page.emulateMedia({ media: "print" });
		assert.ok(!await page.locator("nav").isVisible(), "no list of panels on paper");
		await shot(page, name + "-print");
	});
});

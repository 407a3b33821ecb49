// SPDX-License-Identifier: MIT
// A page in headless Chromium, and how to read it. Whatever it says on its console, throws, or asks of a network fails the test.
"use strict";
const assert = require("assert");
const path = require("path");
const { chromium } = require(path.join(process.env.REPORT_MODULES, "playwright-core"));

const PATIENCE = 240000;

// Pages know nothing of each other, though one browser has them all (server.js).
async function withPage(file, options, act) {
	const browser = await chromium.connect(process.env.REPORT_BROWSER, { timeout: PATIENCE });
	try {
		const page = await browser.newPage({ viewport: { width: 1400, height: 1000 }, colorScheme: "light", ...options });
		const said = [], asked = [];
		page.setDefaultTimeout(PATIENCE);
		page.on("console", (message) => said.push(message.text()));
		page.on("pageerror", (error) => said.push(error.stack));
		page.on("dialog", (dialog) => { said.push("dialog: " + dialog.message()); dialog.dismiss(); });
		page.on("request", (request) => asked.push(request.url()));
		// what the policy stopped was never asked
		page.on("requestfailed", (request) => request.failure().errorText === "csp" && asked.splice(asked.indexOf(request.url()), 1));
		const address = "file://" + encodeURI(path.resolve(file));
		await page.goto(address);
		await act(page, said);
		assert.deepStrictEqual(said, [], "said on the console");
		assert.deepStrictEqual(asked, [address], "asked of the network");
	} finally {
		await browser.close();
	}
}

function run(main) {
	main(process.argv.slice(2)).catch((error) => {
		console.error(error.stack || String(error));
		process.exit(1);
	});
}

// All rows of a table by its caption: {column: number or text}.
async function tableOf(page, caption) {
	return page.evaluate((name) => {
		const table = [...document.querySelectorAll("table")].find((one) => one.caption && one.caption.textContent === name);
		if (!table)
			return null;
		const more = table.closest(".table").querySelector("button.more");
		if (!more.hidden && more.textContent.startsWith("Show all"))
			more.click();
		const keys = [...table.tHead.rows[0].cells].map((cell) => cell.dataset.key);
		return [...table.tBodies[0].rows].map((row) => Object.fromEntries([...row.cells].map((cell, i) => [keys[i], "value" in cell.dataset ? Number(cell.dataset.value) : cell.textContent])));
	}, caption);
}

async function chooseFiles(page, what) {
	await page.getByLabel("Class of files").selectOption({ label: what });
}

// A file's row by the end of its path.
async function fileOf(page, name) {
	const rows = (await tableOf(page, "Files")).filter((row) => row.path.endsWith("/" + name));
	assert.strictEqual(rows.length, 1, "rows of " + name);
	return rows[0];
}

function same(what, want, row) {
	assert.deepStrictEqual(Object.fromEntries(Object.keys(want).map((key) => [key, row[key]])), want, what);
}

module.exports = { assert, withPage, run, tableOf, chooseFiles, fileOf, same };

// SPDX-License-Identifier: MIT
// Names are text, and the policy holds: safety.js FILE [TEXT that must be seen].
"use strict";
const { assert, withPage, run } = require("./browser.js");

run(async ([file, text]) => withPage(file, {}, async (page, said) => {
	const body = await page.locator("body").innerText();
	if (text)
		assert.ok(body.includes(text), `'${text}' is shown as text`);
	const elements = await page.evaluate(() => [document.scripts.length, document.images.length, document.querySelectorAll("iframe, object, embed, link, base, form").length]);
	assert.deepStrictEqual(elements, [3, 0, 0], "scripts, images, others");
	assert.ok(await page.locator("section").count() >= 2, "there are panels");
	// what came in would not run, nor get out
	await page.evaluate(() => new Promise((done) => {
		window.broken = [];
		document.addEventListener("securitypolicyviolation", (event) => window.broken.push(event.effectiveDirective));
		const script = document.createElement("script"), image = document.createElement("img"), style = document.createElement("style");
		script.textContent = "window.ran = true";
		image.src = "http://127.0.0.1:9/x.png";
		style.textContent = "body { display: none }";
		document.body.append(script, image, style);
		document.body.setAttribute("onclick", "window.ran = true");
		document.body.click();
		fetch("http://127.0.0.1:9/").catch(() => {});
		const look = () => window.broken.includes("connect-src") && window.broken.includes("img-src") ? done() : setTimeout(look, 20);
		look();
	}));
	const seen = await page.evaluate(() => [window.ran || false, getComputedStyle(document.body).display, [...new Set(window.broken)].sort()]);
	assert.deepStrictEqual(seen, [false, "block", ["connect-src", "img-src", "script-src-attr", "script-src-elem", "style-src-elem"]]);
	// the browser tells of each on the console
	assert.ok(said.length >= 4 && said.every((line) => /Content Security Policy/.test(line)), said.join("\n"));
	said.length = 0;
}));

// SPDX-License-Identifier: MIT
// Counts the calls that speedscope's importer finds: node speedscope.js FOLDER-OF-SPEEDSCOPE FILE.
// The importer is inside the app; it is run without a browser, behind a window that has next to nothing.
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");

function appSource(release) {
	const name = fs.readdirSync(release).find((file) => /^speedscope-.*\.js$/.test(file));
	const source = fs.readFileSync(path.join(release, name), "utf8");
	const importer = /importProfileGroupFromText:\(\)=>(\w+)/.exec(source);
	// the importer is set up by a promise at the end of the script, so a call goes through it
	const call = /async function (\w+)\(\w,\w\)\{return\(await \w+\)\.importProfileGroupFromText\(/.exec(source);
	if (!importer || !call)
		throw new Error("speedscope's importer is not where it was");
	return source.replace('"use strict";(()=>{', `"use strict";(()=>{globalThis.importText=(n,t)=>${call[1]}(n,t);`);
}

// Answers every property and call with itself: enough for an app that is never shown.
function nothing() {
	const target = function () {};
	const proxy = new Proxy(target, {
		get: (_, key) => (key === Symbol.toPrimitive ? () => "" : key === "length" ? 0 : proxy),
		apply: () => proxy,
		construct: () => proxy,
		set: () => true,
	});
	return proxy;
}

function countCalls(node) {
	let count = 0;
	const open = [node];
	while (open.length) {
		const children = open.pop().children;
		count += children.length;
		open.push(...children);
	}
	return count;
}

async function main() {
	const [release, file] = process.argv.slice(2);
	const warnings = [];
	const quiet = { log() {}, warn: (...words) => warnings.push(words.join(" ")), error: (...words) => warnings.push(words.join(" ")) };
	const context = vm.createContext({ console: quiet, window: nothing(), document: nothing(), navigator: nothing(),
		location: { hash: "", protocol: "file:" }, localStorage: nothing(), matchMedia: nothing(), performance,
		requestAnimationFrame() {}, cancelAnimationFrame() {}, setTimeout, clearTimeout, TextDecoder, TextEncoder,
		URL, URLSearchParams, HTMLElement: class {}, HTMLCanvasElement: class {}, FontFace: nothing(), Image: nothing() });
	context.globalThis = context.self = context;
	try {
		vm.runInContext(appSource(release), context);
	} catch (error) {
		// showing the app fails; the importer is there by then
		if (!context.importText)
			throw error;
	}
	const group = await context.importText(path.basename(file), fs.readFileSync(file, "utf8"));
	if (!group)
		throw new Error("speedscope does not know what this is");
	const calls = group.profiles.reduce((sum, profile) => sum + countCalls(profile.getAppendOrderCalltreeRoot()), 0);
	console.log(calls, warnings.length);
	for (const warning of warnings.slice(0, 5))
		console.error(warning);
}

main().catch((error) => {
	console.error(error.stack || String(error));
	process.exit(1);
});

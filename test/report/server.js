// SPDX-License-Identifier: MIT
// One headless Chromium for all pages of a test, as each of them takes seconds to start: server.js FILE. FILE gets the address where it is reached; it ends by SIGTERM.
"use strict";
const fs = require("fs");
const path = require("path");
const { chromium } = require(path.join(process.env.REPORT_MODULES, "playwright-core"));

async function serve(file) {
	const server = await chromium.launchServer({ executablePath: process.env.CHROMIUM, timeout: 240000, host: "127.0.0.1",
		args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"] });
	fs.writeFileSync(file + ".part", server.wsEndpoint());
	fs.renameSync(file + ".part", file);
}

serve(process.argv[2]).catch((error) => {
	console.error(error.stack || String(error));
	process.exit(1);
});

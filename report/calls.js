// SPDX-License-Identifier: MIT
// calls.js - functions, sizes, metadata, errors.

const FUNCTION_COLUMNS = [
	{ key: "function", label: "Function", code: true }, { key: "layer", label: "Layer", show: (row) => [swatch(layerColor(row.layer)), row.layer] },
	{ key: "operation", label: "Does" }, { key: "calls", label: "Calls", type: "count" }, { key: "self", label: "Self", type: "time", meter: true, title: "Without the recorded calls inside" },
	{ key: "time", label: "Time", type: "time", title: "From begin to end of the calls" }, { key: "p50", label: "p50", type: "time", title: "Half of the calls took no longer, within 1/32" },
	{ key: "p95", label: "p95", type: "time", title: "95 % of the calls took no longer" }, { key: "p99", label: "p99", type: "time", title: "99 % of the calls took no longer" },
	{ key: "most", label: "Longest", type: "time" }, { key: "bytes_read", label: "Read", type: "bytes", title: "Of MPI: received" },
	{ key: "bytes_written", label: "Written", type: "bytes", title: "Of MPI: sent" }, { key: "errors", label: "Failed", type: "count" }];

function functionsPanel() {
	if (!functions.length)
		return panel("functions", "Functions", "Which call takes the time?", sentence("There are no calls."));
	const first = functions[0];
	panel("functions", "Functions", "Which call takes the time?", sentence("Most self time over all ranks: ", element("b", { class: "code" }, first.function), " with " + timeText(first.self) + " in " + counted(first.calls, "call") + "."),
		table({ caption: "Functions", rows: functions, sort: { key: "self", descending: true }, columns: FUNCTION_COLUMNS, foot: restOf("functions", "more functions"),
			choice: { label: "Layer", options: [["all layers", () => true], ...layers.map((layer) => [layer.layer, (row) => row.layer === layer.layer])] } }));
}

// ---- sizes ----

function sizesOf(layer) {
	return data.sizes.map((size, i) => ({ size, reads: number(layer.read_sizes[i]), writes: number(layer.write_sizes[i]), order: i }));
}

// Two columns a class, over a linear axis.
function sizeChart(rows, names) {
	const holder = element("div", { class: "chart" });
	const draw = () => {
		const width = Math.max(280, holder.clientWidth || 400), height = 170, left = 52, bottom = 30, step = (width - left) / rows.length;
		const tallest = Math.max(...rows.map((row) => Math.max(row.reads, row.writes)), 1);
		const scale = (count) => count / tallest * (height - bottom - 10);
		const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": "Histogram of sizes: " + names.join(" and ") });
		for (const share of [0, .5, 1]) {
			const y = height - bottom - share * (height - bottom - 10);
			svg.append(drawn("line", { class: "axis", x1: left, x2: width, y1: y, y2: y }), drawn("text", { x: left - 6, y: y + 4, "text-anchor": "end" }, shortCount(share * tallest)));
		}
		rows.forEach((row, i) => {
			const x = left + i * step, thick = step * .36;
			[[row.reads, "--c0", .1], [row.writes, "--c1", .52]].forEach(([count, color, at]) => {
				const tall = count ? Math.max(2, scale(count)) : 0;
				svg.append(styled(drawn("rect", { x: x + step * at, y: height - bottom - tall, width: thick, height: tall, rx: 1.5 }), { fill: `var(${color})` }));
			});
			svg.append(drawn("text", { x: x + step / 2, y: height - bottom + (step < 58 && i % 2 ? 25 : 13), "text-anchor": "middle" }, row.size));
		});
		svg.addEventListener("pointermove", (event) => {
			const box = svg.getBoundingClientRect();
			const row = rows[Math.floor(((event.clientX - box.left) * width / box.width - left) / step)];
			if (!row)
				return hideTip();
			showTip(event.clientX, event.clientY, `${row.size} bytes\n${names[0]} ${countText(row.reads)}\n${names[1]} ${countText(row.writes)}`);
		});
		svg.addEventListener("pointerleave", hideTip);
		holder.replaceChildren(svg);
	};
	onRedraw(draw);
	return holder;
}

// ---- each size by itself ----

const COMMON_BARS = 24;

function sizeText(row) {
	return countText(row.size) + (row.last === row.size ? "" : "\u2013" + countText(row.last));
}

// Reads and writes of the same size in one row, the most frequent sizes first.
function commonOf(layer) {
	const rows = new Map();
	for (const row of rowsOf("common_sizes").filter((row) => row.layer === layer.layer)) {
		const key = row.size + ":" + row.last, both = rows.get(key) || { size: row.size, last: row.last, reads: 0, writes: 0 };
		both[row.direction === "read" ? "reads" : "writes"] = row.calls;
		rows.set(key, both);
	}
	return [...rows.values()].sort((a, b) => b.reads + b.writes - a.reads - a.writes || a.size - b.size);
}

// A bar for each size, as long as it has calls: of sizes there are many, and their names are long, so they lie.
function commonChart(rows, names, layer) {
	const holder = element("div", { class: "chart common" });
	const shown = rows.slice(0, COMMON_BARS).sort((a, b) => a.size - b.size), tallest = Math.max(...shown.map((row) => row.reads + row.writes));
	const draw = () => {
		const width = Math.max(280, holder.clientWidth || 400), line = 17, left = Math.min(width / 2.5, 20 + 6.6 * Math.max(...shown.map((row) => sizeText(row).length))), right = 48;
		const svg = drawn("svg", { viewBox: `0 0 ${width} ${shown.length * line + 4}`, height: shown.length * line + 4, role: "img", "aria-label": `Calls of ${layer.layer} by size, for each of ${shown.length} sizes: ${names.join(" and ")}` });
		shown.forEach((row, i) => {
			const y = i * line + 2;
			let x = left;
			svg.append(drawn("text", { x: left - 6, y: y + 11, "text-anchor": "end" }, sizeText(row)));
			[[row.reads, "--c0"], [row.writes, "--c1"]].forEach(([count, color]) => {
				const long = count ? Math.max(2, count / tallest * (width - left - right)) : 0;
				if (long)
					svg.append(styled(drawn("rect", { class: "bar", x, y, width: long, height: line - 4, rx: 1.5 }), { fill: `var(${color})` }));
				x += long;
			});
			svg.append(drawn("text", { x: x + 5, y: y + 11 }, shortCount(row.reads + row.writes)));
		});
		svg.addEventListener("pointermove", (event) => {
			const box = svg.getBoundingClientRect(), row = shown[Math.floor((event.clientY - box.top) / box.height * shown.length)];
			if (!row)
				return hideTip();
			showTip(event.clientX, event.clientY, `${sizeText(row)} bytes\n${names[0]} ${countText(row.reads)}\n${names[1]} ${countText(row.writes)}`);
		});
		svg.addEventListener("pointerleave", hideTip);
		holder.replaceChildren(svg);
	};
	onRedraw(draw);
	return holder;
}

function commonSizes(layer, names) {
	const rows = commonOf(layer), all = rowsOf("different_sizes").find((row) => row.layer === layer.layer);
	if (!rows.length)
		return null;
	return [element("h4", {}, "Each size by itself"), sentence(counted(all.read, "size") + " of " + names[0] + ", " + counted(all.written, "size") + " of " + names[1] + (all.exact ? "" : "; there were more, so sizes that are nearly the same are one") +
		(rows.length > COMMON_BARS ? `; the ${COMMON_BARS} most frequent:` : ":")), commonChart(rows, names, layer),
	tableBehind({ caption: "Most frequent sizes of " + layer.layer, rows, search: false, columns: [{ key: "size", label: "Bytes", value: (row) => row.size, show: sizeText, type: "count" },
		{ key: "reads", label: names[0], type: "count" }, { key: "writes", label: names[1], type: "count" }] })];
}

// Three digits and a unit: 950, 1.5K, 500K, 1M.
function shortCount(count) {
	const units = ["", "K", "M", "G", "T"];
	let unit = 0;
	for (; count >= 999.5 && unit + 1 < units.length; unit++)
		count /= 1000;
	return String(Number(count.toFixed(count >= 99.95 ? 0 : count >= 9.995 ? 1 : 2))) + units[unit];
}

// Of all accesses those that move less than 10 KB.
function smallShare(rows) {
	const all = sum(rows, (row) => row.reads + row.writes);
	return shareText(sum(rows.slice(0, 3), (row) => row.reads + row.writes), all);
}

function sizesPanel() {
	const moving = layers.filter((layer) => sum(sizesOf(layer), (row) => row.reads + row.writes) > 0);
	if (!moving.length)
		return;
	panel("sizes", "Access sizes and pattern", "Are reads and writes small, or out of order?", element("div", { class: "columns" }, moving.map((layer) => {
		const rows = sizesOf(layer), names = layer.use === "mpi" ? ["receives", "sends"] : ["reads", "writes"];
		return element("div", {}, element("h3", {}, swatch(layerColor(layer.layer)), layer.layer), sentence(counted(sum(rows, "reads"), names[0].slice(0, -1), names[0]) + ", " + counted(sum(rows, "writes"), names[1].slice(0, -1), names[1]) + "; " + smallShare(rows) + " of them below 10\u00a0KB."),
			sizeChart(rows, names), element("ul", { class: "legend" }, element("li", {}, swatch("var(--c0)"), names[0]), element("li", {}, swatch("var(--c1)"), names[1])),
			tableBehind({ caption: "Access sizes of " + layer.layer, rows, search: false, columns: [{ key: "size", label: "Bytes", value: (row) => row.order, show: (row) => row.size, type: "count" },
				{ key: "reads", label: names[0], type: "count" }, { key: "writes", label: names[1], type: "count" }] }), commonSizes(layer, names));
	})), patternTable());
}

// How transfers of files of data follow each other.
function patternTable() {
	const rows = rowsOf("patterns").map((row) => ({ ...row, all: row.consecutive + row.strided + row.forward + row.backward + row.first + row.unknown })).filter((row) => row.all);
	if (!rows.length)
		return null;
	return [element("h3", {}, "Where they begin, in files of data"), table({ caption: "Access pattern", rows, search: false, columns: [{ key: "direction", label: "Transfers" }, { key: "all", label: "All", type: "count" },
		{ key: "consecutive", label: "Consecutive", type: "count", title: "Where the one before of the same process and file ended" }, { key: "strided", label: "Strided", type: "count", title: "As far on as the one before was from the one before that" },
		{ key: "forward", label: "Forward", type: "count", title: "Further on" }, { key: "backward", label: "Backward", type: "count" }, { key: "first", label: "First", type: "count", title: "There was none before, or from the begin of a file that was opened once more" },
		{ key: "unknown", label: "Unknown", type: "count", title: "The offset is not known" }, { key: "unaligned", label: "Unaligned", type: "count", title: "Not at a multiple of the file's block size" }] })];
}

// ---- metadata and errors ----

const METADATA = ["open", "close", "seek", "sync", "metadata", "map"];

function metadataPanel() {
	const operations = rowsOf("operations").filter((row) => METADATA.includes(row.operation) || row.operation === "read" || row.operation === "write");
	if (!operations.length && !errors.length)
		return;
	const moves = sum(operations.filter((row) => !METADATA.includes(row.operation)), "calls"), others = sum(operations, "calls") - moves;
	panel("metadata", "Metadata and errors", "Too many opens and stats? Which calls fail?", sentence(counted(others, "call") + " that move no bytes, and " + counted(moves, "read and write", "reads and writes") + ": " +
		(moves ? (others / moves).toFixed(2) + " for each." : "none of which moved any.")),
	table({ caption: "Calls on files by what they do", rows: operations, search: false, sort: { key: "self", descending: true }, columns: [{ key: "operation", label: "Operation" },
		{ key: "calls", label: "Calls", type: "count" }, { key: "self", label: "Self", type: "time", meter: true }, { key: "errors", label: "Failed", type: "count" }] }),
	element("h3", { id: "errors" }, "Failed calls"), errors.length ? table({ caption: "Failed calls", rows: errors, sort: { key: "calls", descending: true }, foot: restOf("errors", "more kinds"), columns: [
		{ key: "function", label: "Function", code: true }, { key: "layer", label: "Layer" }, { key: "error", label: "Error", code: true }, { key: "calls", label: "Calls", type: "count", meter: true },
		{ key: "time", label: "Time", type: "time" }] }) : sentence("No call failed."));
}

// SPDX-License-Identifier: MIT
// series.js - bandwidth, calls and metadata operations over time, by uPlot.

const RATES = [
	{ title: "Bandwidth", lines: [["bytes_read", "read"], ["bytes_written", "written"]], show: (value) => bytesText(Math.round(value)).replace(NONE, "0\u00a0B") + "/s" },
	{ title: "Calls", lines: [["calls", "calls"], ["metadata", "metadata operations"]], show: (value) => shortCount(Math.round(value)) + "/s" }];

// Sums of series, as rates a second.
function ratesOf(parts, key) {
	const values = new Array(series.bins).fill(0);
	for (const part of parts)
		part[key].forEach((value, i) => { values[i] += number(value); });
	return values.map((value) => value * 1e9 / binWidth);
}

const filesystems = rowsOf("filesystems");

function filesystemName(row) {
	return row.directory ? row.directory + " (" + row.type + ")" : "a file system that is not known";
}

/*
 * [name, series that are added up]. Posix and stdio, and the kernel of programs that only it saw, are where bytes leave the program, so what is above them is not counted twice; of file systems the lowest layer counts
 * that moved any.
 */
function seriesChoices() {
	const named = layers.map((layer) => layer.layer).filter((name) => series.layers[name]);
	const lowest = named.filter((name) => ["posix", "stdio", "kernel"].includes(name)), of = (names) => names.map((name) => series.layers[name]);
	return [...(lowest.length ? [[lowest.join(" and "), of(lowest)]] : []), ...named.filter((name) => lowest.length !== 1 || name !== lowest[0]).map((name) => [name, of([name])]),
		...(data.filesystems.series || []).map((one, i) => ["files on " + filesystemName(filesystems[i]), [one]])];
}

function chartOptions(rate, width) {
	const axis = { stroke: colorOf("--muted"), grid: { stroke: colorOf("--line"), width: 1 }, ticks: { stroke: colorOf("--line"), width: 1 }, font: "11px system-ui, sans-serif" };
	const colors = [colorOf("--c0"), colorOf("--c3")];
	return {
		width, height: 190, title: "", scales: { x: { time: false, min: view.from, max: view.to }, y: { range: (self, low, high) => [0, high > 0 ? high * 1.05 : 1] } },
		cursor: { sync: { key: "recorder" }, drag: { x: true, y: false, setScale: false }, bind: { dblclick: () => viewAll } },
		axes: [{ ...axis, size: 30, values: (self, splits) => axisTimes(splits, splits.length > 1 ? splits[1] - splits[0] : binWidth), space: 90 }, { ...axis, size: 74, values: (self, splits) => splits.map(rate.show) }],
		series: [{ label: "from", value: (self, value) => value === null || value === undefined ? "--" : axisTimes([value], binWidth / 10)[0] }, ...rate.lines.map(([, name], i) => ({ label: name, stroke: colors[i], width: 1.5, dash: i ? [5, 3] : undefined,
			fill: colors[i] + (i ? "00" : "26"), paths: uPlot.paths.stepped({ align: 1 }), points: { show: false }, value: (self, value) => value === null || value === undefined ? "--" : rate.show(value) }))],
		hooks: { setSelect: [(self) => {
			if (self.select.width < 4)
				return;
			const from = self.posToVal(self.select.left, "x"), to = self.posToVal(self.select.left + self.select.width, "x");
			self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
			setView(from, to);
		}] } };
}

function rateChart(rate, chosen) {
	const holder = element("div", { class: "chart rate", role: "img", "aria-label": rate.title + " over time; the table below has the numbers" });
	let chart = null;
	const draw = () => {
		const values = rate.lines.map(([key]) => ratesOf(chosen(), key));
		const times = values[0].map((_, i) => binTime(i));
		if (chart)
			chart.destroy();
		chart = new uPlot(chartOptions(rate, Math.max(280, holder.clientWidth || 900)), [[...times, binTime(series.bins)], ...values.map((list) => [...list, list[list.length - 1]])], holder);
	};
	onRedraw(draw);
	onView(() => chart && chart.setScale("x", { min: view.from, max: view.to }));
	return { draw, element: element("div", {}, element("h3", {}, rate.title), holder) };
}

function seriesRows(parts) {
	return new Array(series.bins).fill(0).map((_, bin) => ({ begin: binTime(bin), ...Object.fromEntries(["bytes_read", "bytes_written", "calls", "metadata"].map((key) => [key, parts.reduce((all, part) => all + number(part[key][bin]), 0)])) }));
}

function seriesTable(parts) {
	return tableBehind({ caption: "Over time", rows: seriesRows(parts), search: false, sort: { key: "begin", descending: false }, columns: [{ key: "begin", label: "From", type: "time" }, { key: "bytes_read", label: "Read", type: "bytes" },
		{ key: "bytes_written", label: "Written", type: "bytes" }, { key: "calls", label: "Calls", type: "count" }, { key: "metadata", label: "Metadata operations", type: "count" }] });
}

function peakSentence(parts) {
	const rates = ["bytes_read", "bytes_written"].map((key) => ratesOf(parts, key)), most = rates.map((values) => Math.max(...values, 0));
	if (!most[0] && !most[1])
		return "No bytes were moved.";
	const k = most[0] > most[1] ? 0 : 1, bin = rates[k].indexOf(most[k]);
	return "At most " + RATES[0].show(most[k]) + (k ? " written" : " read") + ", at " + axisTimes([binTime(bin)], binWidth)[0] + ", in bins of " + timeText(binWidth) + ".";
}

function filesystemTable() {
	return filesystems.length ? [element("h3", {}, "By file system"), table({ caption: "File systems", rows: filesystems, sort: { key: "bytes_written", descending: true }, columns: [
		{ key: "directory", label: "Mounted at", code: true, show: (row) => row.directory || "not known" }, { key: "type", label: "Type" }, { key: "source", label: "Source", code: true },
		{ key: "calls", label: "Transfers", type: "count", title: "Reads and writes" }, { key: "metadata", label: "Metadata", type: "count", title: "Opens, closes, seeks, syncs, stats ..." }, { key: "bytes_read", label: "Read", type: "bytes", meter: true }, { key: "bytes_written", label: "Written", type: "bytes", meter: true }] })] : null;
}

function seriesPanel() {
	const choices = series.bins ? seriesChoices() : [];
	if (!choices.length)
		return;
	let parts = choices[0][1];
	const charts = RATES.map((rate) => rateChart(rate, () => parts)), words = sentence(peakSentence(parts)), behind = element("div", {}, seriesTable(parts));
	const list = element("select", { "aria-label": "Layer or file system" }, choices.map(([name], i) => element("option", { value: i }, name)));
	list.addEventListener("change", () => {
		parts = choices[Number(list.value)][1];
		words.textContent = peakSentence(parts);
		behind.replaceChildren(seriesTable(parts));
		for (const chart of charts)
			chart.draw();
	});
	panel("series", "Transfer over time", "Did it reach what the storage can do?", words, timeControls(list), charts.map((chart) => chart.element), behind, filesystemTable());
}

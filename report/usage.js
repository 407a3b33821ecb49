// SPDX-License-Identifier: MIT
// usage.js - what samplers saw: CPUs, GPUs, disks, processes and the program's phases above each other, on one axis of time.

const usage = data.usage;
const usageWidth = number(usage.width), usageBegin = number(usage.begin);

/*
 * Bands of the picture, from the top: {title, height, kinds: [value, name, colour]}. Stacked ones add up to 100; lines have an axis of their own; bars are a row for each value, the darker the more. A band whose
 * values nobody has seen is left out.
 */
const USAGE_BANDS = [
	{ title: "CPU", form: "stack", height: 84, kinds: [["cpu_user", "user", "--c0"], ["cpu_system", "system", "--c3"], ["cpu_iowait", "waiting for disks", "--c1"], ["cpu_steal", "taken by others", "--line"]], idle: "cpu_idle" },
	{ title: "GPU", form: "lines", height: 72, top: 100, show: percentText, kinds: [["gpu_sm", "busy", "--c2"], ["gpu_memory_busy", "memory busy", "--c4"]] },
	{ title: "GPU memory", form: "lines", height: 44, show: bytesShort, kinds: [["gpu_used", "used", "--c7"]] },
	{ title: "Disks", form: "lines", height: 64, show: rateText, kinds: [["disk_read", "read", "--c0"], ["disk_written", "written", "--c3"]] },
	{ title: "Program", form: "bars", height: 64, show: rateText, kinds: [["program_reads", "read by calls", "--c0"], ["program_writes", "written by calls", "--c3"], ["program_read", "read from disks", "--c0"], ["program_written", "written to disks", "--c3"]] },
	{ title: "Workers", form: "bars", height: 64, show: rateText, kinds: [["worker_reads", "read by calls", "--c0"], ["worker_writes", "written by calls", "--c3"], ["worker_read", "read from disks", "--c0"], ["worker_written", "written to disks", "--c3"]] },
	{ title: "Memory", form: "lines", height: 44, show: bytesShort, kinds: [["memory_used", "used", "--c7"], ["program_rss", "program", "--c0"], ["worker_rss", "workers", "--c1"]] },
];
const BAND_GAP = 16;

function percentText(value) {
	return Math.round(value) + "\u00a0%";
}

function bytesShort(value) {
	return bytesText(Math.round(value)).replace(NONE, "0\u00a0B");
}

function rateText(value) {
	return bytesShort(value) + "/s";
}

// The bands that a node has values of.
function usageBands(node) {
	return USAGE_BANDS.map((band) => ({ ...band, kinds: band.kinds.filter(([kind]) => node.values[kind]) })).filter((band) => band.kinds.length).concat(phaseBands());
}

// Epochs and steps, or the regions that the program names.
function phaseBands() {
	const rows = [];
	for (const [title, of] of [["epoch", phases.filter((row) => !row.is_step)], ["step", phases.filter((row) => row.is_step)]])
		if (of.length)
			rows.push({ name: title, parts: of });
	const known = rows.map((row) => row.name), regions = usage.regions.filter((region) => !known.includes(region.name)).map((region) => ({ name: region.name, shares: region.shares }));
	return rows.length || regions.length ? [{ title: "Phases", form: "phases", height: 15 * (rows.length + regions.length), rows: [...rows, ...regions], kinds: [] }] : [];
}

function usageBin(time) {
	return Math.floor((time - usageBegin) / usageWidth);
}

// The largest value in view; of several bins in a pixel the largest is drawn.
function bandMost(band, node) {
	const first = Math.max(0, usageBin(view.from)), last = usageBin(view.to);
	let most = 0;
	for (const [kind] of band.kinds)
		for (let bin = first; bin <= last && bin < node.values[kind].length; bin++)
			most = Math.max(most, number(node.values[kind][bin]) || 0);
	return most;
}

function eachUsageBin(box, timeToX, act) {
	const last = Math.min(usageBin(view.to), Math.ceil(trace.duration / usageWidth));
	for (let bin = Math.max(0, usageBin(view.from)); bin <= last; bin++) {
		const from = timeToX(usageBegin + bin * usageWidth), to = timeToX(usageBegin + (bin + 1) * usageWidth);
		act(bin, Math.max(box.x, from), Math.min(box.x + box.width, to));
	}
}

function drawStack(context, band, node, box, y, timeToX) {
	eachUsageBin(box, timeToX, (bin, from, to) => {
		let at = y + band.height;
		for (const [kind, , color] of band.kinds) {
			const tall = (number(node.values[kind][bin]) || 0) / 100 * band.height;
			context.fillStyle = colorOf(color);
			context.fillRect(from, at - tall, to - from + .5, tall);
			at -= tall;
		}
	});
}

function drawLines(context, band, node, box, y, timeToX) {
	const most = band.top || bandMost(band, node) || 1;
	band.kinds.forEach(([kind, , color], i) => {
		let begun = false;
		context.beginPath();
		eachUsageBin(box, timeToX, (bin, from, to) => {
			const value = node.values[kind][bin];
			if (value === null || value === undefined) {
				begun = false;
				return;
			}
			const at = y + band.height - Math.min(1, number(value) / most) * (band.height - 2);
			if (begun)
				context.lineTo(from, at);
			else
				context.moveTo(from, at);
			context.lineTo(to, at);
			begun = true;
		});
		context.strokeStyle = colorOf(color);
		context.lineWidth = 1.5;
		context.setLineDash(i ? [5, 3] : []);
		context.stroke();
		context.setLineDash([]);
	});
}

function drawBars(context, band, node, box, y, timeToX) {
	const most = bandMost(band, node) || 1, tall = band.height / band.kinds.length;
	band.kinds.forEach(([kind, , color], i) => {
		context.fillStyle = colorOf(color);
		eachUsageBin(box, timeToX, (bin, from, to) => {
			const value = number(node.values[kind][bin]) || 0;
			if (value <= 0)
				return;
			context.globalAlpha = .15 + .85 * Math.sqrt(value / most);
			context.fillRect(from, y + i * tall, to - from + .5, tall - 2);
		});
		context.globalAlpha = 1;
	});
}

function drawPhases(context, band, node, box, y, timeToX) {
	const colors = ["--c0", "--c1", "--c2", "--c3", "--c4", "--c7"];
	band.rows.forEach((row, i) => {
		const top = y + i * 15;
		context.fillStyle = colorOf(colors[i % colors.length]);
		for (const [k, part] of (row.parts || []).entries()) {
			const from = Math.max(box.x, timeToX(part.begin)), to = Math.min(box.x + box.width, timeToX(part.end));
			context.globalAlpha = k % 2 ? .55 : .9;
			if (to > from)
				context.fillRect(from, top, Math.max(1, to - from - 1), 12);
		}
		if (row.shares)
			eachUsageBin(box, timeToX, (bin, from, to) => {
				context.globalAlpha = Math.min(1, number(row.shares[bin]) || 0);
				context.fillRect(from, top, to - from + .5, 12);
			});
		context.globalAlpha = 1;
	});
}

const USAGE_DRAWING = { stack: drawStack, lines: drawLines, bars: drawBars, phases: drawPhases };

function nameRows(context, band, box, y) {
	context.textAlign = "right";
	context.fillStyle = colorOf("--text");
	if (band.form === "stack" || band.form === "lines")
		context.fillText(band.title, box.x - 8, y + 11);
	context.fillStyle = colorOf("--muted");
	const rows = band.form === "phases" ? band.rows.map((row) => row.name) : band.form === "bars" ? band.kinds.map(([, name], i) => i ? name : band.title + " " + name) : [];
	const tall = rows.length ? band.height / rows.length : 0;
	rows.forEach((name, i) => context.fillText(name.length > 24 ? name.slice(0, 23) + "\u2026" : name, box.x - 8, y + i * tall + tall / 2 + 3));
}

function usageText(node, bands, time) {
	const bin = usageBin(time), lines = [axisTimes([time], usageWidth)[0]];
	for (const band of bands) {
		const words = band.kinds.filter(([kind]) => typeof node.values[kind][bin] === "number" || typeof node.values[kind][bin] === "string").map(([kind, name]) => name + " " + (band.show || percentText)(number(node.values[kind][bin])));
		const inside = (band.rows || []).filter((row) => row.parts ? row.parts.some((part) => time >= part.begin && time < part.end) : number(row.shares[bin]) > 0).map((row) => row.parts ? row.parts.find((part) => time >= part.begin && time < part.end).name : row.name);
		if (words.length || inside.length)
			lines.push(band.title + ": " + [...words, ...inside].join(", "));
	}
	return lines.join("\n");
}

function usageCanvas(chosen) {
	const tallOf = (bands) => bands.reduce((all, band) => all + band.height + BAND_GAP, 4);
	return new TimeCanvas({
		label: "CPUs, GPUs, disks, processes and phases of the program over time; recorder system summary has their numbers", left: 150, height: () => tallOf(usageBands(chosen())),
		draw(context, box, timeToX) {
			const node = chosen();
			let y = 4;
			for (const band of usageBands(node)) {
				context.strokeStyle = colorOf("--line");
				context.lineWidth = 1;
				context.strokeRect(box.x + .5, y + .5, box.width - 1, band.height);
				USAGE_DRAWING[band.form](context, band, node, box, y, timeToX);
				nameRows(context, band, box, y);
				if (band.form === "stack" || band.form === "lines") {
					context.textAlign = "right";
					context.fillStyle = colorOf("--muted");
					context.fillText(band.form === "stack" ? percentText(100) : band.show(band.top || bandMost(band, node)), box.x - 8, y + 25);
				}
				y += band.height + BAND_GAP;
			}
		},
		hover(time) {
			return usageText(chosen(), usageBands(chosen()), time);
		} });
}

// ---- parts of the run that one mostly wants to see ----

function withMargin(begin, end) {
	const more = (end - begin) * .05;
	return () => setView(begin - more, end + more);
}

function usagePresets() {
	const epochs = phases.filter((row) => !row.is_step), steps = phases.filter((row) => row.is_step), presets = [];
	if (trace.duration > 300e9)
		presets.push(["First minutes", () => setView(timeBegin, timeBegin + 300e9)]);
	if (epochs.length)
		presets.push(["First epoch", withMargin(epochs[0].begin, epochs[0].end)]);
	if (steps.length)
		presets.push(["One step", withMargin(steps[steps.length >> 1].begin, steps[steps.length >> 1].end)]);
	const checkpoint = usage.regions.find((region) => /checkpoint|ckpt|save/i.test(region.name));
	if (checkpoint)
		presets.push(["Checkpoint", withMargin(number(checkpoint.begin), number(checkpoint.end))]);
	return presets.map(([name, act]) => {
		const button = element("button", { type: "button", class: "preset" });
		button.textContent = name;
		button.addEventListener("click", act);
		return button;
	});
}

function usageLegend(bands) {
	return element("p", { class: "legend" }, bands.filter((band) => band.form !== "phases").map((band) => [element("b", {}, band.title + ": "), band.kinds.map(([, name, color]) => element("span", { class: "key" }, swatch("var(" + color + ")"), name + " ")), " "]));
}

function usageSentence(node) {
	const values = node.values.cpu_idle || [], known = values.filter((value) => value !== null).map(number);
	const words = known.length ? ["CPUs of ", node.host, " were busy for ", element("b", {}, percentText(100 - known.reduce((all, value) => all + value, 0) / known.length)), " of the time. "] : [];
	words.push((number(node.samples) ? counted(number(node.samples), "sample") + "; " : "No samples (recorder run --sample); ") + counted(number(node.programs), "process", "processes") + " of the program and " + number(node.workers) + " that it forked of itself, as data loaders do.");
	return sentence(...words);
}

// Where the bars of the program and its workers come from.
function usageSource(node) {
	const bars = USAGE_BANDS.filter((band) => band.form === "bars").some((band) => band.kinds.some(([kind]) => node.values[kind]));
	if (!bars)
		return null;
	return sentence("Bars by calls: ", node.calls_from_kernel ? "read and write system calls of files, as the kernel told them (recorder system). " : "what calls have moved, of pipes and sockets too, by samples of /proc/PID/io. ",
		"Bars of disks: ", node.blocks_from_kernel ? "requests to block devices by the process that they were made for, write-back too, as the kernel told them." : "what processes have caused to be read and written, by samples of /proc/PID/io.");
}

function usagePanel() {
	const nodes = usage.nodes;
	if (!nodes.length)
		return;
	const list = element("select", { "aria-label": "Which machine" }, nodes.map((node, i) => element("option", { value: i }, node.host))), chosen = () => nodes[Number(list.value)];
	const canvas = usageCanvas(chosen);
	list.addEventListener("change", () => canvas.paint());
	panel("usage", "Machine", "What did CPUs, GPUs, disks and processes do, and when?", usageSentence(nodes[0]), number(usage.nodes_all) > nodes.length ? sentence("The first " + nodes.length + " of " + number(usage.nodes_all) + " machines are shown.") : null,
		timeControls(...(nodes.length > 1 ? [list] : []), ...usagePresets()), canvas.element, usageLegend(usageBands(nodes[0])), usageSource(nodes[0]));
}

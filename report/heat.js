// SPDX-License-Identifier: MIT
// heat.js - rank by time: what each rank did when, as one line of colours a rank.

const DIGITS = new Map([..." !#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~"].map((digit, i) => [digit, i]));
const groups = rowsOf("groups");

// Nanoseconds of each bin, to one part in 8,099 of the largest; see tools/report_series.c.
function decodeHeat({ lines, most }) {
	return lines.map((line) => decodeCells(line, series.bins, number(most)));
}

function decodeCells(line, count, most) {
	const cells = new Float64Array(count);
	for (let i = 0; i + 1 < line.length; i += 2)
		cells[i / 2] = (DIGITS.get(line[i]) * 90 + DIGITS.get(line[i + 1])) / 8099 * most;
	return cells;
}

const USES = [["files", "on files"], ["mpi", "in MPI"], ["other", "in other calls"]];
const heat = Object.fromEntries(USES.map(([use]) => [use, decodeHeat(data.heat[use])]));

function groupName(group) {
	return group.ranks > 1 ? rankName(group) + "-" + rankName({ world: group.last_world, rank: group.last_rank }) : rankName(group);
}

// Of the time of all ranks of the group in the bin; several threads can make it more than 1.
function heatShare(use, line, bin) {
	return heat[use][line][bin] / (binWidth * groups[line].ranks);
}

// ---- colours ----

function rgbOf(variable) {
	const text = colorOf(variable);
	return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
}

function blended(from, to, share) {
	return from.map((value, i) => value + (to[i] - value) * share);
}

// Each pixel of a picture of bins and groups.
function heatPicture(mode) {
	const picture = element("canvas", { width: series.bins, height: groups.length }), context = picture.getContext("2d");
	const image = context.createImageData(series.bins, groups.length), ground = rgbOf("--ground"), colors = USES.map(([use]) => rgbOf(USE_COLORS[use])), program = rgbOf("--program");
	const most = mode === "activity" ? 1 : largestShare(mode), k = USES.findIndex(([use]) => use === mode), ramp = k >= 0 ? [ground, colors[k], blended(colors[k], rgbOf("--text"), .65)] : null;
	groups.forEach((group, line) => {
		for (let bin = 0; bin < series.bins; bin++) {
			const alive = (bin + 1) * binWidth > group.start && bin * binWidth < group.end;
			const color = ramp ? rampColor(ramp, heatShare(mode, line, bin) / most) : activityColor(line, bin, alive ? blended(ground, program, .55) : ground, colors);
			image.data.set([...color, 255], 4 * (line * series.bins + bin));
		}
	});
	context.putImageData(image, 0, 0);
	return picture;
}

function rampColor(ramp, share) {
	const at = Math.sqrt(Math.min(1, share));
	return at < .7 ? blended(ramp[0], ramp[1], at / .7) : blended(ramp[1], ramp[2], (at - .7) / .3);
}

// Colours in the shares of the time.
function activityColor(line, bin, ground, colors) {
	const shares = USES.map(([use]) => heatShare(use, line, bin)), all = shares.reduce((a, b) => a + b, 0);
	if (!all)
		return ground;
	const mixed = [0, 1, 2].map((i) => colors.reduce((value, color, k) => value + color[i] * shares[k] / all, 0));
	return blended(ground, mixed, Math.min(1, .12 + .88 * all));
}

function largestShare(use) {
	let most = 0;
	groups.forEach((group, line) => {
		for (let bin = 0; bin < series.bins; bin++)
			most = Math.max(most, heatShare(use, line, bin));
	});
	return most || 1;
}

// ---- panel ----

function heatCanvas(modeOf) {
	const cell = Math.max(2, Math.min(26, Math.floor(460 / groups.length)));
	let picture = null, made = "";
	onRedraw(() => { made = ""; });
	return new TimeCanvas({
		label: "What each rank did when; the table below has the sums", left: 62, height: () => Math.max(30, cell * groups.length),
		draw(context, box, timeToX) {
			if (made !== modeOf()) {
				picture = heatPicture(modeOf());
				made = modeOf();
			}
			context.imageSmoothingEnabled = false;
			const first = view.from / binWidth, count = (view.to - view.from) / binWidth;
			context.drawImage(picture, first, 0, count, groups.length, box.x, 0, box.width, box.height);
			context.fillStyle = colorOf("--muted");
			context.textAlign = "right";
			const tall = box.height / groups.length, every = Math.max(1, stepFor(14 / tall, 1));
			groups.forEach((group, line) => {
				if (line % every === 0)
					context.fillText(groupName(group).slice(0, 9), box.x - 7, Math.max(9, (line + .5) * tall + 4));
			});
		},
		hover(time, y) {
			const line = Math.floor(y / (this.box.height / groups.length)), bin = binAt(time);
			if (line < 0 || line >= groups.length)
				return "";
			const group = groups[line];
			return [(group.name ? "" : group.ranks > 1 ? "ranks " : "rank ") + groupName(group) + ", " + binText(bin), ...USES.map(([use, name]) => name + " " + shareText(heatShare(use, line, bin), 1))].join("\n");
		} });
}

function heatTable() {
	const rows = groups.map((group, line) => ({ ...group, line, ...Object.fromEntries(USES.map(([use]) => [use, Math.round(heat[use][line].reduce((a, b) => a + b, 0))])) }));
	return tableBehind({ caption: "Ranks by time", rows, search: false, columns: [{ key: "group", label: "Ranks", type: "count", value: (row) => row.line, show: groupName },
		...USES.map(([use, name]) => ({ key: use, label: "Time " + name, type: "time", meter: true, title: "Of all threads and processes, to one part in 8,099 of the largest cell" }))] });
}

function heatPanel() {
	if (!groups.length || !series.bins)
		return;
	const modes = [["activity", "what they did"], ...USES.filter(([use]) => heat[use].some((line) => line.some((value) => value > 0))).map(([use, name]) => [use, "time " + name])];
	let mode = "activity";
	const chart = heatCanvas(() => mode), legend = element("ul", { class: "legend" });
	const list = element("select", { "aria-label": "What the colours show" }, modes.map(([value, name]) => element("option", { value }, name)));
	const explain = () => legend.replaceChildren(...(mode === "activity" ? [...USES.map(([use, name]) => [USE_COLORS[use], name]), [USE_COLORS.program, "in the program"]].map(([color, name]) => element("li", {}, swatch("var(" + color + ")"), name)) :
		[element("li", {}, swatch("var(--ground)"), "none"), element("li", {}, swatch("var(" + USE_COLORS[mode] + ")"), "half of the most"), element("li", {}, "darkest: " + shareText(largestShare(mode), 1) + " of a rank's time")]));
	list.addEventListener("change", () => {
		mode = list.value;
		explain();
		chart.paint();
	});
	explain();
	const grouped = groups.some((group) => group.ranks > 1);
	panel("heat", "Ranks over time", "Who waits when? Where are bursts, which ranks are hot?", sentence("A line for " + (grouped ? "each group of ranks" : "each rank") + ", " + countText(series.bins) + " bins of " + timeText(binWidth) + "."),
		timeControls(list), chart.element, legend, heatTable());
}

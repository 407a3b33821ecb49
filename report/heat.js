// SPDX-License-Identifier: MIT
// heat.js - rank by time: what each rank did when, as one line of colours a rank; and who did what in the time that is shown.

const DIGITS = new Map([..." !#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~"].map((digit, i) => [digit, i]));
const DIGIT_MOST = 88, DIGIT_ZEROS = 89;
const groups = rowsOf("groups");

// A line of cells: digits are roots of shares of the largest one; see tools/report_lines.c.
function decodeCells(line, count, most) {
	const cells = new Float64Array(count);
	for (let i = 0, cell = 0; i < line.length; i++) {
		const digit = DIGITS.get(line[i]);
		if (digit === DIGIT_ZEROS)
			cell += DIGITS.get(line[++i]);
		else
			cells[cell++] = (digit / DIGIT_MOST) ** 2 * most;
	}
	return cells;
}

// Of many ranks, pairs of bins are one.
const heatWidth = binWidth * data.heat.merged;
const heatBins = Math.ceil(series.bins / data.heat.merged);

const USES = [["files", "on files"], ["mpi", "in MPI"], ["other", "in other calls"]];
const TRANSFERS = [["reads", "in reads"], ["writes", "in writes"]];
const heat = Object.fromEntries([...USES, ...TRANSFERS].map(([use]) => [use, data.heat[use].lines.map((line) => decodeCells(line, heatBins, number(data.heat[use].most)))]));

function groupName(group) {
	return group.ranks > 1 ? rankName(group) + "-" + rankName({ world: group.last_world, rank: group.last_rank }) : rankName(group);
}

function groupTitle(group) {
	return (group.name ? "" : group.ranks > 1 ? "ranks " : "rank ") + groupName(group);
}

function heatTime(bin) {
	return timeBegin + bin * heatWidth;
}

// Of the time of all ranks of the group in the bin; several threads can make it more than 1.
function heatShare(use, line, bin) {
	return heat[use][line][bin] / (heatWidth * groups[line].ranks);
}

// ---- colours ----

function rgbOf(variable) {
	const text = colorOf(variable);
	return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
}

function blended(from, to, share) {
	return from.map((value, i) => value + (to[i] - value) * share);
}

function rampColor(ramp, share) {
	const at = Math.sqrt(Math.min(1, share));
	return at < .7 ? blended(ramp[0], ramp[1], at / .7) : blended(ramp[1], ramp[2], (at - .7) / .3);
}

function rampOf(variable) {
	const color = rgbOf(variable);
	return [rgbOf("--ground"), color, blended(color, rgbOf("--text"), .65)];
}

// Colours in the shares of the time.
function mixedColor(shares, colors, ground) {
	const all = shares.reduce((a, b) => a + b, 0);
	if (!all)
		return ground;
	const mixed = [0, 1, 2].map((i) => colors.reduce((value, color, k) => value + color[i] * shares[k] / all, 0));
	return blended(ground, mixed, Math.min(1, .12 + .88 * all));
}

// What the picture can show: several kinds of time as a mixture of their colours, or one as a ramp.
const MIXTURES = { activity: USES, transfer: TRANSFERS };

// Each pixel of a picture of bins and groups.
function heatPicture(mode) {
	const picture = element("canvas", { width: heatBins, height: groups.length }), context = picture.getContext("2d");
	const image = context.createImageData(heatBins, groups.length), ground = rgbOf("--ground"), program = blended(ground, rgbOf("--program"), .55);
	const mixture = MIXTURES[mode], colors = mixture && mixture.map(([use]) => rgbOf(USE_COLORS[use]));
	const most = mixture ? 1 : largestShare(mode), ramp = mixture ? null : rampOf(USE_COLORS[mode]);
	groups.forEach((group, line) => {
		for (let bin = 0; bin < heatBins; bin++) {
			const alive = heatTime(bin + 1) > group.start && heatTime(bin) < group.end;
			const color = ramp ? rampColor(ramp, heatShare(mode, line, bin) / most) : mixedColor(mixture.map(([use]) => heatShare(use, line, bin)), colors, alive ? program : ground);
			image.data.set([...color, 255], 4 * (line * heatBins + bin));
		}
	});
	context.putImageData(image, 0, 0);
	return picture;
}

function largestShare(use) {
	let most = 0;
	groups.forEach((group, line) => {
		for (let bin = 0; bin < heatBins; bin++)
			most = Math.max(most, heatShare(use, line, bin));
	});
	return most || 1;
}

// ---- who did what in the time that is shown ----

// Of a line, from begin to end of the view: cells at its ends in part.
function timeShown(use, line) {
	const from = (view.from - timeBegin) / heatWidth, to = (view.to - timeBegin) / heatWidth;
	let all = 0;
	for (let bin = Math.floor(from); bin < Math.min(heatBins, to); bin++)
		all += heat[use][line][bin] * (Math.min(to, bin + 1) - Math.max(from, bin));
	return Math.round(all);
}

function shownRows() {
	const whole = view.to - view.from >= wholeTime;
	return groups.map((group, line) => ({ ...group, line, ...Object.fromEntries([...USES, ...TRANSFERS].map(([use]) => [use, whole ? group[use] : timeShown(use, line)])) }));
}

function shownTable() {
	return table({ caption: "Ranks by time", rows: shownRows(), search: false, columns: [{ key: "group", label: "Ranks", type: "count", value: (row) => row.line, show: groupName },
		...[...USES, ...TRANSFERS].map(([use, name]) => ({ key: use, label: "Time " + name, type: "time", meter: true, title: "Of all threads and processes" + (use === "files" ? ", also in reads and writes" : "") }))] });
}

function shownSentence() {
	const rows = shownRows(), span = axisTimes([view.from, view.to], (view.to - view.from) / 100).join(" to ");
	const parts = USES.map(([use, name]) => [name, rows.reduce((most, row) => row[use] > most[use] ? row : most, rows[0]), use]).filter(([, row, use]) => row[use] > 0);
	return ["From " + span + ": ", parts.length ? parts.map(([name, row, use], i) => [i ? "; " : "most time " , name + " ", element("b", {}, groupTitle(row)), " (" + timeText(row[use]) + ")"]) : "no calls", "."];
}

// An argument as a shell takes it.
function quoted(text) {
	return /^[\w@%+=:,./-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";
}

function finerCommand() {
	const ns = (value) => (Math.round(value) / 1e9).toFixed(9).replace(/0+$/, "").replace(/\.$/, "") + "s";
	return "recorder report --time " + ns(view.from) + ".." + ns(view.to) + " -o part.html " + quoted(trace.dir);
}

function shownParts() {
	const words = sentence(), holder = element("div"), command = element("code", { class: "code" });
	const fill = () => {
		words.replaceChildren(...[shownSentence()].flat(Infinity));
		holder.replaceChildren(shownTable());
		command.textContent = finerCommand();
	};
	let due = 0;
	onView(() => {
		cancelAnimationFrame(due);
		due = requestAnimationFrame(fill);
	});
	fill();
	return [element("h3", {}, "In the time that is shown"), words, holder, element("p", { class: "finer" }, "All panels of this time alone, in finer bins: ", command)];
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
			const first = (view.from - timeBegin) / heatWidth, count = (view.to - view.from) / heatWidth;
			context.drawImage(picture, first, 0, count, groups.length, box.x, 0, box.width, box.height);
			context.fillStyle = colorOf("--muted");
			context.textAlign = "right";
			const tall = box.height / groups.length, every = Math.max(1, stepFor(14 / tall, 1));
			groups.forEach((group, line) => {
				if (line % every === 0)
					context.fillText(rankName(group).slice(0, 9), box.x - 7, Math.max(9, (line + .5) * tall + 4));
			});
		},
		hover(time, y) {
			const line = Math.floor(y / (this.box.height / groups.length)), bin = Math.min(heatBins - 1, Math.floor((time - timeBegin) / heatWidth));
			if (line < 0 || line >= groups.length)
				return "";
			return [groupTitle(groups[line]) + ", " + axisTimes([heatTime(bin), heatTime(bin + 1)], heatWidth / 10).join(" to "),
				...[...USES, ...TRANSFERS].filter(([use], i) => i < USES.length || heat[use][line][bin] > 0).map(([use, name]) => name + " " + shareText(heatShare(use, line, bin), 1))].join("\n");
		} });
}

function heatLegend(mode) {
	if (MIXTURES[mode])
		return [...MIXTURES[mode].map(([use, name]) => [USE_COLORS[use], name]), [USE_COLORS.program, mode === "activity" ? "in the program" : "in anything else"]].map(([color, name]) => element("li", {}, swatch("var(" + color + ")"), name));
	return [element("li", {}, swatch("var(--ground)"), "none"), element("li", {}, swatch("var(" + USE_COLORS[mode] + ")"), "half of the most"), element("li", {}, "darkest: " + shareText(largestShare(mode), 1) + " of a rank's time")];
}

function heatPanel() {
	if (!groups.length || !series.bins)
		return;
	const some = (use) => heat[use].some((line) => line.some((value) => value > 0));
	const modes = [["activity", "what they did"], ...(TRANSFERS.some(([use]) => some(use)) ? [["transfer", "reads and writes"]] : []), ...[...USES, ...TRANSFERS].filter(([use]) => some(use)).map(([use, name]) => [use, "time " + name])];
	let mode = "activity";
	const chart = heatCanvas(() => mode), legend = element("ul", { class: "legend" });
	const list = element("select", { "aria-label": "What the colours show" }, modes.map(([value, name]) => element("option", { value }, name)));
	const explain = () => legend.replaceChildren(...heatLegend(mode));
	list.addEventListener("change", () => {
		mode = list.value;
		explain();
		chart.paint();
	});
	explain();
	const grouped = groups.some((group) => group.ranks > 1);
	panel("heat", "Ranks over time", "Who waits when? Where are bursts, which ranks are hot?", sentence("A line for " + (grouped ? "each group of ranks" : "each rank") + ", " + countText(heatBins) + " bins of " + timeText(heatWidth) + ". Drag over a chart to select a time: all charts show it, and the table below says who did what in it."),
		timeControls(list), chart.element, legend, shownParts());
}

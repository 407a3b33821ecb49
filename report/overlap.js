// SPDX-License-Identifier: MIT
// overlap.js - I/O against the rest: what processes do beside their calls on files; and bursts of reads and writes.

const STATES = [["files_alone", "on files alone", "--c3", "Files alone"], ["files_with_program", "on files while the program computes", "--c0", "Files, computing"],
	["files_with_mpi", "on files while others of its threads are in MPI", "--c5", "Files, MPI"], ["program", "computing", "--program", "Computing"], ["mpi", "in MPI", "--c1", "MPI"], ["waiting", "waiting in other calls", "--c4", "Waiting"]];
const STATE_TITLES = { files_alone: "No other thread of the process computes or is in MPI: unoverlapped I/O", files_with_program: "Another thread is in no recorded call", files_with_mpi: "Another thread is in MPI, and none computes",
	program: "Some thread is in no recorded call, none is on files", mpi: "Some thread is in MPI, none computes or is on files", waiting: "All threads are in other calls" };

const OVERLAP_QUESTION = "Does I/O cost time, or is something else done meanwhile?";

function filesTime(row) {
	return row.files_alone + row.files_with_program + row.files_with_mpi;
}

function statesOf(row) {
	return Object.fromEntries(STATES.map(([key]) => [key, number(row[key])]));
}

// Mean number of processes in each state.
function stateLines() {
	return STATES.map(([key, name, color]) => ({ key, name, color, values: data.overlap_series[key].map((ns) => number(ns) / binWidth) })).filter((line) => line.values.some((value) => value > 0));
}

// Sums of an interval do not tell when in it their calls were.
function callsAreSums(total) {
	return !filesTime(total) && sum(files, "time") > 0;
}

function overlapSentence(total, all) {
	const onFiles = filesTime(total);
	if (!onFiles)
		return sentence("No process was in a call on a file of data or software.");
	return sentence("Processes were on files for " + timeText(onFiles) + ", " + shareText(onFiles, all) + " of their time. In ", element("b", {}, shareText(total.files_alone, onFiles)),
		" of that nothing else went on in the process (" + timeText(total.files_alone) + ", unoverlapped); in " + shareText(total.files_with_program, onFiles) + " another thread computed.");
}

function overlapTable() {
	const rows = rowsOf("overlap").map((row, i) => ({ ...row, line: i, processes: row.children ? "children" : "own", share: filesTime(row) ? row.files_alone / filesTime(row) : 0 }));
	return table({ caption: "I/O against the rest by rank", rows, sort: { key: "files_alone", descending: true }, foot: data.overlap.left ? { label: countText(data.overlap.left) + " more" } : null, columns: [
		{ key: "line", label: "Rank", type: "count", show: rankName }, { key: "processes", label: "Processes", title: "The rank's own, or their children" },
		...STATES.map(([key, , , label]) => ({ key, label, type: "time", meter: key === "files_alone", title: STATE_TITLES[key] }))] });
}

function overlapPanel() {
	const total = statesOf(data.overlap_total), all = STATES.reduce((sum, [key]) => sum + total[key], 0), lines = series.bins && all ? stateLines() : [];
	if (!lines.length)
		return;
	if (callsAreSums(total)) {
		panel("overlap", "I/O against the rest", OVERLAP_QUESTION, sentence("Calls on files are sums of intervals in this trace: what went on beside them is not known."));
		return;
	}
	const parts = STATES.map(([key, name, color]) => ({ name, time: total[key], color: "var(" + color + ")" }));
	const rows = lines[0].values.map((_, bin) => ({ begin: binTime(bin), ...Object.fromEntries(STATES.map(([key]) => [key, number(data.overlap_series[key][bin])])) }));
	panel("overlap", "I/O against the rest", OVERLAP_QUESTION, overlapSentence(total, all), splitBar(parts, all), timeControls(),
		stackedCanvas("Processes by what they do at the same time; the table below has the numbers", lines, "processes").element,
		element("ul", { class: "legend" }, lines.map((line) => element("li", { title: STATE_TITLES[line.key] }, swatch("var(" + line.color + ")"), line.name))),
		tableBehind({ caption: "I/O against the rest over time", rows, search: false, sort: { key: "begin", descending: false }, columns: [{ key: "begin", label: "From", type: "time" }, ...STATES.map(([key, , , label]) => ({ key, label, type: "time", title: STATE_TITLES[key] }))] }),
		element("h3", {}, "By rank"), overlapTable());
}

// ---- bursts ----

function rhythmSentence(direction) {
	const rhythm = Object.fromEntries(Object.entries(data.bursts[direction]).map(([key, value]) => [key, number(value)]));
	if (!rhythm.bursts)
		return null;
	if (rhythm.time > .9 * wholeTime)
		return sentence("There are " + direction + " all the time.");
	return sentence(element("b", {}, counted(rhythm.bursts, "burst")), " of " + direction + ": " + bytesText(Math.round(rhythm.bytes / rhythm.bursts)) + " in " + timeText(rhythm.time / rhythm.bursts) + (rhythm.bursts > 1 ? " on average, one every " + timeText(rhythm.period) : "") +
		"; together " + shareText(rhythm.time, wholeTime) + " of the run." + (rhythm.files ? " While they last, nothing else goes on in processes for " + shareText(rhythm.files_alone, rhythm.files) + " of the time that these are on files." : ""));
}

// A line each of reads and writes.
function burstCanvas(rows) {
	const LINES = [["reads", "--c0"], ["writes", "--c3"]], most = LINES.map(([direction]) => Math.max(1, ...rows.filter((row) => row.direction === direction).map((row) => row.bytes / (row.end - row.begin))));
	return new TimeCanvas({
		label: "Bursts of reads and writes over time; the table below has them", left: 62, height: () => 104,
		draw(context, box, timeToX) {
			context.save();
			context.beginPath();
			context.rect(box.x, 0, box.width, box.height);
			context.clip();
			for (const row of rows) {
				const k = row.direction === "reads" ? 0 : 1, x = timeToX(row.begin), tall = 8 + 36 * Math.sqrt(row.bytes / (row.end - row.begin) / most[k]);
				context.fillStyle = colorOf(LINES[k][1]);
				context.fillRect(x, 52 * k + 48 - tall, Math.max(2, timeToX(row.end) - x), tall);
			}
			context.restore();
			context.fillStyle = colorOf("--muted");
			context.textAlign = "right";
			LINES.forEach(([direction], k) => context.fillText(direction, box.x - 7, 52 * k + 40));
		},
		hover(time, y) {
			const direction = y < 52 ? "reads" : "writes", row = rows.find((one) => one.direction === direction && time >= one.begin && time < one.end);
			return row ? ["burst of " + direction + ", " + axisTimes([row.begin, row.end], binWidth / 10).join(" to "), bytesText(row.bytes), bytesText(Math.round(row.bytes * 1e9 / (row.end - row.begin))) + "/s"].join("\n") : "";
		} });
}

function burstsPanel() {
	const rows = rowsOf("bursts").map((row) => ({ ...row, length: row.end - row.begin, rate: Math.round(row.bytes * 1e9 / Math.max(1, row.end - row.begin)), alone: row.files ? row.files_alone / row.files : 0 }));
	if (!rows.length)
		return;
	panel("bursts", "Bursts", "How long and how large are checkpoints, how often do they come?", rhythmSentence("writes"), rhythmSentence("reads"), timeControls(), burstCanvas(rows).element,
		table({ caption: "Bursts", rows, sort: { key: "begin", descending: false }, choice: { label: "Direction of bursts", options: [["reads and writes", () => true], ["reads", (row) => row.direction === "reads"], ["writes", (row) => row.direction === "writes"]] }, columns: [
			{ key: "direction", label: "Direction" }, { key: "begin", label: "From", type: "time", title: "As exact as the bins of the charts" }, { key: "length", label: "Length", type: "time", meter: true }, { key: "bytes", label: "Bytes", type: "bytes", meter: true },
			{ key: "rate", label: "Bytes a second", type: "bytes" }, { key: "files", label: "Time on files", type: "time", title: "Of all processes, unions of intervals" }, { key: "files_alone", label: "Of it alone", type: "time", title: STATE_TITLES.files_alone }] }));
}

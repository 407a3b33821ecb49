// SPDX-License-Identifier: MIT
// overview.js - what was run, whether the trace is whole, where time went.

function startText() {
	if (!trace.start_seconds)
		return "at an unknown time";
	return new Date(trace.start_seconds * 1000).toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC");
}

function fact(label, text) {
	return text ? element("span", {}, label + " ", element("b", {}, text)) : null;
}

function tile(label, value, note) {
	return element("div", { class: "tile" }, element("dt", {}, label), element("dd", {}, value, note ? element("span", { class: "note" }, note) : null));
}

function timeOf(use) {
	return sum(layers.filter((layer) => layer.use === use), "main");
}

function tiles() {
	const data_files = rowsOf("file_classes").find((row) => row.class === "data") || { files: 0, bytes_read: 0, bytes_written: 0 };
	const failed = sum(functions, "errors");
	return element("dl", { class: "tiles" }, tile("Duration", timeText(trace.duration)), tile("Ranks", countText(trace.ranks), counted(trace.streams, "process image")),
		tile("Calls", countText(trace.records)), tile("In calls on files", shareText(timeOf("files"), trace.wall), "of main threads' time"),
		tile("In MPI", shareText(timeOf("mpi"), trace.wall), "of main threads' time"), tile("Read", bytesText(data_files.bytes_read), "of files of data"),
		tile("Written", bytesText(data_files.bytes_written), "of files of data"), tile("Files of data", countText(data_files.files)),
		tile("Failed calls", countText(failed)));
}

// What the trace lacks, as sentences; none if it is whole.
function lacks() {
	const list = [];
	if (trace.running)
		list.push("Processes of it are still running: this is what had been written when the report was made.");
	for (const loss of rowsOf("losses"))
		list.push((loss.records ? counted(loss.records, "record") : "Some records") + " lost: " + (loss.meaning || loss.reason) + ".");
	if (trace.unreadable)
		list.push(counted(trace.unreadable, "record") + " in damaged places cannot be read.");
	if (trace.absent)
		list.push("Not in the trace: " + trace.absent + ".");
	for (const problem of trace.problems)
		list.push(problem);
	if (trace.problem_count > trace.problems.length)
		list.push(counted(trace.problem_count - trace.problems.length, "more problem") + ": recorder check tells them all.");
	return list;
}

function clockSentence() {
	if (trace.unverified_clock)
		return "Clocks of several machines were put together by the time of day and are not verified: times of different machines can be off.";
	if (trace.clock_error > 0)
		return "Clocks of the machines agree within " + timeText(trace.clock_error) + ".";
	return "";
}

function completeness() {
	const list = lacks();
	const notes = [clockSentence()];
	if (trace.filtered)
		notes.push("Numbers are of a part of the calls, chosen by: " + trace.command);
	if (trace.in_flight)
		notes.push(counted(trace.in_flight, "call") + " had not returned, and count nowhere below.");
	if (trace.summed)
		notes.push("Of " + counted(trace.summed, "record") + " sums of times alone were kept (RECORDER_TIMING=summary).");
	const words = trace.complete ? ["Complete.", "All records of " + counted(trace.ranks, "rank") + " are here."] :
		trace.running ? ["Still being written.", ""] : ["Incomplete.", "What is missing is missing in all numbers below."];
	return element("div", { class: "banner " + (trace.complete ? "good" : "bad"), id: "completeness" }, element("b", {}, words[0]), words[1],
		list.length ? element("ul", {}, list.map((text) => element("li", {}, text))) : null,
		notes.filter(Boolean).map((text) => element("div", {}, text)));
}

function headerPanel() {
	const name = trace.program || trace.dir;
	document.title = name.slice(0, 80) + " - Recorder report";
	content.append(element("section", { id: "overview", "aria-labelledby": "overview-title" }, element("h1", { id: "overview-title", class: "code" }, name),
		element("p", { class: "facts" }, fact("started", startText()), fact("in", trace.cwd), fact("trace", trace.dir), fact("recorded by", trace.recorder && "Recorder " + trace.recorder)),
		completeness(), tiles()));
	listPanel("overview", "Overview");
}

// ---- time split ----

function splitBar(parts, whole) {
	return element("div", { class: "split", role: "img", "aria-label": parts.map((part) => part.name + " " + shareText(part.time, whole)).join(", ") },
		parts.filter((part) => part.time > 0).map((part) => {
			const bar = styled(element("div"), { flex: part.time + " 1 0", background: part.color });
			bar.addEventListener("pointermove", (event) => showTip(event.clientX, event.clientY, part.name + "\n" + timeText(part.time) + ", " + shareText(part.time, whole)));
			bar.addEventListener("pointerleave", hideTip);
			return bar;
		}));
}

function splitParts() {
	const parts = [{ name: "program", time: trace.program_time, elsewhere: 0, color: "var(--program)", calls: 0, errors: 0, bytes_read: 0, bytes_written: 0 }];
	for (const layer of layers)
		parts.push({ ...layer, name: layer.layer, time: layer.main, color: layerColor(layer.layer) });
	return parts;
}

function timePanel() {
	const parts = splitParts(), whole = trace.wall;
	const calls = parts.slice(1).filter((part) => part.use !== "program"); // its own regions are its own time
	const most = [...calls].sort((a, b) => b.time - a.time)[0];
	const words = most && most.time > 0 ? ["Of ", timeText(whole), " that the main threads of all ranks lasted, ", shareText(sum(calls, "time"), whole),
		" went into recorded calls, most of it into ", element("b", {}, most.name), " (", shareText(most.time, whole), ")."] :
		["No time of main threads is in recorded calls."];
	panel("time", "Time by layer", "Is I/O or MPI the problem?", sentence(words), splitBar(parts, whole), table({
		caption: "Time by layer", rows: parts, search: false, columns: [
			{ key: "name", label: "Layer", show: (row) => [swatch(row.color), row.name] },
			{ key: "time", label: "Main threads", type: "time", title: "Self time: without the recorded calls inside; each nanosecond counts once" },
			{ key: "share", label: "Share", value: (row) => row.time, type: "share", title: "Of the time from begin to end of the ranks' own processes" },
			{ key: "elsewhere", label: "Elsewhere", type: "time", title: "Of other threads and of child processes" },
			{ key: "calls", label: "Calls", type: "count" }, { key: "errors", label: "Failed", type: "count" },
			{ key: "bytes_read", label: "Read", type: "bytes", title: "Of MPI: received" }, { key: "bytes_written", label: "Written", type: "bytes", title: "Of MPI: sent" }] }));
}

AS_TEXT.share = (value) => shareText(value, trace.wall);

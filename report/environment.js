// SPDX-License-Identifier: MIT
// environment.js - processes, and what is known of where they ran.

// Processes below those that made them: {row, depth} in that order.
function processTree() {
	const rows = rowsOf("processes"), known = new Map(rows.map((row) => [row.id, row])), below = new Map(), list = [];
	for (const row of rows) {
		const parent = row.parent >= 0 && known.has(row.parent) ? row.parent : "";
		below.set(parent, [...below.get(parent) || [], row]);
	}
	const open = (below.get("") || []).map((row) => [row, 0]).reverse(), seen = new Set();
	while (open.length) {
		const [row, depth] = open.pop();
		if (seen.has(row))
			continue;
		seen.add(row);
		list.push({ ...row, depth, order: list.length });
		for (const child of (below.get(row.id) || []).slice().sort((a, b) => b.start - a.start))
			open.push([child, depth + 1]);
	}
	return list;
}

function life(row) {
	const whole = Math.max(trace.duration, row.end, 1), begin = Math.max(0, row.start) / whole, end = Math.max(row.start, row.end) / whole;
	return element("span", { class: "life", role: "img", "aria-label": timeText(row.start) + " to " + timeText(row.end) }, styled(element("i"), { left: (100 * begin).toFixed(2) + "%", width: (100 * (end - begin)).toFixed(2) + "%" }));
}

function processesPanel() {
	const rows = processTree();
	if (!rows.length)
		return;
	const rest = data.processes.rest;
	panel("processes", "Processes", "Who started whom?", sentence(counted(trace.streams, "process image") + "; one that executes another program counts for each." + (rest ? " " + countText(rest) + " of them are not listed." : "")),
		table({ caption: "Processes", rows, columns: [{ key: "program", label: "Program", code: true, name: true, show: (row) => styled(element("span", {}, (row.depth ? "\u2514 " : "") + row.program), { "padding-left": Math.min(row.depth, 20) * 1.2 + "em" }) },
			{ key: "rank", label: "Rank", type: "count", show: (row) => row.rank < 0 || (row.world > 0 && !spawned) ? NONE : rankName(row) }, { key: "pid", label: "Pid", type: "count", show: (row) => String(row.pid) }, { key: "host", label: "Host" },
			{ key: "life", label: "Life", value: (row) => row.start, show: life }, { key: "duration", label: "Duration", type: "time", value: (row) => row.end - row.start },
			{ key: "started", label: "Started by", title: "fork: a new process; exec: its parent's process executed this program" }, { key: "files", label: "On files", type: "time", title: "Self time of all its threads" }, { key: "mpi", label: "In MPI", type: "time" },
			{ key: "computing", label: "Computing", type: "time", title: "Some thread is in no recorded call, none is on files" }, { key: "threads", label: "Threads", type: "count" }, { key: "records", label: "Calls", type: "count" }, { key: "missing", label: "Missing", type: "count" },
			{ key: "reason", label: "End", value: (row) => row.reason || row.state }] }));
}

// What a reader of the trace needs, and not one of the page.
const INNER = /^(anchor|calls|clock|fold|live|main|pid\.|segment|parent|world\.\d)/;

function readable(rows) {
	return [...rows.filter((row) => !INNER.test(row.key)), ...rows.filter((row) => INNER.test(row.key))];
}

function environmentPanel() {
	const columns = [{ key: "key", label: "Name", code: true }, { key: "value", label: "Value", code: true, name: true, value: (row) => String(row.value) }];
	const global = readable(rowsOf("global_metadata")), own = readable(rowsOf("process_metadata"));
	if (!global.length && !own.length)
		return;
	panel("environment", "Environment", "What would it take to run this again?", own.length ? [element("h3", {}, "The first rank's process"), table({ caption: "Metadata of the first rank's process", rows: own, columns })] : null,
		global.length ? [element("h3", {}, "The whole job"), table({ caption: "Metadata of the job", rows: global, columns })] : null);
}

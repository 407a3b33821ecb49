// SPDX-License-Identifier: MIT
// files.js - files, and what layers make of each other's calls on them.

function sharing(file) {
	return file.moving_ranks > 1 ? "shared" : file.ranks > 1 ? "several" : "one";
}

// The name says more than where it is.
function pathNodes(row) {
	const cut = row.path.lastIndexOf("/", row.path.length - 2) + 1;
	return [element("span", { class: "muted" }, row.path.slice(0, cut)), row.path.slice(cut)];
}

const FILE_COLUMNS = [
	{ key: "path", label: "File", code: true, name: true, show: pathNodes }, { key: "class", label: "Class" },
	{ key: "sharing", label: "Used by", value: sharing, title: "shared: several ranks moved bytes of it; several: they have calls on it; one: one rank has" }, { key: "ranks", label: "Ranks", type: "count", title: "That have calls on it" },
	{ key: "time", label: "Time", type: "time", meter: true, title: "In calls of the lowest layer that moved bytes" },
	{ key: "bytes_read", label: "Read", type: "bytes" }, { key: "bytes_written", label: "Written", type: "bytes" }, { key: "opens", label: "Opens", type: "count" },
	{ key: "reads", label: "Reads", type: "count" }, { key: "writes", label: "Writes", type: "count" }, { key: "metadata", label: "Metadata", type: "count", title: "All other calls: opens, closes, seeks, stats ..." },
	{ key: "mean", label: "Bytes a call", type: "bytes", value: (row) => Math.round((row.bytes_read + row.bytes_written) / Math.max(1, row.reads + row.writes)) },
	{ key: "read_time", label: "In reads", type: "time" }, { key: "read_rate", label: "Read a second", type: "bytes", value: (row) => rateOf(row.bytes_read, row.read_time), title: "While in reads, ranks one by one" },
	{ key: "write_time", label: "In writes", type: "time" }, { key: "write_rate", label: "Written a second", type: "bytes", value: (row) => rateOf(row.bytes_written, row.write_time), title: "While in writes, ranks one by one" },
	{ key: "metadata_time", label: "In metadata", type: "time" }, { key: "errors", label: "Failed", type: "count" }];

function rateOf(bytes, time) {
	return time > 0 ? Math.round(bytes * 1e9 / time) : 0;
}

function filesPanel() {
	if (!files.length)
		return panel("files", "Files", "Which file takes the time?", sentence("No call worked on a file."));
	const classes = rowsOf("file_classes");
	const own = files.filter((file) => file.class === "data"), shared = own.filter((file) => file.moving_ranks > 1);
	const words = own.length ? [counted(number((classes.find((row) => row.class === "data") || { files: 0 }).files), "file") + " of data, " + countText(shared.length) + " of those below moved by several ranks."] : ["No file of data; choose another class to see programs, libraries and devices."];
	const options = [["files of data", (row) => row.class === "data"], ["all files", () => true], ...classes.filter((row) => row.class !== "data").map((one) => [one.class, (row) => row.class === one.class])];
	panel("files", "Files", "Which file takes the time, who shares it?", sentence(words),
		table({ caption: "Files", rows: files, sort: { key: "time", descending: true }, columns: FILE_COLUMNS, choice: { label: "Class of files", options }, foot: restOf("files", "more files") }),
		element("h3", {}, "By class"), table({ caption: "Files by class", rows: classes, search: false, sort: { key: "time", descending: true }, columns: [{ key: "class", label: "Class" },
			{ key: "files", label: "Files", type: "count" }, { key: "calls", label: "Calls", type: "count" }, { key: "time", label: "Time", type: "time", meter: true }, { key: "bytes_read", label: "Read", type: "bytes" },
			{ key: "bytes_written", label: "Written", type: "bytes" }, { key: "errors", label: "Failed", type: "count" }] }));
}

// ---- layers ----

// From what programs call down to what the system does.
const HEIGHT = ["pnetcdf", "netcdf", "hdf5", "mpiio", "stdio", "posix", "kernel"];

function translationRows() {
	return layers.filter((layer) => layer.use === "files").sort((a, b) => HEIGHT.indexOf(a.layer) - HEIGHT.indexOf(b.layer)).map((layer) => {
		const sizes = sizesOf(layer), reads = sum(sizes, "reads"), writes = sum(sizes, "writes");
		return { ...layer, order: HEIGHT.indexOf(layer.layer), reads, writes, mean_read: reads ? Math.round(layer.bytes_read / reads) : 0, mean_write: writes ? Math.round(layer.bytes_written / writes) : 0 };
	});
}

// Files that several layers worked on: what went in at the top, what came out below.
function translatedFiles() {
	const rows = [];
	for (const file of files.filter((one) => one.class === "data" && one.layers.length > 1))
		for (const [layer, calls, time, read, written] of file.layers)
			rows.push({ path: file.path, layer, calls: number(calls), time: number(time), bytes_read: number(read), bytes_written: number(written) });
	return rows;
}

function layersPanel() {
	const rows = translationRows(), shared = translatedFiles();
	if (rows.length < 2)
		return;
	panel("layers", "Layer translation", "What do libraries make of the program's calls?",
		sentence("Each layer's own reads and writes: where a lower one has more calls or bytes than the one above, there is amplification; where it has fewer, data was gathered."),
		table({ caption: "Reads and writes by layer", rows, search: false, columns: [{ key: "layer", label: "Layer", show: (row) => [swatch(layerColor(row.layer)), row.layer] },
			{ key: "reads", label: "Reads", type: "count" }, { key: "bytes_read", label: "Read", type: "bytes" }, { key: "mean_read", label: "Bytes a read", type: "bytes" }, { key: "writes", label: "Writes", type: "count" },
			{ key: "bytes_written", label: "Written", type: "bytes" }, { key: "mean_write", label: "Bytes a write", type: "bytes" }, { key: "calls", label: "All calls", type: "count" }, { key: "time", label: "Time", type: "time" }] }),
		shared.length ? [element("h3", {}, "Files that several layers worked on"), table({ caption: "Files by layer", rows: shared, columns: [{ key: "path", label: "File", code: true, name: true, show: pathNodes },
			{ key: "layer", label: "Layer", show: (row) => [swatch(layerColor(row.layer)), row.layer] }, { key: "calls", label: "Calls", type: "count" }, { key: "time", label: "Time", type: "time" },
			{ key: "bytes_read", label: "Read", type: "bytes" }, { key: "bytes_written", label: "Written", type: "bytes" }] })] : null);
}

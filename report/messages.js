// SPDX-License-Identifier: MIT
// messages.js - MPI: calls by kind, communicators, who sends to whom.

const MESSAGES = ["point-to-point", "collective", "one-sided", "completion"];

function communicatorTable() {
	const rows = rowsOf("communicators").map((row) => ({ ...row, name: row.name || "without a name, " + row.identity.slice(0, 8) }));
	if (!rows.length)
		return null;
	return [element("h3", {}, "Communicators"), table({ caption: "Communicators", rows, sort: { key: "time", descending: true }, columns: [{ key: "name", label: "Communicator", code: true }, { key: "size", label: "Ranks", type: "count" },
		{ key: "calls", label: "Calls", type: "count" }, { key: "time", label: "Time", type: "time", meter: true }, { key: "collective", label: "In collectives", type: "time" },
		{ key: "received", label: "Received", type: "bytes" }, { key: "sent", label: "Sent", type: "bytes" }] })];
}

// ---- the matrix ----

// Bytes from group to group, in 88 steps.
function matrixCells() {
	return data.matrix.lines.map((line) => decodeCells(line, groups.length, number(data.matrix.most)));
}

function matrixPicture(cells, most) {
	const picture = element("canvas", { width: groups.length, height: groups.length }), context = picture.getContext("2d");
	const image = context.createImageData(groups.length, groups.length), ramp = rampOf("--c0");
	cells.forEach((line, from) => line.forEach((bytes, to) => image.data.set([...rampColor(ramp, bytes / most), 255], 4 * (from * groups.length + to))));
	context.putImageData(image, 0, 0);
	return picture;
}

function matrixChart(cells) {
	const most = number(data.matrix.most), left = 62, top = 18;
	const canvas = element("canvas", { role: "img", "aria-label": "Bytes from rank to rank; the table below has the pairs with most" });
	const holder = element("div", { class: "chart matrix" }, canvas);
	const side = () => Math.min(420, Math.max(160, (holder.clientWidth || 500) - left - 8), Math.max(160, groups.length * 40));
	onRedraw(() => {
		const ratio = devicePixelRatio || 1, size = side(), cell = size / groups.length, context = canvas.getContext("2d");
		canvas.width = (size + left + 4) * ratio;
		canvas.height = (size + top + 4) * ratio;
		styled(canvas, { width: size + left + 4 + "px", height: size + top + 4 + "px" });
		context.scale(ratio, ratio);
		context.imageSmoothingEnabled = false;
		context.drawImage(matrixPicture(cells, most), left, top, size, size);
		context.font = "11px system-ui, sans-serif";
		context.fillStyle = colorOf("--muted");
		const every = Math.max(1, stepFor(Math.max(1, 34 / cell), 1));
		groups.forEach((group, i) => {
			if (i % every !== 0)
				return;
			context.textAlign = "right";
			context.fillText(rankName(group).slice(0, 9), left - 7, top + (i + .5) * cell + 4);
			context.textAlign = "center";
			context.fillText(rankName(group).slice(0, 7), left + (i + .5) * cell, top - 6);
		});
	});
	canvas.addEventListener("pointermove", (event) => {
		const box = canvas.getBoundingClientRect(), cell = side() / groups.length;
		const to = Math.floor((event.clientX - box.left - left) / cell), from = Math.floor((event.clientY - box.top - top) / cell);
		if (!groups[from] || !groups[to])
			return hideTip();
		showTip(event.clientX, event.clientY, "from " + groupName(groups[from]) + " to " + groupName(groups[to]) + "\n" + (cells[from][to] ? "about " + bytesText(Math.round(cells[from][to])) : "nothing"));
	});
	canvas.addEventListener("pointerleave", hideTip);
	return holder;
}

function matrixParts() {
	const rows = rowsOf("messages"), all = number(data.messages.all);
	if (!rows.length)
		return null;
	const most = rows[0], name = (world, rank) => rankName({ world, rank });
	return [element("h3", {}, "From rank to rank"), sentence(counted(all, "pair") + " of ranks; most bytes went from rank " + name(most.from_world, most.from) + " to " + name(most.to_world, most.to) + ": " + bytesText(most.bytes) + " in " + counted(most.calls, "call") + ". Lines send, columns receive; point to point and one-sided."),
		matrixChart(matrixCells()), tableBehind({ caption: "From rank to rank" + (all > rows.length ? ", those with most bytes" : ""), rows, search: false, sort: { key: "bytes", descending: true }, columns: [
			{ key: "from", label: "From", type: "count", value: (row) => row.from_world * 2 ** 31 + row.from, show: (row) => name(row.from_world, row.from) }, { key: "to", label: "To", type: "count", value: (row) => row.to_world * 2 ** 31 + row.to, show: (row) => name(row.to_world, row.to) },
			{ key: "calls", label: "Calls", type: "count" }, { key: "bytes", label: "Bytes", type: "bytes", meter: true }] })];
}

// ---- panel ----

function messagesPanel() {
	const calls = functions.filter((row) => row.layer === "mpi");
	if (!calls.length)
		return;
	const kinds = [...MESSAGES, "other"].map((kind) => {
		const rows = calls.filter((row) => kind === "other" ? !MESSAGES.includes(row.operation) : row.operation === kind);
		return { kind, functions: rows.length, calls: sum(rows, "calls"), self: sum(rows, "self"), bytes_read: sum(rows, "bytes_read"), bytes_written: sum(rows, "bytes_written") };
	}).filter((row) => row.calls);
	panel("messages", "MPI", "Which communication takes the time?", table({ caption: "MPI calls by kind", rows: kinds, search: false, sort: { key: "self", descending: true }, columns: [{ key: "kind", label: "Kind" },
		{ key: "calls", label: "Calls", type: "count" }, { key: "self", label: "Self", type: "time", meter: true }, { key: "bytes_read", label: "Received", type: "bytes" }, { key: "bytes_written", label: "Sent", type: "bytes" }] }),
	element("h3", {}, "Functions"), table({ caption: "MPI functions", rows: calls, shown: 8, sort: { key: "self", descending: true }, columns: FUNCTION_COLUMNS.filter((column) => column.key !== "layer" && column.key !== "errors") }),
	communicatorTable(), matrixParts());
}

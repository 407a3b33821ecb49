// SPDX-License-Identifier: MIT
// offsets.js - where in a file bytes were moved: offset by time and offset by rank.

const MOVES_SHOWN = [["both", "reads and writes"], ["read", "reads"], ["written", "writes"]];
const MOVE_COLORS = { read: USE_COLORS.reads, written: USE_COLORS.writes };

function decodedGrid(grid) {
	const lines = Object.fromEntries(["read", "written"].map((key) => [key, grid[key].lines.map((line) => decodeCells(line, grid.rows, number(grid[key].most)))]));
	return { ...grid, ...lines, begin: number(grid.begin), width: number(grid.width), row_bytes: number(grid.row_bytes), most: { read: number(grid.read.most), written: number(grid.written.most) } };
}

// Offset 0 is at the bottom.
function gridPicture(grid, shown) {
	const picture = element("canvas", { width: grid.columns, height: grid.rows }), context = picture.getContext("2d"), image = context.createImageData(grid.columns, grid.rows);
	const ground = rgbOf("--ground"), keys = shown === "both" ? ["read", "written"] : [shown], colors = keys.map((key) => rgbOf(MOVE_COLORS[key]));
	for (let column = 0; column < grid.columns; column++)
		for (let row = 0; row < grid.rows; row++) {
			const shares = keys.map((key) => Math.sqrt(grid[key][column][row] / grid.most[key])), all = shares.reduce((a, b) => a + b, 0);
			const color = all ? blended(ground, [0, 1, 2].map((i) => colors.reduce((value, one, k) => value + one[i] * shares[k] / all, 0)), .35 + .65 * Math.min(1, Math.max(...shares))) : ground;
			image.data.set([...color, 255], 4 * ((grid.rows - 1 - row) * grid.columns + column));
		}
	context.putImageData(image, 0, 0);
	return picture;
}

function offsetText(bytes) {
	return bytesText(bytes).replace(NONE, "0");
}

function cellText(grid, column, row, where) {
	const parts = [["read", "read"], ["written", "written"]].filter(([key]) => grid[key][column][row] > 0).map(([key, name]) => "about " + bytesText(Math.round(grid[key][column][row])) + " " + name);
	return [where, "offset " + offsetText(row * grid.row_bytes) + " to " + offsetText((row + 1) * grid.row_bytes), ...(parts.length ? parts : ["nothing"])].join("\n");
}

// ---- by keyboard ----

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], PageUp: [0, 10], PageDown: [0, -10] };

// A cell of a grid that arrows walk from, and what it has in words, which are said when it changes.
class CellCursor {
	constructor(gridOf, columnText, changed) {
		Object.assign(this, { gridOf, columnText, changed, cell: null });
		this.said = element("p", { class: "count walked", role: "status" });
	}

	// The first cell with bytes.
	first(grid) {
		for (let column = 0; column < grid.columns; column++)
			for (let row = 0; row < grid.rows; row++)
				if (grid.read[column][row] || grid.written[column][row])
					return { column, row };
		return { column: 0, row: 0 };
	}

	key(event) {
		const step = STEPS[event.key], grid = this.gridOf();
		if (!step || event.ctrlKey || event.altKey || event.metaKey)
			return false;
		const within = (at, count) => Math.min(count - 1, Math.max(0, at));
		this.cell = this.cell ? { column: within(this.cell.column + step[0], grid.columns), row: within(this.cell.row + step[1], grid.rows) } : this.first(grid);
		this.said.textContent = cellText(grid, this.cell.column, this.cell.row, this.columnText(grid, this.cell.column)).replaceAll("\n", ", ");
		this.changed(grid, this.cell);
		return true;
	}

	forget() {
		this.cell = null;
		this.said.textContent = "";
	}

	// Around the cell, in two colors, so that it is seen on any other.
	draw(context, x, y, width, height) {
		for (const [color, wide] of [["--card", 4], ["--text", 2]]) {
			context.strokeStyle = colorOf(color);
			context.lineWidth = wide;
			context.strokeRect(x - 1, y - 1, Math.max(width, 2) + 2, Math.max(height, 2) + 2);
		}
	}
}

const WALKING = "arrows walk from cell to cell, Page Up and Page Down ten at once";

// Marks along the offsets.
function offsetAxis(context, grid, box) {
	const span = grid.rows * grid.row_bytes, step = stepFor(span, 6);
	context.textAlign = "right";
	for (let at = 0; at <= span; at += step) {
		const y = box.y + box.height * (1 - at / span);
		context.fillStyle = colorOf("--muted");
		context.fillText(offsetText(at), box.x - 7, Math.max(box.y + 9, y + 3));
		context.fillStyle = colorOf("--line");
		context.fillRect(box.x - 4, y, 4, 1);
	}
}

const OFFSETS_LEFT = 74, OFFSETS_TALL = 240;

function timeColumnText(grid, column) {
	return axisTimes([grid.begin + column * grid.width, grid.begin + (column + 1) * grid.width], grid.width / 10).join(" to ");
}

function offsetTimeCanvas(chosen) {
	let picture = null, made = null;
	onRedraw(() => { made = null; });
	// a cell that is not seen comes into the middle
	const cursor = new CellCursor(() => chosen.file.time, timeColumnText, (grid, { column }) => {
		const from = grid.begin + column * grid.width, span = view.to - view.from;
		if (from + grid.width <= view.from || from >= view.to)
			setView(from + grid.width / 2 - span / 2, from + grid.width / 2 + span / 2);
		else
			canvas.paint();
	});
	const canvas = new TimeCanvas({
		label: "Offset in the file by time; the tables below have the sums", left: OFFSETS_LEFT, height: () => OFFSETS_TALL,
		keys: WALKING + ", + and - zoom, Home shows all.", walk: (event) => cursor.key(event), cursor,
		draw(context, box) {
			const grid = chosen.file.time, key = chosen.file.path + chosen.shown;
			if (made !== key)
				picture = gridPicture(grid, chosen.shown);
			made = key;
			context.imageSmoothingEnabled = false;
			context.drawImage(picture, (view.from - grid.begin) / grid.width, 0, (view.to - view.from) / grid.width, grid.rows, box.x, 0, box.width, box.height);
			offsetAxis(context, grid, box);
			if (cursor.cell) {
				const scale = box.width / (view.to - view.from), x = box.x + (grid.begin + cursor.cell.column * grid.width - view.from) * scale, tall = box.height / grid.rows;
				context.save();
				context.beginPath();
				context.rect(box.x - 3, 0, box.width + 6, box.height + 3);
				context.clip();
				cursor.draw(context, x, box.height - (cursor.cell.row + 1) * tall, grid.width * scale, tall);
				context.restore();
			}
		},
		hover(time, y) {
			const grid = chosen.file.time, column = Math.min(grid.columns - 1, Math.floor((time - grid.begin) / grid.width)), row = Math.floor((1 - y / this.box.height) * grid.rows);
			return row >= 0 && row < grid.rows ? cellText(grid, column, row, timeColumnText(grid, column)) : "";
		} });
	return canvas;
}

// ---- by rank ----

function columnRanks(grid, column) {
	return [column * grid.width, Math.min(rankNames.length, (column + 1) * grid.width) - 1];
}

// Names of all ranks by number, as groups have them.
const rankNames = groups.flatMap((group) => Array.from({ length: group.ranks }, (_, i) => rankName({ world: group.world, rank: group.rank + i, name: group.name })));

function columnName(grid, column) {
	const [first, last] = columnRanks(grid, column);
	return first < last ? rankNames[first] + "-" + rankNames[last] : rankNames[first];
}

function rankColumnText(grid, column) {
	return (grid.width > 1 ? "ranks " : "rank ") + columnName(grid, column);
}

class RankCanvas {
	constructor(chosen) {
		this.chosen = chosen;
		this.canvas = element("canvas", { role: "img", tabindex: "0", "aria-label": "Offset in the file by rank; the tables below have the sums. Keys: " + WALKING + "." });
		this.cursor = new CellCursor(() => chosen.file.rank, rankColumnText, () => this.paint());
		this.canvas.addEventListener("keydown", (event) => this.cursor.key(event) && event.preventDefault());
		this.element = element("div", { class: "chart" }, this.canvas);
		this.canvas.addEventListener("pointermove", (event) => this.point(event));
		this.canvas.addEventListener("pointerleave", hideTip);
		onRedraw(() => this.paint());
	}

	paint() {
		const grid = this.chosen.file.rank, ratio = devicePixelRatio || 1, width = Math.max(220, this.element.clientWidth || 400), context = this.canvas.getContext("2d");
		this.box = { x: OFFSETS_LEFT, y: 0, width: width - OFFSETS_LEFT - 8, height: OFFSETS_TALL };
		this.canvas.width = Math.round(width * ratio);
		this.canvas.height = Math.round((OFFSETS_TALL + 24) * ratio);
		styled(this.canvas, { width: width + "px", height: OFFSETS_TALL + 24 + "px" });
		context.scale(ratio, ratio);
		context.font = "11px system-ui, sans-serif";
		context.imageSmoothingEnabled = false;
		context.drawImage(gridPicture(grid, this.chosen.shown), this.box.x, 0, this.box.width, this.box.height);
		offsetAxis(context, grid, this.box);
		context.textAlign = "center";
		context.fillStyle = colorOf("--muted");
		const wide = this.box.width / grid.columns, tall = OFFSETS_TALL / grid.rows, { cell } = this.cursor;
		if (cell)
			this.cursor.draw(context, this.box.x + cell.column * wide, OFFSETS_TALL - (cell.row + 1) * tall, wide, tall);
		const every = Math.max(1, stepFor(46 / wide, 1));
		for (let column = 0; column < grid.columns; column += every)
			context.fillText(rankNames[columnRanks(grid, column)[0]].slice(0, 9), this.box.x + (column + .5) * wide, OFFSETS_TALL + 16);
	}

	point(event) {
		const grid = this.chosen.file.rank, box = this.canvas.getBoundingClientRect();
		const column = Math.floor((event.clientX - box.left - this.box.x) / this.box.width * grid.columns), row = Math.floor((1 - (event.clientY - box.top) / this.box.height) * grid.rows);
		if (column < 0 || column >= grid.columns || row < 0 || row >= grid.rows)
			return hideTip();
		showTip(event.clientX, event.clientY, cellText(grid, column, row, rankColumnText(grid, column)));
	}
}

// ---- tables ----

const MOVED_COLUMNS = [{ key: "read", label: "Read", type: "bytes", meter: true }, { key: "written", label: "Written", type: "bytes", meter: true }];
const REACH_COLUMNS = [{ key: "from", label: "From offset", type: "bytes" }, { key: "to", label: "To offset", type: "bytes", title: "To the border of a row of the picture" }];

function columnRows(grid, nameOf) {
	return grid.reach.map(([first, last], column) => ({ column, name: nameOf(column), read: number(grid.column_read[column]), written: number(grid.column_written[column]), from: first * grid.row_bytes, to: (last + 1) * grid.row_bytes })).filter((row) => row.read || row.written);
}

function offsetTables({ time, rank }) {
	const parts = time.row_read.map((read, row) => ({ from: row * time.row_bytes, to: (row + 1) * time.row_bytes, read: number(read), written: number(time.row_written[row]) })).filter((row) => row.read || row.written);
	return [tableBehind({ caption: "By offset", label: "Bytes by offset, as a table", rows: parts, search: false, columns: [...REACH_COLUMNS.map((column) => ({ ...column, title: null })), ...MOVED_COLUMNS] }),
		tableBehind({ caption: "Offsets by rank", label: "Offsets by rank, as a table", rows: columnRows(rank, (column) => columnName(rank, column)), search: false, columns: [{ key: "column", label: "Ranks", type: "count", show: (row) => row.name }, ...MOVED_COLUMNS, ...REACH_COLUMNS] }),
		tableBehind({ caption: "Offsets by time", label: "Offsets by time, as a table", rows: columnRows(time, (column) => timeColumnText(time, column)), search: false, columns: [{ key: "column", label: "From", type: "count", show: (row) => row.name }, ...MOVED_COLUMNS, ...REACH_COLUMNS] })];
}

function offsetSentence(file) {
	const added = (values) => values.reduce((all, value) => all + number(value), 0), read = added(file.time.column_read), written = added(file.time.column_written);
	const rows = columnRows(file.rank, String).length;
	return [bytesText(read) + " read, " + bytesText(written) + " written, by " + counted(rows, file.rank.width > 1 ? "group of ranks" : "rank", file.rank.width > 1 ? "groups of ranks" : "ranks") + "; a row of the pictures is " + bytesText(file.time.row_bytes) + ".",
		number(file.unknown) ? " Of " + counted(number(file.unknown), "transfer") + " it is not known where: they are not shown." : ""];
}

function offsetsPanel() {
	if (!data.offsets.length)
		return;
	const shown = data.offsets.map((file) => ({ ...file, time: decodedGrid(file.time), rank: decodedGrid(file.rank) }));
	const chosen = { file: shown[0], shown: "both" }, words = sentence(), tables = element("div");
	const byTime = offsetTimeCanvas(chosen), byRank = new RankCanvas(chosen);
	const fill = () => {
		words.replaceChildren(...offsetSentence(chosen.file));
		tables.replaceChildren(...offsetTables(chosen.file));
		byTime.cursor.forget();
		byRank.cursor.forget();
		byTime.paint();
		byRank.paint();
	};
	const paths = element("select", { "aria-label": "File" }, shown.map((file, i) => element("option", { value: i }, file.path.length > 70 ? "\u2026" + file.path.slice(-69) : file.path)));
	const moves = element("select", { "aria-label": "Reads or writes" }, MOVES_SHOWN.map(([value, name]) => element("option", { value }, name)));
	paths.addEventListener("change", () => {
		chosen.file = shown[Number(paths.value)];
		fill();
	});
	moves.addEventListener("change", () => {
		chosen.shown = moves.value;
		fill();
	});
	panel("offsets", "Offsets", "In which order are files read and written, and by whom?", timeControls(paths, moves), words,
		element("div", { class: "pictures" }, element("div", {}, element("h3", {}, "Offset by time"), byTime.element, byTime.cursor.said), element("div", {}, element("h3", {}, "Offset by rank"), byRank.element, byRank.cursor.said)),
		element("ul", { class: "legend" }, element("li", {}, swatch("var(--c0)"), "read"), element("li", {}, swatch("var(--c3)"), "written"), element("li", {}, "the stronger, the more bytes")), tables);
	fill();
}

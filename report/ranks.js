// SPDX-License-Identifier: MIT
// ranks.js - ranks beside each other.

const RANK_PARTS = [["files", "on files"], ["mpi", "in MPI"], ["other", "in other calls"]];

function rankParts(rank) {
	const parts = RANK_PARTS.map(([key]) => Math.max(0, rank[key]));
	return [...parts, Math.max(0, rank.wall - parts.reduce((all, part) => all + part, 0))];
}

// What columns can show, from bottom to top.
const RANK_CHARTS = {
	time: { name: "time", parts: rankParts, names: [...RANK_PARTS.map(([, name]) => name), "program"], colors: [...RANK_PARTS.map(([key]) => USE_COLORS[key]), USE_COLORS.program], show: timeText },
	calls: { name: "calls", parts: (rank) => [rank.calls], names: ["calls"], colors: ["--c0"], show: (value) => shortCount(Math.round(value)) },
	bytes: { name: "bytes of files of data", parts: (rank) => [rank.bytes_read, rank.bytes_written], names: ["read", "written"], colors: [USE_COLORS.reads, USE_COLORS.writes], show: (value) => bytesText(Math.round(value)) },
	used: { name: "files of data", parts: (rank) => [rank.used], names: ["files of data with calls on them"], colors: ["--c2"], show: (value) => shortCount(Math.round(value)) } };

// What is side by side: ranks, or of too many of them groups, with the mean of their ranks.
const rankGroups = rowsOf("rank_groups").map((row, i) => ({ ...row, group: groups[i] }));
const rankColumns = rankGroups.length ? rankGroups : ranks;

function rankColumnTitle(column) {
	return column.group ? groupTitle(column.group) + ", on average" : (column.name ? "" : "rank ") + rankName(column) + (column.host ? " on " + column.host : "");
}

function drawRanks(holder, chart) {
	const width = Math.max(300, holder.clientWidth || 900), height = 220, left = 62, bottom = 24, room = width - left;
	const tallest = Math.max(...rankColumns.map((rank) => chart.parts(rank).reduce((all, part) => all + part, 0)), 1);
	const step = room / rankColumns.length, thick = Math.max(1, Math.min(48, step * (step > 6 ? .8 : 1)));
	const paths = chart.colors.map(() => "");
	rankColumns.forEach((rank, i) => {
		let y = height - bottom;
		chart.parts(rank).forEach((part, k) => {
			const tall = part / tallest * (height - bottom - 8);
			y -= tall;
			if (tall > 0)
				paths[k] += `M${(left + step * (i + .5) - thick / 2).toFixed(2)} ${y.toFixed(2)}h${thick.toFixed(2)}v${tall.toFixed(2)}h${(-thick).toFixed(2)}z`;
		});
	});
	const marks = [0, .5, 1].map((share) => {
		const y = height - bottom - share * (height - bottom - 8);
		return [drawn("line", { class: "axis", x1: left, x2: width, y1: y, y2: y }), drawn("text", { x: left - 6, y: y + 4, "text-anchor": "end" }, chart.show(share * tallest))];
	});
	const every = Math.max(1, stepFor(44 / step, 1));
	const names = rankColumns.map((rank, i) => i % every === 0 ? drawn("text", { x: left + step * (i + .5), y: height - 7, "text-anchor": "middle" }, rankName(rank.group || rank)) : null);
	const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": "Of each rank: " + chart.names.join(", ") + "; the table below has the numbers" }, marks, names);
	paths.forEach((path, k) => svg.append(styled(drawn("path", { d: path }), { fill: "var(" + chart.colors[k] + ")" })));
	svg.addEventListener("pointermove", (event) => {
		const box = svg.getBoundingClientRect();
		const rank = rankColumns[Math.floor(((event.clientX - box.left) * width / box.width - left) / step)];
		if (!rank)
			return hideTip();
		const parts = chart.parts(rank);
		showTip(event.clientX, event.clientY, [rankColumnTitle(rank), ...chart.names.map((name, i) => name + " " + chart.show(parts[i]))].join("\n"));
	});
	svg.addEventListener("pointerleave", hideTip);
	holder.replaceChildren(svg);
}

function rankChart() {
	const holder = element("div", { class: "chart" }), legend = element("ul", { class: "legend" });
	let chart = RANK_CHARTS.time;
	const draw = () => {
		drawRanks(holder, chart);
		legend.replaceChildren(...chart.names.map((name, i) => element("li", {}, swatch("var(" + chart.colors[i] + ")"), name)));
	};
	const list = element("select", { "aria-label": "What the columns show" }, Object.entries(RANK_CHARTS).map(([value, one]) => element("option", { value }, one.name)));
	list.addEventListener("change", () => {
		chart = RANK_CHARTS[list.value];
		draw();
	});
	onRedraw(draw);
	return [element("div", { class: "tools" }, list), holder, legend];
}

function imbalance(use, what) {
	const row = rowsOf("rank_most").find((one) => one.use === use);
	if (!row || row.ranks < 2 || !(row.mean > 0))
		return null;
	return sentence("Most time " + what + ": rank ", element("b", {}, rankName(row)), " with " + timeText(row.most) + ", " + (row.most / row.mean).toFixed(2) + " times the mean of " + timeText(row.mean) + ".");
}

function ranksPanel() {
	if (!ranks.length)
		return;
	panel("ranks", "Ranks", "Which rank is slow, which one waits?", imbalance("files", "on files"), imbalance("mpi", "in MPI"), rankGroups.length ? sentence("There are too many ranks for a column each: those of a group are one, with their mean. The table has those with most time on files, with most and least in MPI, and those that lasted longest.") : null, rankChart(), table({
		caption: "Ranks", rows: ranks, sort: { key: "rank", descending: false }, foot: restOf("ranks", "more ranks"), columns: [
			{ key: "rank", label: "Rank", type: "count", show: (row) => rankName(row), value: (row) => row.world * 2 ** 31 + row.rank }, { key: "host", label: "Host" },
			{ key: "wall", label: "Duration", type: "time" }, { key: "files", label: "On files", type: "time", meter: true, title: "Self time of the main thread in calls on files" },
			{ key: "mpi", label: "In MPI", type: "time", meter: true }, { key: "other", label: "Other calls", type: "time" },
			{ key: "elsewhere", label: "Elsewhere", type: "time", value: (row) => row.files_elsewhere + row.mpi_elsewhere + row.other_elsewhere, title: "Other threads and child processes, all calls" },
			{ key: "calls", label: "Calls", type: "count" }, { key: "errors", label: "Failed", type: "count" },
			{ key: "bytes_read", label: "Read", type: "bytes", title: "Of files of data" }, { key: "bytes_written", label: "Written", type: "bytes", title: "Of files of data" },
			{ key: "used", label: "Files", type: "count", title: "Of data, with calls on them" }, { key: "streams", label: "Processes", type: "count" }] }));
}

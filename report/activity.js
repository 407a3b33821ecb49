// SPDX-License-Identifier: MIT
// activity.js - how many threads are in which layer, over time.

// [layer, mean number of threads in it by bin]
function activityLines() {
	return layers.filter((layer) => series.layers[layer.layer]).map((layer) => ({ layer: layer.layer, values: series.layers[layer.layer].self.map((ns) => number(ns) / binWidth) })).filter((line) => line.values.some((value) => value > 0));
}

// Lines {name, color, values by bin} on top of each other; `unit` is what they count.
function stackedCanvas(label, lines, unit) {
	const tops = lines.map((_, k) => lines[0].values.map((_, bin) => lines.slice(0, k + 1).reduce((all, line) => all + line.values[bin], 0)));
	const most = Math.max(...tops[tops.length - 1], 1e-9), ceiling = stepFor(most, 4) * Math.ceil(most / stepFor(most, 4) - 1e-9);
	return new TimeCanvas({
		label, left: 62, height: () => 200,
		draw(context, box, timeToX) {
			const y = (value) => 8 + (box.height - 8) * (1 - value / ceiling), step = stepFor(ceiling, 4);
			context.save();
			context.beginPath();
			context.rect(box.x, 0, box.width, box.height);
			context.clip();
			lines.forEach((line, k) => {
				context.beginPath();
				const low = (bin) => k ? tops[k - 1][bin] : 0;
				for (let bin = 0; bin < series.bins; bin++) {
					context.lineTo(timeToX(binTime(bin)), y(tops[k][bin]));
					context.lineTo(timeToX(binTime(bin + 1)), y(tops[k][bin]));
				}
				for (let bin = series.bins - 1; bin >= 0; bin--) {
					context.lineTo(timeToX(binTime(bin + 1)), y(low(bin)));
					context.lineTo(timeToX(binTime(bin)), y(low(bin)));
				}
				context.fillStyle = colorOf(line.color);
				context.fill();
			});
			context.restore();
			context.textAlign = "right";
			for (let value = 0; value <= ceiling * 1.0001; value += step) {
				context.fillStyle = colorOf("--muted");
				context.fillText(String(+value.toPrecision(3)), box.x - 7, y(value) + 4);
				context.fillStyle = colorOf("--line");
				context.fillRect(box.x - 4, y(value), 4, 1);
			}
		},
		hover(time) {
			const bin = binAt(time);
			return [binText(bin), ...lines.map((line) => line.name + " " + line.values[bin].toFixed(2) + " " + unit)].join("\n");
		} });
}

function activityPanel() {
	const lines = series.bins ? activityLines() : [];
	if (!lines.length)
		return;
	const rows = lines[0].values.map((_, bin) => ({ bin, begin: binTime(bin), ...Object.fromEntries(lines.map((line) => [line.layer, Math.round(line.values[bin] * binWidth)])) }));
	panel("activity", "Activity over time", "How many threads are in calls of which layer?", timeControls(), stackedCanvas("Threads in each layer over time; the table below has the numbers", lines.map((line) => ({ ...line, name: line.layer, color: LAYER_COLORS[line.layer] || "--c6" })), "threads").element,
		element("ul", { class: "legend" }, lines.map((line) => element("li", {}, swatch(layerColor(line.layer)), line.layer))),
		tableBehind({ caption: "Activity over time", rows, search: false, sort: { key: "begin", descending: false }, columns: [{ key: "begin", label: "From", type: "time" }, ...lines.map((line) => ({ key: line.layer, label: "In " + line.layer, type: "time" }))] }));
}

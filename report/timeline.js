// SPDX-License-Identifier: MIT
// timeline.js - the part of the run that all charts over time show together: chosen by dragging, by buttons, or by keys on these.

const series = data.series;
const binWidth = number(series.width);
// Where the part of the run begins that the page is of, and how long it is.
const timeBegin = number(series.begin);
const wholeTime = Math.max(1, Math.min(trace.duration - timeBegin, series.bins * binWidth) || 1);
const view = { from: timeBegin, to: timeBegin + wholeTime };
const viewers = [];

// `follow` is called at once and whenever the view changes.
function onView(follow) {
	viewers.push(follow);
}

function setView(from, to) {
	const least = Math.min(wholeTime, binWidth * 2);
	let width = Math.min(wholeTime, Math.max(least, to - from));
	view.from = Math.min(Math.max(timeBegin, from), timeBegin + wholeTime - width);
	view.to = view.from + width;
	for (const follow of viewers)
		follow();
}

function viewAll() {
	setView(timeBegin, timeBegin + wholeTime);
}

function zoom(factor) {
	const middle = (view.from + view.to) / 2, half = (view.to - view.from) / 2 * factor;
	setView(middle - half, middle + half);
}

function move(share) {
	const by = (view.to - view.from) * share;
	setView(view.from + by, view.to + by);
}

const MOVES = [["Zoom in", "+", () => zoom(.5)], ["Zoom out", "\u2212", () => zoom(2)], ["Earlier", "\u25c0", () => move(-.5)], ["Later", "\u25b6", () => move(.5)], ["Whole run", "Whole run", viewAll]];

const KEYS = { "+": () => zoom(.5), "=": () => zoom(.5), "-": () => zoom(2), ArrowLeft: () => move(-.25), ArrowRight: () => move(.25), Home: viewAll };

function timeControls(...more) {
	const range = element("span", { class: "count range", role: "status" });
	onView(() => {
		range.textContent = axisTimes([view.from, view.to], (view.to - view.from) / 100).join(" to ");
	});
	return element("div", { class: "tools controls" }, more, MOVES.map(([name, text, act]) => {
		const button = element("button", { type: "button", "aria-label": name === text ? null : name, title: name });
		button.textContent = text;
		button.addEventListener("click", act);
		return button;
	}), range, element("span", { class: "count" }, "drag over a chart to zoom"));
}

// Times as on an axis: in one unit, with as many digits as their distance needs.
function axisTimes(values, step) {
	const most = Math.max(...values.map(Math.abs), 1);
	const [unit, name] = [[1e9, "s"], [1e6, "ms"], [1e3, "\u00b5s"], [1, "ns"]].find(([size]) => most >= size) || [1, "ns"];
	const decimals = Math.min(9, Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9)));
	return values.map((value) => (value / unit).toFixed(decimals) + "\u00a0" + name);
}

// Round steps for at most so many marks.
function stepFor(span, marks) {
	const rough = span / marks, power = 10 ** Math.floor(Math.log10(rough));
	return power * [1, 2, 5, 10].find((factor) => power * factor >= rough);
}

function timeMarks(pixels) {
	const step = stepFor(view.to - view.from, Math.max(2, pixels / 110)), values = [];
	for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step)
		values.push(at);
	const texts = axisTimes(values, step);
	return values.map((value, i) => ({ value, text: texts[i] }));
}

// ---- a canvas over time ----

/*
 * {height(), left, draw(context, box, timeToX), hover(time, y) -> text, label, keys (what they do, if not what they do elsewhere), walk(event) -> whether that was for it}: the canvas has the width of its holder, an axis below, and zooms where one drags.
 */
class TimeCanvas {
	constructor(options) {
		Object.assign(this, options);
		this.canvas = element("canvas", { role: "img", tabindex: "0", "aria-label": this.label + ". Keys: " + (this.keys || "+ and - zoom, arrows move, Home shows all.") });
		this.selection = styled(element("div", { class: "selection" }), { display: "none" });
		this.element = element("div", { class: "chart over-time" }, this.canvas, this.selection);
		this.canvas.addEventListener("pointerdown", (event) => this.press(event));
		this.canvas.addEventListener("pointermove", (event) => this.point(event));
		this.canvas.addEventListener("pointerup", (event) => this.release(event));
		this.canvas.addEventListener("pointerleave", hideTip);
		this.canvas.addEventListener("dblclick", viewAll);
		this.canvas.addEventListener("keydown", (event) => this.key(event));
		onView(() => this.paint());
		onRedraw(() => this.paint());
	}

	paint() {
		const ratio = devicePixelRatio || 1, width = Math.max(260, this.element.clientWidth || 900), tall = this.height(), height = tall + 24;
		this.box = { x: this.left, y: 0, width: width - this.left - 12, height: tall };
		this.canvas.width = Math.round(width * ratio);
		this.canvas.height = Math.round(height * ratio);
		styled(this.canvas, { width: width + "px", height: height + "px" });
		const context = this.canvas.getContext("2d");
		context.scale(ratio, ratio);
		context.font = "11px system-ui, sans-serif";
		this.axis(context);
		this.draw(context, this.box, (time) => this.timeToX(time));
	}

	axis(context) {
		const { x, width, height } = this.box;
		context.textAlign = "center";
		for (const mark of timeMarks(width)) {
			const at = this.timeToX(mark.value);
			context.fillStyle = colorOf("--line");
			context.fillRect(Math.round(at), 0, 1, height + 5);
			context.fillStyle = colorOf("--muted");
			context.fillText(mark.text, Math.min(Math.max(at, x + 18), x + width - 14), height + 18);
		}
	}

	timeToX(time) {
		return this.box.x + (time - view.from) / (view.to - view.from) * this.box.width;
	}

	timeAt(event) {
		const share = (event.clientX - this.canvas.getBoundingClientRect().left - this.box.x) / this.box.width;
		return view.from + Math.min(1, Math.max(0, share)) * (view.to - view.from);
	}

	key(event) {
		if (this.walk && this.walk(event))
			return event.preventDefault();
		const act = KEYS[event.key];
		if (!act || event.ctrlKey || event.altKey || event.metaKey)
			return;
		act();
		event.preventDefault();
	}

	press(event) {
		this.pressed = { x: event.clientX, time: this.timeAt(event) };
		this.canvas.setPointerCapture(event.pointerId);
	}

	point(event) {
		const box = this.canvas.getBoundingClientRect();
		if (this.pressed) {
			const [a, b] = [this.timeToX(this.pressed.time), this.timeToX(this.timeAt(event))].sort((x, y) => x - y);
			styled(this.selection, { display: "block", left: a + "px", width: b - a + "px", height: this.box.height + "px" });
		}
		const text = this.hover(this.timeAt(event), event.clientY - box.top);
		if (text)
			showTip(event.clientX, event.clientY, text);
		else
			hideTip();
	}

	release(event) {
		const pressed = this.pressed;
		this.pressed = null;
		styled(this.selection, { display: "none" });
		if (!pressed || Math.abs(event.clientX - pressed.x) < 4)
			return;
		const [from, to] = [pressed.time, this.timeAt(event)].sort((a, b) => a - b);
		setView(from, to);
	}
}

// Where a bin begins.
function binTime(bin) {
	return timeBegin + bin * binWidth;
}

function binAt(time) {
	return Math.min(series.bins - 1, Math.max(0, Math.floor((time - timeBegin) / binWidth)));
}

function binText(bin) {
	return axisTimes([binTime(bin), binTime(bin + 1)], binWidth / 10).join(" to ");
}

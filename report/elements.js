// SPDX-License-Identifier: MIT
// elements.js - making elements. Text always becomes text: nothing here parses markup.

// element("p", {class: "x", title: "y"}, "text", child, null, [more])
function element(name, attributes, ...children) {
	return filled(document.createElement(name), attributes, children);
}

function drawn(name, attributes, ...children) {
	return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(node, attributes, children) {
	for (const [key, value] of Object.entries(attributes || {}))
		if (value !== null && value !== undefined && value !== false)
			node.setAttribute(key, value === true ? "" : value);
	node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
	return node;
}

// The policy forbids style attributes; properties may be set.
function styled(node, properties) {
	for (const [key, value] of Object.entries(properties))
		node.style.setProperty(key, value);
	return node;
}

function swatch(color) {
	return styled(element("span", { class: "swatch", "aria-hidden": "true" }), { background: color });
}

function colorOf(variable) {
	return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}

// What to do when the colours or the width of the page change.
const redraws = [];

function onRedraw(draw) {
	redraws.push(draw);
}

function redrawAll() {
	for (const draw of redraws)
		draw();
}

// ---- what is under the pointer ----

const tip = document.getElementById("tip");

function showTip(x, y, text) {
	tip.textContent = text;
	tip.hidden = false;
	const box = tip.getBoundingClientRect();
	styled(tip, { left: Math.max(4, Math.min(x + 14, innerWidth - box.width - 8)) + "px",
		top: (y + 18 + box.height > innerHeight ? y - box.height - 10 : y + 18) + "px" });
}

function hideTip() {
	tip.hidden = true;
}

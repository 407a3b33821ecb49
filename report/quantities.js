// SPDX-License-Identifier: MIT
// quantities.js - numbers as people read them, the same as recorder summary writes.

const NONE = "-";

function threeDigits(value, unit) {
	const decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	return value.toFixed(decimals) + "\u00a0" + unit;
}

function countText(count) {
	return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

function bytesText(bytes) {
	if (bytes <= 0)
		return NONE;
	if (bytes < 1000)
		return bytes + "\u00a0B";
	const units = ["KB", "MB", "GB", "TB", "PB", "EB"];
	let value = bytes / 1e3, unit = 0;
	while (value >= 999.5 && unit + 1 < units.length) {
		value /= 1e3;
		unit++;
	}
	return threeDigits(value, units[unit]);
}

// of nanoseconds
function timeText(ns) {
	if (ns < 0)
		return "-" + timeText(-ns);
	if (ns < 1000)
		return Math.round(ns) + "\u00a0ns";
	if (ns < 999.5e3)
		return threeDigits(ns / 1e3, "\u00b5s");
	if (ns < 999.5e6)
		return threeDigits(ns / 1e6, "ms");
	if (ns < 999.5e9)
		return threeDigits(ns / 1e9, "s");
	return countText(Math.round(ns / 1e9)) + "\u00a0s";
}

function shareText(part, whole) {
	return whole > 0 ? (100 * part / whole).toFixed(1) + "\u00a0%" : NONE;
}

// "1 rank", "2 ranks"
function counted(count, one, many) {
	return countText(count) + "\u00a0" + (count === 1 ? one : many || one + "s");
}

const AS_TEXT = { text: String, count: countText, bytes: bytesText, time: timeText };

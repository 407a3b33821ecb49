// SPDX-License-Identifier: MIT
// sites.js - the places in the program that calls were made from.

const SITE_COLUMNS = [
	{ key: "place", label: "Place", code: true, title: "Function, file and line where the program or library has these, else the offset in it" }, { key: "function", label: "Calls", code: true },
	{ key: "layer", label: "Layer", show: (row) => [swatch(layerColor(row.layer)), row.layer] }, { key: "calls", label: "How often", type: "count" },
	{ key: "time", label: "Time", type: "time", meter: true, title: "From begin to end of the calls" }, { key: "bytes_read", label: "Read", type: "bytes", title: "Of MPI: received" },
	{ key: "bytes_written", label: "Written", type: "bytes", title: "Of MPI: sent" }, { key: "errors", label: "Failed", type: "count" }, { key: "module", label: "In", code: true }];

function sitesPanel() {
	const sites = rowsOf("callsites"), all = number(data.callsites.all), first = sites[0];
	if (!first)
		return;
	panel("sites", "Call sites", "Which line of the program is it?", sentence("Most time: ", element("b", { class: "code" }, first.function), " called at ", element("b", { class: "code" }, first.place), ", " + timeText(first.time) + " in " + counted(first.calls, "call") + "."),
		table({ caption: "Places that calls were made from" + (all > sites.length ? ", those with most time of " + countText(all) : ""), rows: sites, sort: { key: "time", descending: true }, columns: SITE_COLUMNS,
			choice: { label: "Layer", options: [["all layers", () => true], ...layers.map((layer) => [layer.layer, (row) => row.layer === layer.layer])] } }));
}

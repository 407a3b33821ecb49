// SPDX-License-Identifier: MIT
// data.js - the data of the page: tables of tools/report_data.h as lists of objects.

const data = JSON.parse(document.getElementById("data").textContent);
const trace = data.trace;

// Numbers beyond 2^53 came as strings.
const NAMES = new Set(("layer use function place module operation error path class host program state reason meaning key value id parent " +
	"identity rule when text advice panel name direction command dir directory source type started absent run_id recorder report_version cwd").split(" "));

function number(value) {
	return typeof value === "string" ? Number(value) : value;
}

function rowsOf(name) {
	const table = data[name] || trace[name];
	if (!table)
		return [];
	return table.rows.map((row) => Object.fromEntries(row.map((value, i) => {
		const key = table.columns[i];
		return [key, NAMES.has(key) ? value : number(value)];
	})));
}

for (const key of Object.keys(trace))
	if (!NAMES.has(key))
		trace[key] = number(trace[key]);

const layers = rowsOf("layers");
const functions = rowsOf("functions");
const ranks = rowsOf("ranks");
const files = rowsOf("files");
const errors = rowsOf("errors");

function sum(rows, key) {
	return rows.reduce((all, row) => all + (typeof key === "function" ? key(row) : row[key]), 0);
}

// Several jobs in one, by MPI_Comm_spawn.
const spawned = ranks.some((row) => row.world > 0 && !row.name);

// A rank, or what a process beside the job is called.
function rankName(row) {
	return row.name || (spawned ? row.world + ":" : "") + row.rank;
}

// ---- colours, one a layer ----

const LAYER_COLORS = { posix: "--c0", stdio: "--c5", mpi: "--c1", mpiio: "--c3", hdf5: "--c2", netcdf: "--c7", pnetcdf: "--c4",
	user: "--c6", native: "--c6", python: "--c7", net: "--c4", thread: "--c8", mem: "--c9", kernel: "--c2", block: "--c3", writeback: "--c1" };
const USE_COLORS = { reads: "--c0", writes: "--c3", files: "--c0", mpi: "--c1", other: "--c4", program: "--program" };

function layerColor(layer) {
	return "var(" + (LAYER_COLORS[layer] || "--c6") + ")";
}

// SPDX-License-Identifier: MIT
// phases.js - epochs and steps: what each did, and which process waited for data in it.

const phases = rowsOf("phases").map((row, i) => ({ ...row, line: i, files: filesTime(row) }));
const PHASE_VIEWS = [["loading", "waiting for data", "--c3"], ["files", "on files", "--c0"]];

function phaseSentence(epochs, steps) {
	const whole = epochs.length ? epochs : steps, time = sum(whole, "time"), loading = sum(whole, "loading"), words = [];
	if (epochs.length)
		words.push(counted(epochs.length, "epoch") + " of " + timeText(sum(epochs, "length") / epochs.length) + " on average. ");
	if (steps.length) {
		const longest = steps.reduce((most, row) => row.length > most.length ? row : most);
		words.push(counted(number(data.phases.steps), "step") + "; the longest took " + timeText(longest.length) + " (" + longest.name + "). ");
	}
	words.push(element("b", {}, shareText(sum(whole, "files_alone"), time)), " of the time of their processes was on files while nothing else went on in these");
	words.push(loading ? "; the program waited " + timeText(loading) + " for data." : ".");
	return sentence(...words);
}

// A line for each process, in which the picture of a phase is as dark as the share of its time.
function phaseLines() {
	const parts = data.phase_processes, cells = Object.fromEntries(PHASE_VIEWS.map(([key]) => [key, parts[key].lines.map((line) => decodeCells(line, phases.length, number(parts[key].most)))]));
	return parts.processes.map(([world, rank, pid, own], i) => ({ name: own ? rankName({ world, rank }) : rankName({ world, rank }) + " · " + pid, title: "rank " + rankName({ world, rank }) + ", process " + pid + (own ? "" : ", a child"),
		loading: cells.loading[i], files: cells.files[i], order: [world, rank, -own, pid] })).sort((a, b) => a.order.map((value, i) => value - b.order[i]).find((difference) => difference) || 0);
}

function phaseCellText(lines, line, phase) {
	return [phase.name, lines[line].title, "lasts " + timeText(phase.length), ...PHASE_VIEWS.map(([key, name]) => name + " for about " + timeText(lines[line][key][phase.line]))].join("\n");
}

function phaseCanvas(lines, shown, chosen) {
	const TALL = Math.max(10, Math.min(22, 320 / lines.length)), said = element("p", { class: "count walked", role: "status" });
	let at = null;
	const walk = (event) => {
		const step = STEPS[event.key];
		if (!step || event.ctrlKey || event.altKey || event.metaKey)
			return false;
		const within = (value, count) => Math.min(count - 1, Math.max(0, value));
		at = at ? { phase: within(at.phase + step[0], shown.length), line: within(at.line - step[1], lines.length) } : { phase: 0, line: 0 };
		const phase = shown[at.phase];
		said.textContent = phaseCellText(lines, at.line, phase).replaceAll("\n", ", ");
		if (phase.end <= view.from || phase.begin >= view.to)
			setView(phase.begin - (view.to - view.from) / 2, phase.begin + (view.to - view.from) / 2);
		else
			canvas.paint();
		return true;
	};
	const canvas = new TimeCanvas({
		label: "Epochs and steps of each process over time; the table below has them", left: 92, height: () => Math.round(TALL * lines.length) + 4, keys: "arrows walk from one to the next, + and - zoom, Home shows all.", walk,
		draw(context, box, timeToX) {
			const [key, , color] = chosen(), ramp = rampOf(color);
			context.save();
			context.beginPath();
			context.rect(box.x, 0, box.width, box.height);
			context.clip();
			lines.forEach((line, i) => shown.forEach((phase, k) => {
				const from = timeToX(phase.begin), wide = Math.max(1, timeToX(phase.end) - from);
				const [red, green, blue] = rampColor(ramp, Math.min(1, line[key][phase.line] / Math.max(1, phase.length)));
				context.fillStyle = `rgb(${red | 0} ${green | 0} ${blue | 0})`;
				context.fillRect(from, i * TALL, wide > 3 ? wide - 1 : wide, TALL - 1);
				if (at && at.phase === k && at.line === i) {
					context.strokeStyle = colorOf("--text");
					context.lineWidth = 2;
					context.strokeRect(from, i * TALL, Math.max(3, wide), TALL - 1);
				}
			}));
			context.restore();
			context.textAlign = "right";
			context.fillStyle = colorOf("--muted");
			lines.forEach((line, i) => (lines.length < 24 || i % 4 === 0) && context.fillText(line.name, box.x - 7, i * TALL + TALL / 2 + 4));
		},
		hover(time, y) {
			const line = Math.floor(y / TALL), phase = shown.find((one) => time >= one.begin && time < one.end);
			return phase && line >= 0 && line < lines.length ? phaseCellText(lines, line, phase) : "";
		} });
	return [canvas, said];
}

function phaseTable(epochs, steps) {
	const options = [["epochs and steps", () => true], ["epochs", (row) => !row.is_step], ["steps", (row) => row.is_step]];
	return table({ caption: "Epochs and steps", rows: phases, sort: { key: "line", descending: false }, choice: epochs.length && steps.length ? { label: "Epochs or steps", options } : null, columns: [
		{ key: "line", label: "Phase", type: "count", show: (row) => row.name }, { key: "begin", label: "From", type: "time" }, { key: "length", label: "Length", type: "time", meter: true }, { key: "processes", label: "Processes", type: "count" },
		{ key: "loading", label: "For data", type: "time", meter: true, title: "Fetches of iterators over data, regions of the category dataloader" }, { key: "files", label: "On files", type: "time", title: "Of all its processes, unions of intervals" },
		{ key: "files_alone", label: "Of it alone", type: "time", meter: true, title: STATE_TITLES.files_alone }, { key: "mpi", label: "MPI", type: "time", title: STATE_TITLES.mpi }, { key: "calls", label: "Calls", type: "count" }, { key: "errors", label: "Failed", type: "count" },
		{ key: "bytes_read", label: "Read", type: "bytes" }, { key: "bytes_written", label: "Written", type: "bytes" }] });
}

function phasesPanel() {
	if (!phases.length)
		return;
	const epochs = phases.filter((row) => !row.is_step), steps = phases.filter((row) => row.is_step), lines = phaseLines(), shown = steps.length ? steps : epochs, left = number(data.phase_processes.left);
	const list = element("select", { "aria-label": "What the picture of phases shows" }, PHASE_VIEWS.map(([, name], i) => element("option", { value: i }, name)));
	if (!phases.some((row) => row.loading))
		list.value = "1";
	const [canvas, said] = phaseCanvas(lines, shown, () => PHASE_VIEWS[Number(list.value)]);
	list.addEventListener("change", () => canvas.paint());
	panel("phases", "Epochs and steps", "Do steps wait for data, or for files, and in which process?", phaseSentence(epochs, steps),
		steps.length < number(data.phases.steps) ? sentence("The " + countText(steps.length) + " longest steps are shown; recorder summary --csv --table phases has all.") : null,
		timeControls(list), canvas.element, said, left ? sentence(counted(left, "process", "processes") + " have no line here.") : null, phaseTable(epochs, steps));
}

// SPDX-License-Identifier: MIT
// waits.js - MPI: who waited for whom.

const WAIT_COLUMNS = [{ key: "late_sender", label: "For a send", type: "time", title: "receives, for what had not been sent" }, { key: "late_receiver", label: "For a receive", type: "time", title: "sends, for their receive to begin" },
	{ key: "late_member", label: "In collectives", type: "time", title: "collective calls, for the last rank or the root" }];

// What the numbers leave out.
function matchingSentence() {
	const matching = Object.fromEntries(Object.entries(data.matching).map(([key, value]) => [key, number(value)])), words = [];
	words.push(counted(matching.messages, "message") + " and " + counted(matching.collective, "collective call") + " were matched.");
	for (const [all, what] of [["sides", "sends and receives"], ["members", "collective calls"]])
		if (matching[all + "_looked_at"] < matching[all])
			words.push("There are too many for all: " + shareText(matching[all + "_looked_at"], matching[all]) + " of the " + what + " were looked at.");
	if (matching.unmatched)
		words.push(counted(matching.unmatched, "send or receive", "sends and receives") + " have no partner in the trace.");
	if (matching.incomplete)
		words.push("Of " + counted(matching.incomplete, "collective call") + " not all members are there.");
	if (matching.reversed)
		words.push(counted(matching.reversed, "message") + " came before they were sent: the clocks of ranks are wrong.");
	if (matching.unknown)
		words.push(counted(matching.unknown, "wait") + " are not known, as it is not known how far clocks are apart.");
	if (matching.left_out + matching.given_up)
		words.push(counted(matching.left_out + matching.given_up, "process", "processes") + " were left out, " + countText(matching.given_up) + " of them after a while.");
	return words.join(" ");
}

function waitSentence(pairs, byRank) {
	const name = (world, rank) => rankName({ world, rank });
	const cause = byRank.reduce((most, row) => row.caused > most.caused ? row : most), first = pairs[0];
	return "Ranks waited " + timeText(number(data.waited)) + " for each other. Most was for rank " + rankName(cause) + ": " + timeText(cause.caused) + ". The longest of a pair: rank " +
		name(first.waiter_world, first.waiter) + " for rank " + name(first.cause_world, first.cause) + ", " + timeText(first.time) + " in " + counted(first.calls, "call") + ".";
}

function waitTables(pairs, byRank) {
	const comms = rowsOf("comm_waits").map((row) => ({ ...row, name: row.name || "without a name, " + row.identity.slice(0, 8) })), all = number(data.wait_pairs.all);
	const order = (world, rank) => world * 2 ** 31 + rank;
	return [element("h3", {}, "Pairs of ranks"), table({ caption: "Who waited for whom" + (all > pairs.length ? ", the pairs with most" : ""), rows: pairs, sort: { key: "time", descending: true }, columns: [
		{ key: "waiter", label: "Rank", type: "count", value: (row) => order(row.waiter_world, row.waiter), show: (row) => rankName({ world: row.waiter_world, rank: row.waiter }) },
		{ key: "cause", label: "waited for", type: "count", value: (row) => order(row.cause_world, row.cause), show: (row) => rankName({ world: row.cause_world, rank: row.cause }) },
		{ key: "calls", label: "Calls", type: "count" }, { key: "time", label: "Waited", type: "time", meter: true }, ...WAIT_COLUMNS] }),
	element("h3", {}, "Ranks"), table({ caption: "Waits by rank" + (number(data.rank_waits.all) > byRank.length ? ", those with most" : ""), rows: byRank, sort: { key: "caused", descending: true }, columns: [
		{ key: "rank", label: "Rank", type: "count", value: (row) => order(row.world, row.rank), show: rankName }, { key: "caused", label: "Others waited for it", type: "time", meter: true },
		{ key: "waited", label: "It waited", type: "time", meter: true }, ...WAIT_COLUMNS, { key: "came_last", label: "Came last", type: "count", title: "collective calls in which others waited for it" }] }),
	element("h3", {}, "Communicators"), table({ caption: "Waits by communicator", rows: comms, search: false, sort: { key: "time", descending: true }, columns: [
		{ key: "name", label: "Communicator", code: true }, { key: "size", label: "Ranks", type: "count" }, { key: "messages", label: "Messages", type: "count" }, { key: "collective", label: "Collective calls", type: "count" },
		{ key: "time", label: "Waited", type: "time", meter: true }, ...WAIT_COLUMNS, { key: "most", label: "Longest", type: "time" }] })];
}

function waitsPanel() {
	const pairs = rowsOf("wait_pairs"), byRank = rowsOf("rank_waits");
	if (!number(data.matching.sides) && !number(data.matching.members))
		return;
	panel("waits", "Waits", "Who waited for whom in MPI?", sentence(pairs.length ? waitSentence(pairs, byRank) : "No rank waited for another one by more than clocks may differ."),
		sentence(matchingSentence()), pairs.length ? waitTables(pairs, byRank) : null);
}

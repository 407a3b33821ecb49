// SPDX-License-Identifier: MIT
// findings.js - what is worth looking at, as recorder findings says it, most time at stake first.

const findings = rowsOf("findings");

// Some are shown; the others are a click away.
const FINDINGS_SHOWN = 6;

function stakeText(finding) {
	const share = finding.at_stake && finding.wall ? ", " + shareText(finding.at_stake, finding.wall) + " of all ranks' time" : "";
	return timeText(finding.at_stake) + " at stake" + share;
}

function findingItem(finding) {
	return element("li", { title: "Rule: " + finding.when }, element("p", {}, finding.text, element("span", { class: "tag" }, stakeText(finding))),
		element("p", { class: "advice" }, finding.advice + " ", element("a", { href: "#" + finding.panel, class: "see" }, "See " + finding.panel)));
}

function findingsPanel() {
	if (!findings.length)
		return panel("findings", "Findings", "What should be looked at first?", sentence("None of " + counted(number(data.rules), "rule") + " found anything worth a look."));
	const list = element("ol", { class: "findings" }, findings.slice(0, FINDINGS_SHOWN).map(findingItem)), rest = findings.slice(FINDINGS_SHOWN);
	const more = element("button", { type: "button", class: "more", hidden: !rest.length }, "Show all " + countText(findings.length));
	more.addEventListener("click", () => {
		list.append(...rest.map(findingItem));
		linkFindings();
		more.hidden = true;
	});
	panel("findings", "Findings", "What should be looked at first?", list, more);
}

// Links are called what their panels are; those to a panel that is left out go.
function linkFindings() {
	for (const link of content.querySelectorAll("a.see")) {
		const target = document.getElementById(link.hash.slice(1));
		const title = target && target.closest("section").querySelector("h2").textContent;
		if (title)
			link.textContent = "See " + title + ".";
		else
			link.remove();
	}
}

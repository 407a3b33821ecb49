// SPDX-License-Identifier: MIT
// main.js - puts the page together.

const root = document.documentElement;
const themeButton = document.getElementById("theme");
const darkness = matchMedia("(prefers-color-scheme: dark)");

function setTheme(dark) {
	root.classList.toggle("dark", dark);
	themeButton.textContent = dark ? "Light" : "Dark";
	redrawAll();
}

function footer() {
	content.append(element("footer", {}, "Made by Recorder " + trace.report_version + ": ", element("span", { class: "code" }, trace.command), ". Numbers are those of recorder summary; conditions given there hold for all of them."));
}

function watchWidth() {
	let width = innerWidth;
	addEventListener("resize", () => {
		if (innerWidth !== width)
			redrawAll();
		width = innerWidth;
	});
}

// Paper is white, and charts are drawn anew for its width.
function watchPrinting() {
	let dark = false;
	addEventListener("beforeprint", () => {
		dark = root.classList.contains("dark");
		root.classList.add("paper");
		setTheme(false);
	});
	addEventListener("afterprint", () => {
		root.classList.remove("paper");
		setTheme(dark);
	});
}

headerPanel();
findingsPanel();
timePanel();
usagePanel();
overlapPanel();
phasesPanel();
seriesPanel();
burstsPanel();
heatPanel();
activityPanel();
ranksPanel();
functionsPanel();
sitesPanel();
sizesPanel();
filesPanel();
offsetsPanel();
conflictsPanel();
layersPanel();
metadataPanel();
messagesPanel();
waitsPanel();
processesPanel();
environmentPanel();
footer();
setTheme(darkness.matches);
darkness.addEventListener("change", () => setTheme(darkness.matches));
themeButton.addEventListener("click", () => setTheme(!root.classList.contains("dark")));
viewAll();
watchWidth();
watchPrinting();
linkFindings();
watchPanels();

// SPDX-License-Identifier: MIT
// panels.js - panels and the list of them.

const content = document.getElementById("content");
const contents = document.getElementById("contents");

// A panel answers a question; `id` is its place in the address, for links.
function panel(id, title, question, ...children) {
	const heading = id + "-title";
	content.append(element("section", { id, "aria-labelledby": heading }, element("h2", { id: heading }, title), element("p", { class: "question" }, question), children));
	listPanel(id, title);
}

function listPanel(id, title) {
	contents.append(element("li", {}, element("a", { href: "#" + id }, title)));
}

function sentence(...words) {
	return element("p", { class: "sentence" }, words);
}

// The link of the panel that is in view is marked.
function watchPanels() {
	const links = new Map([...contents.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
	const seen = new Set();
	const watcher = new IntersectionObserver((entries) => {
		for (const entry of entries)
			if (entry.isIntersecting)
				seen.add(entry.target.id);
			else
				seen.delete(entry.target.id);
		let first = true;
		for (const [id, link] of links) {
			link.classList.toggle("here", first && seen.has(id));
			first = first && !seen.has(id);
		}
	}, { rootMargin: "-70px 0px -40% 0px" });
	for (const section of content.querySelectorAll("section"))
		watcher.observe(section);
}

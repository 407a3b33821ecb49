// SPDX-License-Identifier: MIT
// table.js - tables that can be sorted and searched.

// Rows at first; a button shows all.
const ROWS_SHOWN = 15;

/*
 * A column: {key, label, type: text count bytes time, title, code, name, meter, value(row), show(row)}: `key` names what is sorted by, `value` gives it if
 * it is no property; `show` gives nodes in place of text; `meter` draws its share of the largest value. The first column heads the row.
 */
class Table {
	constructor(options) {
		this.columns = options.columns;
		this.rows = options.rows;
		this.caption = options.caption;
		this.foot = options.foot;
		this.sort = options.sort || null;
		this.all = options.rows.length <= (options.shown || ROWS_SHOWN) + 3;
		this.limit = options.shown || ROWS_SHOWN;
		this.needle = "";
		this.choice = options.choice || null;
		this.element = this.build(options);
		this.fill();
	}

	build(options) {
		this.body = element("tbody");
		this.heads = this.columns.map((column) => this.head(column, options.fixed));
		this.count = element("span", { class: "count", role: "status" });
		this.moreButton = element("button", { type: "button", class: "more" });
		this.moreButton.addEventListener("click", () => {
			this.all = !this.all;
			this.fill();
		});
		const table = element("table", {}, element("caption", { class: "hidden" }, this.caption), element("thead", {}, element("tr", {}, this.heads)),
			this.body, this.foot ? element("tfoot", {}, this.footRow()) : null);
		const scroll = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": this.caption + ", table" }, table);
		return element("div", { class: "table" }, options.search === false || (options.rows.length < 8 && !options.choice) ? null : this.tools(), scroll, this.moreButton);
	}

	tools() {
		const input = element("input", { type: "search", placeholder: "Search", "aria-label": "Search in: " + this.caption });
		input.addEventListener("input", () => {
			this.needle = input.value.toLowerCase();
			this.fill();
		});
		return element("div", { class: "tools" }, input, this.choice ? this.select() : null, this.count);
	}

	// A list to choose from: {label, options: [[name, test(row)]]}.
	select() {
		const list = element("select", { "aria-label": this.choice.label }, this.choice.options.map(([name], i) => element("option", { value: i }, name)));
		list.addEventListener("change", () => {
			this.chosen = Number(list.value);
			this.fill();
		});
		this.chosen = 0;
		return list;
	}

	head(column, fixed) {
		const number = column.type && column.type !== "text";
		const attributes = { scope: "col", class: number ? "number" : null, title: column.title };
		if (fixed)
			return element("th", attributes, column.label);
		const button = element("button", { type: "button" }, column.label);
		button.addEventListener("click", () => this.sortBy(column.key, number));
		return element("th", { ...attributes, "data-key": column.key }, button);
	}

	sortBy(key, descendingFirst) {
		const descending = this.sort && this.sort.key === key ? !this.sort.descending : Boolean(descendingFirst);
		this.sort = { key, descending };
		this.fill();
	}

	valueOf(column, row) {
		return column.value ? column.value(row) : row[column.key];
	}

	isChosen(row) {
		return !this.choice || this.choice.options[this.chosen || 0][1](row);
	}

	matches(row) {
		return !this.needle || this.columns.some((column) => (!column.type || column.type === "text") &&
			String(this.valueOf(column, row)).toLowerCase().includes(this.needle));
	}

	sorted(chosen) {
		const rows = chosen.filter((row) => this.matches(row));
		if (!this.sort)
			return rows;
		const column = this.columns.find((one) => one.key === this.sort.key);
		const sign = this.sort.descending ? -1 : 1;
		return rows.sort((a, b) => {
			const x = this.valueOf(column, a), y = this.valueOf(column, b);
			return sign * (typeof x === "string" ? x.localeCompare(y) : x - y);
		});
	}

	fill() {
		const chosen = this.rows.filter((row) => this.isChosen(row)), rows = this.sorted(chosen);
		const shown = this.all ? rows : rows.slice(0, this.limit);
		for (const column of this.columns)
			if (column.meter)
				column.largest = Math.max(...chosen.map((row) => this.valueOf(column, row)), 0);
		this.body.replaceChildren(...shown.map((row) => this.row(row)));
		this.heads.forEach((head, i) => {
			const here = this.sort && this.sort.key === this.columns[i].key;
			if (here)
				head.setAttribute("aria-sort", this.sort.descending ? "descending" : "ascending");
			else
				head.removeAttribute("aria-sort");
		});
		this.count.textContent = (shown.length < chosen.length ? countText(shown.length) + " of " : "") + counted(chosen.length, "row");
		this.moreButton.hidden = rows.length <= this.limit || (this.all && this.rows.length <= this.limit + 3);
		this.moreButton.textContent = this.all ? "Show fewer" : "Show all " + countText(rows.length);
	}

	row(row) {
		return element("tr", {}, this.columns.map((column, i) => this.cell(column, row, i === 0)));
	}

	cell(column, row, first) {
		const value = this.valueOf(column, row), type = column.type || "text";
		const text = AS_TEXT[type](value);
		const classes = [type === "text" ? "" : "number", column.code ? "code" : "", column.name ? "name" : "", text === NONE ? "none" : ""];
		const attributes = { class: classes.filter(Boolean).join(" ") || null, scope: first ? "row" : null };
		if (type !== "text") {
			attributes["data-value"] = value;
			attributes.title = type === "time" ? countText(Math.round(value)) + " ns" : type === "bytes" ? countText(value) + " bytes" : null;
		}
		return element(first ? "th" : "td", attributes, column.show ? column.show(row) : text, column.meter ? this.meter(column, value) : null);
	}

	meter(column, value) {
		const bar = styled(element("i"), { width: (column.largest > 0 ? 100 * value / column.largest : 0).toFixed(2) + "%" });
		return element("span", { class: "meter", "aria-hidden": "true" }, bar);
	}

	footRow() {
		return element("tr", {}, this.columns.map((column, i) => {
			const value = this.foot[column.key];
			if (i === 0)
				return element("th", { scope: "row" }, this.foot.label);
			return element("td", { class: column.type && column.type !== "text" ? "number" : null, "data-value": value },
				value === undefined ? "" : AS_TEXT[column.type || "text"](value));
		}));
	}
}

function table(options) {
	return new Table(options).element;
}

// The table behind a chart.
function tableBehind(options) {
	return element("details", {}, element("summary", {}, options.label || "As a table"), table(options));
}

// What a table of the trace left out, for its foot.
function restOf(name, label) {
	const rest = data[name];
	if (!rest || !rest.rest)
		return null;
	const [calls, failed, time, self, bytes_read, bytes_written] = rest.rest_sums.map(number);
	return { label: countText(rest.rest) + " " + label, calls, errors: failed, time, self, bytes_read, bytes_written };
}

"use strict";

// Tables can be sorted by any column: by click, or by Enter or Space on the title. Three times
// brings the order back in which the table was written. Without this script they stay as they are.
(function () {
  const texts = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const told = document.getElementById("told");
  const next = { none: "ascending", ascending: "descending", descending: "none" };

  function keyOf(row, column) {
    const cell = row.cells[column];
    const order = cell.dataset.order;
    return order === undefined ? cell.textContent.trim() : Number(order);
  }

  // Numbers stand before words; what has no number stays last, whichever way is sorted.
  function compare(one, other, way) {
    const numbers = [one, other].map((key) => typeof key === "number");
    if (numbers[0] !== numbers[1]) return numbers[0] ? -1 : 1;
    return way * (numbers[0] ? one - other : texts.compare(one, other));
  }

  function sort(table, rows, titles, column) {
    const title = titles[column];
    const order = next[title.getAttribute("aria-sort") || "none"];
    titles.forEach((each) => each.removeAttribute("aria-sort"));
    const sorted = rows.slice();
    if (order !== "none") {
      title.setAttribute("aria-sort", order);
      const way = order === "ascending" ? 1 : -1;
      sorted.sort((a, b) => compare(keyOf(a, column), keyOf(b, column), way));
    }
    table.tBodies[0].append(...sorted);
    told.textContent = told.dataset[order].replace("{column}", title.textContent.trim());
  }

  document.querySelectorAll("table.sortable").forEach((table) => {
    const rows = Array.from(table.tBodies[0].rows);
    const titles = Array.from(table.tHead.rows[0].cells);
    titles.forEach((title, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...title.childNodes);
      button.addEventListener("click", () => sort(table, rows, titles, column));
      title.append(button);
    });
  });
})();

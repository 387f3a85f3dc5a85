/** The form of an action: what it is, what it asks for, what the rules say of it, and the button that does it. */

import { h } from "./dom.js";
import { fieldRow } from "./fields.js";
import { formOf } from "./forms.js";
import { icon, iconButton } from "./icons.js";
import { closeNote, openNote, ruleChip } from "./note.js";
import { oddsLine } from "./odds.js";
import { actionOf, ask, closeOrder, fieldsOf, go, pick, titleOf } from "./order.js";
import { meansSome } from "./picking.js";
import { theirPart, theirsShow, unsaid, waits } from "./theirs.js";
import { judges, moment, state, view } from "./store.js";
import { named, pool, success, verb } from "./words.js";

/** The plain value that the panel shows. */
export const orderShows = () => [view().order, view().known, view().quarter, state().game, theirsShow()];

/** The panel's elements. */
export function orderPanel() {
  const { order } = view();
  const form = formOf(order.action);
  if (!form) return [h("p", { class: "quiet" }, "One moment …")];
  if (order.tried && order.tried.at !== moment()) ask();
  const own = fieldsOf(form).filter((field) => field.said_by !== "target" && meansSome(field));
  const [needed, more] = [true, false].map((required) => own.filter((field) => field.required === required));
  return [
    h(
      "header",
      { class: "who who--dice" },
      h(
        "div",
        { class: "who__words" },
        h("h2", { class: "who__name", tabindex: "-1", data: { key: "order-title" } }, titleOf(order)),
        form.hint && h("p", { class: "who__what" }, form.hint),
      ),
      iconButton("close", "Give up this order", "order-leave", closeOrder),
    ),
    [...needed, ...more].map((field) => fieldRow(order, field, [field.key])),
    theirPart(order),
    verdict(order),
    foot(order),
  ];
}

/** What the rules say of the order as it stands. */
function verdict(order) {
  const { tried } = order;
  if (!tried) return null;
  if (tried.state === "unready") return h("p", { class: "quiet verdict" }, named(tried.lacks));
  if (tried.state === "refused")
    return h(
      "div",
      { class: "verdict", role: "status" },
      h("p", {}, "The rules say no:"),
      h(
        "ul",
        { class: "reasons" },
        tried.reasons.map((reason, index) =>
          h("li", {}, named(reason), " ", tried.rules[index] && ruleChip(tried.rules[index])),
        ),
      ),
    );
  const { next } = tried;
  const reads = next && (next.success ? `${success(next.success, next.die)} ${verb(next.for)}` : "");
  return h(
    "div",
    { class: "verdict verdict--yes", role: "status" },
    next
      ? h("p", { class: "card__dice" }, h("strong", {}, pool(next.count, next.die)), " ", reads || next.for)
      : h("p", { class: "quiet" }, "No dice are needed."),
    next && oddsLine(actionOf(order)),
  );
}

function foot(order) {
  const may = order.tried?.state;
  return h(
    "div",
    { class: "dice-foot" },
    may === "refused" &&
      judges() &&
      h(
        "button",
        {
          class: "button button--quiet",
          type: "button",
          data: { key: "order-overrule" },
          on: { click: () => askOverrule(titleOf(order), order.tried.reasons, () => go(true)) },
        },
        "Overrule …",
      ),
    order.picking &&
      h(
        "button",
        {
          class: "button button--quiet foot__touched",
          type: "button",
          "aria-label": "Give up this order",
          data: { key: "order-give-up" },
          on: { click: closeOrder },
        },
        icon("close"),
      ),
    order.picking &&
      h(
        "button",
        {
          class: "button foot__touched",
          type: "button",
          data: { key: "order-touched" },
          on: { click: () => pick(null) },
        },
        "Done touching",
      ),
    h(
      "button",
      {
        class: "button",
        type: "button",
        data: { key: "order-go" },
        disabled: may !== "allowed" || waits(order) || unsaid(order),
        on: { click: () => go() },
      },
      "Do it",
    ),
  );
}

/** The program never blocks a game; it only writes down that somebody decided otherwise. */
export function askOverrule(title, reasons, act) {
  const done = () => {
    closeNote();
    act();
  };
  openNote(
    `${title}?`,
    h("p", {}, "The rules say no:"),
    h(
      "ul",
      { class: "reasons" },
      reasons.map((reason) => h("li", {}, named(reason))),
    ),
    h(
      "p",
      { class: "quiet" },
      "The umpire, or all of you together, may have it done all the same. The log says that it was overruled.",
    ),
    h("button", { class: "button", type: "button", on: { click: done } }, "Do it all the same"),
  );
}

/** The server's few addresses, each as a function. */

/** What the server refused: `reasons` are sentences for the player; `status` 0 means it was not reached. */
export class Refused extends Error {
  /**
   * @param {string} message
   * @param {number} status
   * @param {string[]} [reasons]
   */
  constructor(message, status, reasons = []) {
    super(message);
    this.status = status;
    this.reasons = reasons;
  }
}

const PATIENCE_MS = 15000;

/** What the program says, as a sentence: with a capital letter and a full stop. */
export const sentence = (text) =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");

/** Asks the server for something, or, with a body, has it done. Raises Refused. */
export async function call(path, body, patience = PATIENCE_MS) {
  const options = {
    signal: AbortSignal.timeout(patience),
    cache: "no-store",
    headers: { Accept: "application/json" },
  };
  if (body !== undefined) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Refused("The laptop does not answer.", 0);
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok)
    throw new Refused(sentence(answer.error ?? `The server said ${response.status}`), response.status, answer.reasons ?? []);
  return answer;
}

/**
 * Everything the page draws; where it `had` a state before, what of it may be new: another tab may have changed the
 * seat. `open`: as whoever only watches is told it.
 */
export const getState = (had, open = false) =>
  call(`/api/state?${new URLSearchParams({ ...(had ? { drawn: had.drawn } : {}), ...(open ? { as: "spectator" } : {}) })}`);

/**
 * Plays an action as far as the dice go. All scores typed so far are sent each time; by its `key` what was done
 * already, and the answer lost, is known again.
 * @param {{action: object, dice: number[], roll: boolean, revision: number, key: string}} request
 */
export async function resolve(request) {
  try {
    return await call("/api/resolve", request);
  } catch (error) {
    if (error.status !== 0) throw error;
    throw new Refused(`${error.message} It may have been done: if you try again, it is not done twice.`, 0);
  }
}

/**
 * What an action would begin with as the table stands now, before any die is sent. Nothing changes. With the revision
 * that a player acted on it is refused as outdated where that no longer holds; by its key it is told as done if it was.
 */
export const askAgain = (action, revision, key) => call("/api/resolve", { action, only_ask: true, revision, key });

/** The exact chances of an action. */
export const odds = (action) => call("/api/odds", { action });

/** Whether an action would be allowed as it stands, and why not. Nothing changes. */
export const tryAction = (action) => call("/api/try", { action });

/** Asks the target's player, on his page, what he has to say in an action. */
export const askTarget = (action) => call("/api/questions", { action });

/** Says what one was asked. */
export const answerQuestion = (number, answer) => call("/api/questions/answer", { number, answer });

/** Takes a question back. */
export const withdrawQuestion = (number) => call("/api/questions/withdraw", { number });

/** What every action of the ruleset asks of a player. */
export const getForms = () => call("/api/forms");

/** How the actions of a unit stand (null: those of the game). */
export const openActions = (unit) => call(`/api/actions${unit ? `?unit=${encodeURIComponent(unit)}` : ""}`);

/** The campaign as this seat knows it: `campaign` is null where the rules have none. */
export const getCampaign = () => call("/api/campaign");

/** The cells of a table that is played in squares or hexes; null for others. */
export const getGrid = () => call("/api/grid");

/** Takes back the newest standing entry of the log. */
export const undo = (number) => call("/api/undo", { number });

/** Entries of the log before entry `number`. */
export const olderLog = (number) => call(`/api/log?before=${number}`);

/** The game as it was after entry `number`. */
export const getThen = (number) => call(`/api/then?entry=${number}`);

/** Lets what was undone last stand again. */
export const redo = (number) => call("/api/redo", { number });

/** The game goes on from after an entry; what came since is kept. */
export const branch = (entry) => call("/api/branch", { entry });

/** Goes on with the game of an exported file. */
export const importGame = (file) => call("/api/log/import", { file });

/** Says whose turn it is. */
export const setTurn = (number, side) => call("/api/turn", { number, side });

/** Demo: moves figures on the virtual table, where the simulated camera will find them. */
export const demoMove = (figures) => call("/api/demo/move", { figures });

/** A person corrects where figures stand. */
export const place = (figures) => call("/api/place", { figures });

/** Takes back where people said that a unit's figures stand. */
export const putBack = (unit) => call("/api/place/back", { unit });

/** Bases that belong to nobody join a unit. */
export const assign = (unit, bases) => call("/api/assign", { unit, bases });

/** The rulings that the rulebook leaves to the players, and how each is played. */
export const getOptions = () => call("/api/options");

/** The umpire has a ruling played otherwise from now on. */
export const setOption = (key, value) => call("/api/options", { key, value });

/** Every key of a unit's state and stats, for the umpire. */
export const getUnitKeys = (unit) => call(`/api/unit?unit=${encodeURIComponent(unit)}`);

/** The umpire sets keys of a unit's state and stats. */
export const amendUnit = (unit, state, stats) => call("/api/unit", { unit, state, stats });

/** The umpire has the grid that is printed on the mat found in the picture; of that size, where it is told. */
export const fitGrid = (size_mm) => call("/api/grid/fit", size_mm ? { size_mm } : {});

/** Who this page is at the table; for the umpire also the codes that let others in. */
export const getSeat = () => call("/api/join");

/** Takes the seat of a code; with an empty one, gives one's seat up. */
export const joinTable = (code) => call("/api/join", { code });

/** What was said since message `after`. */
export const hear = (after) => call(`/api/messages?after=${after}`);

/** Says something to all, or to one's own side. */
export const say = (text, own) => call("/api/messages", { text, own_side: own });

/** Who commands what on one's own side. */
export const getOfficers = () => call("/api/officers");

/** A commander, or the umpire for a side, gives a player these units, and takes all others from him. */
export const appoint = (name, units, side) => call("/api/officers", { name, units, side });

const rows = new Map();

/** One row of the rulebook; asked for once. */
export async function rule(id) {
  if (!rows.has(id)) rows.set(id, await call(`/api/rules/${encodeURIComponent(id)}`));
  return rows.get(id);
}

import type { ToolQueries } from '../../tool.js';

/** Control characters, line and paragraph separators, and characters that override the direction of text. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;
/** Added to the code of a control character: its mark is a private character of plane 15. */
const MARK_BASE = 0xf0000;
const MARKS = /[\u{f0000}-\u{f009f}\u{f2028}-\u{f202e}\u{f2066}-\u{f2069}]/gu;

/**
 * The queries, in whose results every control character of telemetry is replaced by its mark, and in whose arguments the
 * marks are control characters again. So all of an answer is written with marks in its names, whose line feeds are thus not
 * those of the answer.
 */
export function markQueries(queries: ToolQueries): ToolQueries {
  return forwardMembers(queries, (group) => forwardMembers(group as object, markQuery));
}

/** The same with control characters in place of their marks, also in members of objects, lists and maps. */
export function restoreControls<Value>(value: Value): Value {
  return mapTexts(value, (text) => text.replace(MARKS, (mark) => String.fromCharCode(codeOf(mark)))) as Value;
}

/** Marks as `\u000a`: what somebody sent as a name must not look like lines of an answer. */
export function showMarks(text: string): string {
  return text.replace(MARKS, (mark) => `\\u${codeOf(mark).toString(16).padStart(4, '0')}`);
}

/** Marks as blanks: for texts that have lines, such as messages. */
export function blankMarks(text: string): string {
  return text.replace(MARKS, ' ');
}

function codeOf(mark: string): number {
  return mark.codePointAt(0)! - MARK_BASE;
}

function markControls(value: unknown): unknown {
  return mapTexts(value, (text) =>
    text.replace(CONTROLS, (character) => String.fromCodePoint(MARK_BASE + character.charCodeAt(0))),
  );
}

function markQuery(member: unknown, owner: object): unknown {
  if (typeof member !== 'function') return member;
  return async (...given: unknown[]): Promise<unknown> =>
    markControls(await (Reflect.apply(member, owner, restoreControls(given)) as unknown));
}

/** An object with the members of another, each as `convert` gives it. */
function forwardMembers<Owner extends object>(
  owner: Owner,
  convert: (member: unknown, owner: Owner) => unknown,
): Owner {
  return new Proxy({} as Owner, { get: (_, name) => convert(Reflect.get(owner, name), owner) });
}

/** Changes the texts of plain data, the names of members included. Returns the same value if none changes. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTexts(item, change));
    return items.some((item, at) => !Object.is(item, value[at])) ? items : value;
  }
  if (value instanceof Map) {
    const entries = [...value];
    const changed = mapTexts(entries, change);
    return changed === entries ? value : new Map(changed as typeof entries);
  }
  return isPlainObject(value) ? mapMembers(value, change) : value;
}

function mapMembers(value: Readonly<Record<string, unknown>>, change: (text: string) => string): unknown {
  const entries = Object.entries(value);
  const changed = mapTexts(entries, change);
  return changed === entries ? value : Object.fromEntries(changed as typeof entries);
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

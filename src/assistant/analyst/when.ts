import { MAX_WINDOW_MS, type WindowArguments } from '../tools/window.js';
import type { Range, SpokenTime } from './slots.js';

/** What a question means where it says no time (contract §5), in minutes. */
const USUAL_MINUTES = 15;
const HISTORY_MINUTES = 60;
const MINUTE_MS = 60_000;

/** Times of questions as tools take them. Ranges longer than what diagnostics cover lose their beginning. */
export function windowOf(time: SpokenTime | undefined): WindowArguments {
  switch (time?.kind) {
    case 'moment': return { asOf: iso(time.atMs) };
    case 'range': return spelled(clipped(time));
    default: return {};
  }
}

/** For what is told in order: around a moment rather than before it. */
export function historyOf(time: SpokenTime | undefined, nowMs: number): WindowArguments {
  return time?.kind === 'moment' && time.side === 'at' ? spelled(around(time.atMs, nowMs)) : windowOf(time);
}

/** The range of a search. */
export function searchRange(time: SpokenTime | undefined, nowMs: number): Range {
  if (time?.kind === 'range') return fromWholeMinute(time.toMs > time.fromMs ? time : { ...time, fromMs: time.toMs - MINUTE_MS });
  if (time?.kind !== 'moment') return fromWholeMinute(lastMinutes(USUAL_MINUTES, nowMs));
  return fromWholeMinute(time.side === 'at' ? around(time.atMs, nowMs) : { kind: 'range', fromMs: time.atMs - USUAL_MINUTES * MINUTE_MS, toMs: time.atMs });
}

/** As windows of diagnostics begin: what is found and what is counted in one answer must be of the same time. */
function fromWholeMinute(range: Range): Range {
  return { ...range, fromMs: Math.floor(range.fromMs / MINUTE_MS) * MINUTE_MS };
}

/** The window of a chart: that of a search, but no longer than diagnostics cover. */
export function chartRange(time: SpokenTime | undefined, nowMs: number): Range {
  return clipped(searchRange(time, nowMs));
}

export function spelled({ fromMs, toMs }: Pick<Range, 'fromMs' | 'toMs'>): { readonly rangeStart: string; readonly rangeEnd: string } {
  return { rangeStart: iso(fromMs), rangeEnd: iso(toMs) };
}

export function lastMinutes(minutes: number, nowMs: number): Range {
  return { kind: 'range', fromMs: nowMs - minutes * MINUTE_MS, toMs: nowMs, last: minutes === 1 ? 'minute' : `${minutes} minutes` };
}

/** The window that a time means in an answer with a window of the usual length. */
export function currentRange(time: SpokenTime | undefined, nowMs: number): Range {
  if (time?.kind === 'range') return clipped(time);
  if (time?.kind === 'moment') return { kind: 'range', fromMs: time.atMs - USUAL_MINUTES * MINUTE_MS, toMs: time.atMs };
  return lastMinutes(USUAL_MINUTES, nowMs);
}

/** Such as ` in the last 15 minutes`, ` between 13:00 and 14:00 UTC`, ` in the 15 minutes before 14:00 UTC`. */
export function during(time: SpokenTime | undefined, nowMs: number, minutes = USUAL_MINUTES): string {
  if (time?.kind === 'moment') return ` in the ${minutes} minutes before ${clock(time.atMs, nowMs)}`;
  if (time?.kind === 'range') return duringRange(clipped(time), nowMs);
  return ` in the last ${minutes} minutes`;
}

export function duringHistory(time: SpokenTime | undefined, nowMs: number): string {
  return time?.kind === 'moment' && time.side === 'at' ? duringRange(around(time.atMs, nowMs), nowMs) : during(time, nowMs, HISTORY_MINUTES);
}

/** As it is: searches take ranges of any length. */
export function duringRange({ fromMs, toMs, last }: Range, nowMs: number): string {
  if (last !== undefined) return ` in the last ${last}`;
  if (toMs === nowMs) return ` since ${clock(fromMs, nowMs)}`;
  return ` between ${clock(fromMs, nowMs).replace(' UTC', '')} and ${clock(toMs, nowMs, fromMs)}`;
}

/** `now`, or `at 14:00 UTC`: what is told of the last moment of a window is not told of all of it. */
export function endInWords(time: SpokenTime | undefined, nowMs: number): string {
  const endMs = time?.kind === 'range' ? time.toMs : time?.kind === 'moment' ? time.atMs : nowMs;
  return endMs >= nowMs ? 'now' : `at ${clock(endMs, nowMs)}`;
}

/** Such as `the last hour`, `13:00 to 14:00 UTC`. */
export function rangeInWords(range: Range, nowMs: number): string {
  return duringRange(range, nowMs).trim().replace(/^in /, '').replace(/^between (.*) and /, '$1 to ').replace(/^since (.*)/, 'the time since $1');
}

/** `14:03 UTC`; with its day unless that is today, or the day of `beside`. */
export function clock(ms: number, nowMs: number, beside = nowMs): string {
  const day = iso(ms).slice(0, 10);
  const isKnown = day === iso(beside).slice(0, 10);
  return `${isKnown ? '' : `${day} `}${iso(ms).slice(11, 16)} UTC`;
}

/** Of a time that a tool gave. */
export function clockOf(isoTime: string, nowMs: number): string {
  return clock(Date.parse(isoTime), nowMs);
}

function around(atMs: number, nowMs: number): Range {
  const half = USUAL_MINUTES * MINUTE_MS;
  return { kind: 'range', fromMs: atMs - half, toMs: Math.max(Math.min(atMs + half, nowMs), atMs - half + MINUTE_MS) };
}

/** Whether diagnostics leave out the beginning of what was asked for. */
export function isClipped(time: SpokenTime | undefined): boolean {
  return time?.kind === 'range' && time.toMs - time.fromMs > MAX_WINDOW_MS;
}

/** As long as diagnostics cover: longer ranges lose their beginning, and are no more those of the question's words. */
export function clipped({ last, ...range }: Range): Range {
  const toMs = Math.max(range.toMs, range.fromMs + MINUTE_MS);
  const fromMs = Math.max(range.fromMs, range.toMs - MAX_WINDOW_MS);
  return { ...range, fromMs, toMs: range.toMs > range.fromMs ? range.toMs : toMs, ...(last !== undefined && fromMs === range.fromMs && { last }) };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

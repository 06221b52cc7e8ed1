import type { TimePiece } from './time-pieces.js';
import { blanked } from './tokens.js';

const BESIDE = /\b(?:(?:in|during|over|for|within)\s+)?(?:the\s+)?(?:(?:last|first)\s+)?(?:(\d+|an?|one|half\s+an)\s+)?(min(?:ute)?s?|h(?:ou)?rs?)\s+(before|prior\s+to|until|leading\s+(?:up\s+)?to|up\s+to|after|following|from)\s+(?=(?:(?:yesterday|today)\s+)?(?:at\s+)?(?:\d{1,2}:\d{2}|\d{1,2}\s*[ap]m\b|noon\b))/i;
const MINUTE_MS = 60_000;

/** A stretch that ends, or begins, at a time of day: `the 10 minutes before 13:55`. */
export interface BesideClock {
  readonly from: number;
  readonly to: number;
  readonly lengthMs: number;
  readonly isBefore: boolean;
}

/** `rest` has blanks instead of it, and still the time of day. */
export function besideClockIn(text: string): { readonly beside?: BesideClock; readonly rest: string } {
  const found = BESIDE.exec(text);
  if (found === null) return { rest: text };
  const [said, amount = '1', unit, side] = found;
  const lengthMs = stretchMs(amount, unit);
  const to = found.index + said.length;
  if (lengthMs <= 0) return { rest: text };
  return { beside: { from: found.index, to, lengthMs, isBefore: !/^(?:after|following|from)/i.test(side) }, rest: blanked(text, found.index, to) };
}

/** Of `10 minutes`, `half an hour`, `an hour`. */
export function stretchMs(amount: string, unit: string): number {
  return MINUTE_MS * (/^h/i.test(unit) ? 60 : 1) * (/^half/i.test(amount) ? 0.5 : /^\d/.test(amount) ? Number(amount) : 1);
}

/** The pieces with the stretch instead of the time of day behind it. */
export function withStretch(pieces: readonly TimePiece[], beside: BesideClock | undefined, nowMs: number): readonly TimePiece[] {
  const clock = beside === undefined ? undefined : pieces.find(({ from, time }) => from >= beside.from && 'atMs' in time);
  if (beside === undefined || clock === undefined || !('atMs' in clock.time)) return pieces;
  const { atMs } = clock.time;
  const time = beside.isBefore ? { fromMs: atMs - beside.lengthMs, toMs: atMs } : { fromMs: atMs, toMs: Math.max(atMs, Math.min(atMs + beside.lengthMs, nowMs)) };
  return pieces.map((piece) => (piece === clock ? { ...piece, from: beside.from, time } : piece));
}

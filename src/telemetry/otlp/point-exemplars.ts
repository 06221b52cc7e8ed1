import { POINT_BOUNDS, type Exemplar } from '../distribution.js';
import { hexOf, isZero, SPAN_ID_BYTES, TRACE_ID_BYTES } from '../ids.js';
import { microsOf } from '../time.js';
import { EXEMPLAR } from './fields.js';
import { signedFixed64 } from './numbers.js';
import type { WireReader } from './wire-reader.js';

/** Where an id stands that is not there. */
const NOWHERE = -1;

/** An exemplar of which nothing has been made yet: ids are where they begin in the body. */
interface Candidate {
  timeUs: number;
  value: number;
  traceId: number;
  spanId: number;
}

/** Takes the exemplars of one data point after another, and keeps those of the largest values: only of these ids become text. */
export class ExemplarReader {
  /** The first `size` are kept, in order; the one behind them is for the next to be read. */
  private readonly candidates = Array.from({ length: POINT_BOUNDS.exemplars + 1 }, (): Candidate => ({ timeUs: 0, value: NaN, traceId: NOWHERE, spanId: NOWHERE }));
  private size = 0;

  begin(): void {
    this.size = 0;
  }

  read(reader: WireReader, end: number): void {
    const next = this.candidates[this.size];
    next.timeUs = 0;
    next.value = NaN;
    next.traceId = next.spanId = NOWHERE;
    while (reader.pos < end) readField(reader, end, next);
    if (Number.isFinite(next.value)) this.keep(reader.bytes, next);
  }

  /** By value descending, then time, trace id and span id ascending; undefined where the point has none with a finite value. */
  exemplars({ bytes }: WireReader): readonly Exemplar[] | undefined {
    if (this.size === 0) return undefined;
    return this.candidates.slice(0, this.size).map(({ timeUs, value, traceId, spanId }) => ({
      timeUs, value, traceId: idText(bytes, traceId, TRACE_ID_BYTES), spanId: idText(bytes, spanId, SPAN_ID_BYTES),
    }));
  }

  /** Puts it in its place; the last one falls behind where there were enough. */
  private keep(bytes: Uint8Array, one: Candidate): void {
    const { candidates } = this;
    let at = this.size;
    for (; at > 0 && order(bytes, one, candidates[at - 1]) < 0; at--) candidates[at] = candidates[at - 1];
    candidates[at] = one;
    if (this.size < POINT_BOUNDS.exemplars) this.size++;
  }
}

function readField(reader: WireReader, end: number, into: Candidate): void {
  const tag = reader.tag(end);
  if (tag === EXEMPLAR.time) {
    reader.fixed64(end);
    into.timeUs = microsOf(reader.hi, reader.lo);
  } else if (tag === EXEMPLAR.double) into.value = reader.double(end);
  else if (tag === EXEMPLAR.int) into.value = signedFixed64(reader, end);
  else if (tag === EXEMPLAR.traceId) into.traceId = placeOfId(reader, end, TRACE_ID_BYTES);
  else if (tag === EXEMPLAR.spanId) into.spanId = placeOfId(reader, end, SPAN_ID_BYTES);
  else reader.skip(tag, end);
}

/** Where an id of the right size begins that is not all zero; the cursor stands behind it. */
function placeOfId(reader: WireReader, limit: number, size: number): number {
  const end = reader.end(limit);
  const from = reader.pos;
  reader.pos = end;
  return end - from === size && !isZero(reader.bytes, from, end) ? from : NOWHERE;
}

function order(bytes: Uint8Array, a: Candidate, b: Candidate): number {
  return b.value - a.value || a.timeUs - b.timeUs || orderOfIds(bytes, a.traceId, b.traceId, TRACE_ID_BYTES) || orderOfIds(bytes, a.spanId, b.spanId, SPAN_ID_BYTES);
}

/** As their hex forms, of which "" is the first. */
function orderOfIds(bytes: Uint8Array, a: number, b: number, size: number): number {
  if (a === NOWHERE || b === NOWHERE) return a === b ? 0 : a === NOWHERE ? -1 : 1;
  for (let i = 0; i < size; i++) if (bytes[a + i] !== bytes[b + i]) return bytes[a + i] - bytes[b + i];
  return 0;
}

function idText(bytes: Uint8Array, from: number, size: number): string {
  return from === NOWHERE ? '' : hexOf(bytes, from, from + size);
}

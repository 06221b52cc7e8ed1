import { DATA_POINT_LIMITS, type Exemplar } from '../../metric-distributions.js';
import { toHex, isAllZero, SPAN_ID_BYTES, TRACE_ID_BYTES } from '../../trace-identifiers.js';
import { toUnixMicros } from '../../unix-time.js';
import { EXEMPLAR } from '../wire/otlp-field-tags.js';
import { readSignedFixed64 } from '../wire/wire-values.js';
import type { WireReader } from '../wire/wire-reader.js';

/** Where an id stands that is not there. */
const NOT_PRESENT = -1;

/** An exemplar of which nothing has been made yet: ids are where they begin in the body. */
interface ExemplarCandidate {
  timeUs: number;
  value: number;
  traceId: number;
  spanId: number;
}

/** Takes the exemplars of one data point after another, and keeps those of the largest values: only of these ids become text. */
export class ExemplarReader {
  /** The first `size` are kept, in order; the one behind them is for the next to be read. */
  private readonly candidates = Array.from({ length: DATA_POINT_LIMITS.exemplars + 1 }, (): ExemplarCandidate => ({
    timeUs: 0,
    value: NaN,
    traceId: NOT_PRESENT,
    spanId: NOT_PRESENT,
  }));
  private size = 0;

  reset(): void {
    this.size = 0;
  }

  read(reader: WireReader, end: number): void {
    const next = this.candidates[this.size];
    next.timeUs = 0;
    next.value = NaN;
    next.traceId = next.spanId = NOT_PRESENT;
    while (reader.pos < end) readField(reader, end, next);
    if (Number.isFinite(next.value)) this.insertInOrder(reader.bytes, next);
  }

  /** By value descending, then time, trace id and span id ascending; undefined where the point has none with a finite value. */
  toExemplars({ bytes }: WireReader): readonly Exemplar[] | undefined {
    if (this.size === 0) return undefined;
    return this.candidates.slice(0, this.size).map(({ timeUs, value, traceId, spanId }) => ({
      timeUs,
      value,
      traceId: toIdHex(bytes, traceId, TRACE_ID_BYTES),
      spanId: toIdHex(bytes, spanId, SPAN_ID_BYTES),
    }));
  }

  /** Puts it in its place; the last one falls behind where there were enough. */
  private insertInOrder(bytes: Uint8Array, one: ExemplarCandidate): void {
    const { candidates } = this;
    let at = this.size;
    for (; at > 0 && compareCandidates(bytes, one, candidates[at - 1]) < 0; at--) candidates[at] = candidates[at - 1];
    candidates[at] = one;
    if (this.size < DATA_POINT_LIMITS.exemplars) this.size++;
  }
}

function readField(reader: WireReader, end: number, into: ExemplarCandidate): void {
  const tag = reader.readTag(end);
  if (tag === EXEMPLAR.time) {
    reader.readFixed64(end);
    into.timeUs = toUnixMicros(reader.hi, reader.lo);
  } else if (tag === EXEMPLAR.double) into.value = reader.readDouble(end);
  else if (tag === EXEMPLAR.int) into.value = readSignedFixed64(reader, end);
  else if (tag === EXEMPLAR.traceId) into.traceId = readIdOffset(reader, end, TRACE_ID_BYTES);
  else if (tag === EXEMPLAR.spanId) into.spanId = readIdOffset(reader, end, SPAN_ID_BYTES);
  else reader.skip(tag, end);
}

/** Where an id of the right size begins that is not all zero; the cursor stands behind it. */
function readIdOffset(reader: WireReader, limit: number, size: number): number {
  const end = reader.readPayloadEnd(limit);
  const from = reader.pos;
  reader.pos = end;
  return end - from === size && !isAllZero(reader.bytes, from, end) ? from : NOT_PRESENT;
}

function compareCandidates(bytes: Uint8Array, a: ExemplarCandidate, b: ExemplarCandidate): number {
  return (
    b.value - a.value ||
    a.timeUs - b.timeUs ||
    compareIds(bytes, a.traceId, b.traceId, TRACE_ID_BYTES) ||
    compareIds(bytes, a.spanId, b.spanId, SPAN_ID_BYTES)
  );
}

/** As their hex forms, of which "" is the first. */
function compareIds(bytes: Uint8Array, a: number, b: number, size: number): number {
  if (a === NOT_PRESENT || b === NOT_PRESENT) return a === b ? 0 : a === NOT_PRESENT ? -1 : 1;
  for (let i = 0; i < size; i++) if (bytes[a + i] !== bytes[b + i]) return bytes[a + i] - bytes[b + i];
  return 0;
}

function toIdHex(bytes: Uint8Array, from: number, size: number): string {
  return from === NOT_PRESENT ? '' : toHex(bytes, from, from + size);
}

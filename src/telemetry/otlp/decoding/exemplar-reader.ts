import { DATA_POINT_LIMITS, type Exemplar } from '../../metric-distributions.js';
import { toHex, isAllZero, SPAN_ID_BYTES, TRACE_ID_BYTES } from '../../trace-identifiers.js';
import { toUnixMicros } from '../../unix-time.js';
import { EXEMPLAR } from '../wire/otlp-field-tags.js';
import { readSignedFixed64 } from '../wire/wire-values.js';
import type { WireReader } from '../wire/wire-reader.js';

/** Offset of an absent id. */
const NOT_PRESENT = -1;

/** An exemplar that is not yet decoded: ids are offsets in the body. */
interface ExemplarCandidate {
  timeUs: number;
  value: number;
  traceId: number;
  spanId: number;
}

/**
 * Reads the exemplars of consecutive data points and keeps those with the largest values; only these have their ids
 * decoded.
 */
export class ExemplarReader {
  /** The first `size` entries are in order; the entry behind them is scratch space for the next exemplar. */
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

  /**
   * By value descending, then time, trace id and span id ascending; undefined if the point has no exemplar with a
   * finite value.
   */
  toExemplars({ bytes }: WireReader): readonly Exemplar[] | undefined {
    if (this.size === 0) return undefined;
    return this.candidates.slice(0, this.size).map(({ timeUs, value, traceId, spanId }) => ({
      timeUs,
      value,
      traceId: toIdHex(bytes, traceId, TRACE_ID_BYTES),
      spanId: toIdHex(bytes, spanId, SPAN_ID_BYTES),
    }));
  }

  /** Inserts the candidate in order; the last one is dropped if the list is full. */
  private insertInOrder(bytes: Uint8Array, candidate: ExemplarCandidate): void {
    const { candidates } = this;
    let at = this.size;
    for (; at > 0 && compareCandidates(bytes, candidate, candidates[at - 1]) < 0; at--)
      candidates[at] = candidates[at - 1];
    candidates[at] = candidate;
    if (this.size < DATA_POINT_LIMITS.exemplars) this.size++;
  }
}

function readField(reader: WireReader, end: number, candidate: ExemplarCandidate): void {
  const tag = reader.readTag(end);
  if (tag === EXEMPLAR.time) {
    reader.readFixed64(end);
    candidate.timeUs = toUnixMicros(reader.hi, reader.lo);
  } else if (tag === EXEMPLAR.double) candidate.value = reader.readDouble(end);
  else if (tag === EXEMPLAR.int) candidate.value = readSignedFixed64(reader, end);
  else if (tag === EXEMPLAR.traceId) candidate.traceId = readIdOffset(reader, end, TRACE_ID_BYTES);
  else if (tag === EXEMPLAR.spanId) candidate.spanId = readIdOffset(reader, end, SPAN_ID_BYTES);
  else reader.skip(tag, end);
}

/** Offset of an id of the right size that is not all zero, else NOT_PRESENT; leaves the cursor after it. */
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

/** Compares ids like their hex forms; an absent id comes first. */
function compareIds(bytes: Uint8Array, a: number, b: number, size: number): number {
  if (a === NOT_PRESENT || b === NOT_PRESENT) return a === b ? 0 : a === NOT_PRESENT ? -1 : 1;
  for (let i = 0; i < size; i++) if (bytes[a + i] !== bytes[b + i]) return bytes[a + i] - bytes[b + i];
  return 0;
}

function toIdHex(bytes: Uint8Array, from: number, size: number): string {
  return from === NOT_PRESENT ? '' : toHex(bytes, from, from + size);
}

import { readSignedVarint32 } from '../otlp/wire/wire-values.js';
import type { WireReader } from '../otlp/wire/wire-reader.js';
import { type BucketSpan, MAX_NATIVE_BUCKETS, type NativeBuckets, type NativeHistogram } from './remote-write.js';
import { readInt64, readValue } from './remote-write-values.js';

/** Field numbers of the message Histogram, the same in prompb/types.proto and io/prometheus/write/v2/types.proto. */
const FIELD = {
  countInt: 1,
  countFloat: 2,
  sum: 3,
  schema: 4,
  zeroThreshold: 5,
  zeroCountInt: 6,
  zeroCountFloat: 7,
  negativeSpans: 8,
  negativeDeltas: 9,
  negativeCounts: 10,
  positiveSpans: 11,
  positiveDeltas: 12,
  positiveCounts: 13,
  resetHint: 14,
  timestamp: 15,
  customValues: 16,
  startTimestamp: 17,
} as const;
/** BucketSpan, as varints. */
const SPAN = { offset: 0x08, length: 0x10 } as const;

const LENGTH_DELIMITED = 2;
const RESET_HINT_GAUGE = 3;
const TWO_31 = 2 ** 31;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
interface BucketLists extends NativeBuckets {
  readonly spans: BucketSpan[];
  readonly deltas: number[];
  readonly counts: number[];
}
interface HistogramDraft extends Mutable<NativeHistogram> {
  positive: BucketLists;
  negative: BucketLists;
  customValues: number[];
}

/** Reads the message Histogram that ends at `end`. Throws MalformedBody. */
export function readNativeHistogram(reader: WireReader, end: number): NativeHistogram {
  const draft = createDraft();
  while (reader.pos < end) {
    const tag = reader.readTag(end);
    if (!readScalar(reader, tag, end, draft) && !readList(reader, tag, end, draft)) reader.skip(tag, end);
  }
  return draft;
}

function createDraft(): HistogramDraft {
  return {
    timestampMs: 0n,
    startMs: 0n,
    count: 0,
    sum: 0,
    isStale: false,
    schema: 0,
    zeroThreshold: 0,
    zeroCount: 0,
    positive: { spans: [], deltas: [], counts: [] },
    negative: { spans: [], deltas: [], counts: [] },
    customValues: [],
    isGauge: false,
    isOversized: false,
  };
}

/** False for any other field. */
function readScalar(reader: WireReader, tag: number, end: number, draft: HistogramDraft): boolean {
  switch (tag) {
    case FIELD.countInt * 8:
      draft.count = reader.readVarint(end);
      return true;
    case FIELD.countFloat * 8 + 1:
      draft.count = reader.readDouble(end);
      return true;
    case FIELD.sum * 8 + 1: {
      const { value, isStale } = readValue(reader, end);
      Object.assign(draft, { sum: value, isStale });
      return true;
    }
    case FIELD.schema * 8:
      draft.schema = readSignedVarint32(reader, end);
      return true;
    case FIELD.zeroThreshold * 8 + 1:
      draft.zeroThreshold = reader.readDouble(end);
      return true;
    case FIELD.zeroCountInt * 8:
      draft.zeroCount = reader.readVarint(end);
      return true;
    case FIELD.zeroCountFloat * 8 + 1:
      draft.zeroCount = reader.readDouble(end);
      return true;
    case FIELD.resetHint * 8:
      draft.isGauge = reader.readVarint(end) === RESET_HINT_GAUGE;
      return true;
    case FIELD.timestamp * 8:
      draft.timestampMs = readInt64(reader, end);
      return true;
    case FIELD.startTimestamp * 8:
      draft.startMs = readInt64(reader, end);
      return true;
    default:
      return false;
  }
}

function readList(reader: WireReader, tag: number, end: number, draft: HistogramDraft): boolean {
  const { positive, negative, customValues } = draft;
  switch (Math.floor(tag / 8)) {
    case FIELD.negativeSpans:
      return readSpan(reader, tag, end, negative.spans, draft);
    case FIELD.positiveSpans:
      return readSpan(reader, tag, end, positive.spans, draft);
    case FIELD.negativeDeltas:
      return readNumbers(reader, tag, end, negative.deltas, draft, readSignedVarint64);
    case FIELD.positiveDeltas:
      return readNumbers(reader, tag, end, positive.deltas, draft, readSignedVarint64);
    case FIELD.negativeCounts:
      return readNumbers(reader, tag, end, negative.counts, draft, readDouble);
    case FIELD.positiveCounts:
      return readNumbers(reader, tag, end, positive.counts, draft, readDouble);
    case FIELD.customValues:
      return readNumbers(reader, tag, end, customValues, draft, readDouble);
    default:
      return false;
  }
}

function readSpan(reader: WireReader, tag: number, limit: number, into: BucketSpan[], draft: HistogramDraft): boolean {
  if (tag % 8 !== LENGTH_DELIMITED) return false;
  const end = reader.readPayloadEnd(limit);
  const span = { offset: 0, length: 0 };
  while (reader.pos < end) {
    const inner = reader.readTag(end);
    if (inner === SPAN.offset) span.offset = readSignedVarint32(reader, end);
    else if (inner === SPAN.length) span.length = reader.readVarint(end);
    else reader.skip(inner, end);
  }
  addTo(into, span, draft);
  return true;
}

/** Packed or unpacked. */
function readNumbers(
  reader: WireReader,
  tag: number,
  limit: number,
  into: number[],
  draft: HistogramDraft,
  { wireType, read }: NumberReader,
): boolean {
  if (tag % 8 === LENGTH_DELIMITED) {
    const end = reader.readPayloadEnd(limit);
    while (reader.pos < end) addTo(into, read(reader, end), draft);
  } else if (tag % 8 === wireType) addTo(into, read(reader, limit), draft);
  else return false;
  return true;
}

function addTo<T>(list: T[], item: T, draft: HistogramDraft): void {
  if (list.length < MAX_NATIVE_BUCKETS) list.push(item);
  else draft.isOversized = true;
}

interface NumberReader {
  /** Of an unpacked value. */
  readonly wireType: number;
  readonly read: (reader: WireReader, limit: number) => number;
}

const readDouble: NumberReader = { wireType: 1, read: (reader, limit) => reader.readDouble(limit) };

/** sint64, whose sign is the lowest bit; exact to ±2^53. */
const readSignedVarint64: NumberReader = {
  wireType: 0,
  read: (reader, limit) => {
    reader.readVarint64(limit);
    const magnitude = reader.hi * TWO_31 + (reader.lo >>> 1);
    return reader.lo % 2 === 1 ? -magnitude - 1 : magnitude;
  },
};

import type { SpanBlockDocument } from '../documents/block-documents.js';
import { type BlockColumn, defineColumn } from './block.js';
import { BloomFilter } from './bloom-filter.js';
import { readDurations, readParents } from './span-column-codec.js';
import { readLocations, readTraceColumn, type RecordLocations, type TraceColumn } from './record-column-codec.js';
import { OPERATION_TEXTS, readTexts, ROOT_FLAG, SPAN_BLOBS } from './span-block-codec.js';
import { copyWords32 } from './uint32-words.js';
import type { Section } from './section.js';

/*
 * Columns of a block of spans as searches read them: in the smallest exact form.
 */

const NS_PER_MS = 1e6;
const MAX_UINT32 = 2 ** 32 - 1;

/** Starts in µs after the block's `minStartUs`. */
export const SPAN_STARTS: BlockColumn<SpanBlockDocument, Uint32Array | Float64Array> = defineColumn(
  'starts',
  SPAN_BLOBS.start,
  readTimeOffsets,
  (value) => value.byteLength,
);

/** Durations in whole ms, rounded down, 0 for negative ones. */
export const SPAN_DURATIONS_MS: BlockColumn<SpanBlockDocument, Uint32Array | Float64Array> = defineColumn(
  'durations',
  SPAN_BLOBS.duration,
  (section, document) => {
    const nanos = readDurations(section);
    const wide = document.maxDurationNs / NS_PER_MS > MAX_UINT32;
    const millis = wide ? new Float64Array(nanos.length) : new Uint32Array(nanos.length);
    for (let row = 0; row < nanos.length; row++) millis[row] = nanos[row] > 0 ? Math.floor(nanos[row] / NS_PER_MS) : 0;
    return millis;
  },
  (value) => value.byteLength,
);

/** end − start in ns, as sent. */
export const SPAN_DURATIONS_NS = defineColumn<SpanBlockDocument, Float64Array>(
  'durations-ns',
  SPAN_BLOBS.duration,
  readDurations,
  (value) => value.byteLength,
);

export interface SpanLabels {
  /** Block-local ids: indexes into the document's list of services, and into SPAN_OPERATIONS. */
  readonly services: Uint16Array;
  readonly operations: Uint16Array;
  /** See span-block-codec.ts. */
  readonly flags: Uint8Array;
}

export const SPAN_LABELS = defineColumn<SpanBlockDocument, SpanLabels>(
  'labels',
  SPAN_BLOBS.labels,
  (section, { rows }) => ({
    services: section.uint16(0),
    operations: section.uint16(1),
    flags: section.numbers(2, new Uint8Array(rows)),
  }),
  ({ flags }) => flags.length * 5,
);

/** Rows by service: those of local service s, ascending, are `rows[ends[s − 1], ends[s])`. */
export interface ServiceRows {
  readonly rows: Uint16Array;
  readonly ends: Uint32Array;
}

export const SPAN_SERVICE_ROWS = defineColumn<SpanBlockDocument, ServiceRows>(
  'service-rows',
  SPAN_BLOBS.labels,
  (section, { services }) =>
    groupRowsByService(
      section.uint16(0),
      services.map(([, count]) => count),
    ),
  ({ rows, ends }) => rows.byteLength + ends.byteLength,
);

export const SPAN_OPERATIONS = defineColumn<SpanBlockDocument, readonly string[]>(
  'operations',
  SPAN_BLOBS.operations,
  (section) => readTexts(section, OPERATION_TEXTS),
  (texts) => texts.reduce((sum, text) => sum + text.length * 2 + 16, 0),
);

export const SPAN_TRACES = defineColumn<SpanBlockDocument, TraceColumn>(
  'traces',
  SPAN_BLOBS.traces,
  (section) => readTraceColumn(section, 0),
  ({ ids, local }) => ids.byteLength + local.byteLength,
);

export interface RootColumn {
  /** Rows without a parent. */
  readonly rows: Uint16Array;
  /** Local numbers of the traces without such a row in the block. */
  readonly rootless: Uint16Array;
}

export const SPAN_ROOTS: BlockColumn<SpanBlockDocument, RootColumn> = {
  name: 'roots',
  blobs: () => [SPAN_BLOBS.labels, SPAN_BLOBS.traces],
  decode: ([labels, traces], document) =>
    findRoots(labels.numbers(2, new Uint8Array(document.rows)), readTraceColumn(traces, 0).local, document.traces),
  bytes: ({ rows, rootless }) => rows.byteLength + rootless.byteLength,
};

export interface SpanIds {
  /** Two words per row. */
  readonly ids: Uint32Array;
  /** Zero: none. */
  readonly parents: Uint32Array;
}

export const SPAN_IDS = defineColumn<SpanBlockDocument, SpanIds>(
  'span-ids',
  SPAN_BLOBS.spans,
  (section) => {
    const ids = copyWords32(section.bytes(0));
    return { ids, parents: readParents(section, 1, ids) };
  },
  ({ ids, parents }) => ids.byteLength + parents.byteLength,
);

export interface SpanLocations extends RecordLocations {
  /** Nanoseconds beyond the whole µs of the start. */
  readonly startNs: Uint16Array;
}

export const SPAN_LOCATIONS = defineColumn<SpanBlockDocument, SpanLocations>(
  'places',
  SPAN_BLOBS.places,
  (section) => ({ startNs: section.uint16(0), ...readLocations(section, 2) }),
  ({ startNs }) => startNs.length * 14,
);

export interface IdBlooms {
  readonly traces: BloomFilter;
  readonly spans: BloomFilter;
}

export const SPAN_ID_BLOOMS = defineColumn<SpanBlockDocument, IdBlooms>(
  'id-blooms',
  SPAN_BLOBS.idBlooms,
  readIdBlooms,
  idBloomBytes,
);

export function readIdBlooms(section: Section): IdBlooms {
  return { traces: BloomFilter.fromBytes(section.bytes(0)), spans: BloomFilter.fromBytes(section.bytes(1)) };
}

export function idBloomBytes({ traces, spans }: IdBlooms): number {
  return traces.bytes.length + spans.bytes.length;
}

/** Times minus the smallest one, in the narrowest array that holds them. */
export function readTimeOffsets(section: Section): Uint32Array | Float64Array {
  const count = section.count(0);
  return section.numbers(0, section.width(0) <= 4 ? new Uint32Array(count) : new Float64Array(count), 0);
}

function groupRowsByService(serviceOf: Uint16Array, counts: readonly number[]): ServiceRows {
  let end = 0;
  const ends = Uint32Array.from(counts, (count) => (end += count));
  const cursors = ends.map((last, service) => last - counts[service]);
  const rows = new Uint16Array(serviceOf.length);
  for (let row = 0; row < rows.length; row++) rows[cursors[serviceOf[row]]++] = row;
  return { rows, ends };
}

function findRoots(flags: Uint8Array, local: Uint16Array, traces: number): RootColumn {
  const rooted = new Uint8Array(traces);
  const rows: number[] = [];
  for (let row = 0; row < flags.length; row++) {
    if ((flags[row] & ROOT_FLAG) === 0) continue;
    rows.push(row);
    rooted[local[row]] = 1;
  }
  const rootless: number[] = [];
  for (let trace = 0; trace < traces; trace++) if (rooted[trace] === 0) rootless.push(trace);
  return { rows: Uint16Array.from(rows), rootless: Uint16Array.from(rootless) };
}

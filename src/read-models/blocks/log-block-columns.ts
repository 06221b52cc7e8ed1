import type { LogBlockDocument } from '../documents/block-documents.js';
import { defineColumn, type BlockColumn } from './block.js';
import { LOG_BLOBS } from './log-block-codec.js';
import { readLocations, readTraceColumn, type RecordLocations, type TraceColumn } from './record-column-codec.js';
import { idBloomBytes, readTimeOffsets, readIdBlooms, type IdBlooms } from './span-block-columns.js';
import { copyWords32 } from './uint32-words.js';

/** Times in µs after the block's `minTimeUs`. */
export const LOG_TIMES: BlockColumn<LogBlockDocument, Uint32Array | Float64Array> = defineColumn(
  'times',
  LOG_BLOBS.time,
  readTimeOffsets,
  (value) => value.byteLength,
);

export interface LogLabels {
  /** Block-local id: an index into the document's list. */
  readonly services: Uint16Array;
  /** 1–24. */
  readonly severities: Uint8Array;
  /** 1 if the record reports an exception. */
  readonly exceptions: Uint8Array;
}

export const LOG_LABELS = defineColumn<LogBlockDocument, LogLabels>(
  'labels',
  LOG_BLOBS.labels,
  (section, { rows }) => ({
    services: section.uint16(0),
    severities: section.numbers(1, new Uint8Array(rows)),
    exceptions: section.numbers(2, new Uint8Array(rows)),
  }),
  ({ severities }) => severities.length * 4,
);

export interface LogIds {
  readonly traces: TraceColumn;
  /** Two words per row, zero: none. */
  readonly spans: Uint32Array;
}

export const LOG_IDS = defineColumn<LogBlockDocument, LogIds>(
  'ids',
  LOG_BLOBS.ids,
  (section) => ({ traces: readTraceColumn(section, 0), spans: copyWords32(section.bytes(2)) }),
  ({ traces, spans }) => traces.ids.byteLength + traces.local.byteLength + spans.byteLength,
);

export interface LogLocations extends RecordLocations {
  /** Nanoseconds beyond the whole µs of the time. */
  readonly timeNs: Uint16Array;
  /** Index of the record in its request, including rejected ones. */
  readonly ordinal: Uint32Array;
}

export const LOG_LOCATIONS = defineColumn<LogBlockDocument, LogLocations>(
  'places',
  LOG_BLOBS.places,
  (section) => ({ timeNs: section.uint16(0), ordinal: section.uint32(1), ...readLocations(section, 2) }),
  ({ timeNs }) => timeNs.length * 18,
);

export const LOG_ID_BLOOMS = defineColumn<LogBlockDocument, IdBlooms>(
  'id-blooms',
  LOG_BLOBS.idBlooms,
  readIdBlooms,
  idBloomBytes,
);

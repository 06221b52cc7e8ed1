import type { LogBlockDocument } from '../logs.js';
import { columnOf, type BlockColumn } from './block-column.js';
import { LOG_BLOBS } from './log-block.js';
import { readPlaces, type RecordPlaces } from './record-places.js';
import { idBloomBytes, offsetsOf, readIdBlooms, type IdBlooms } from './span-columns.js';
import { readTraces, type TraceColumn } from './trace-column.js';
import { ownWords32 } from './words32.js';

/** Times in µs after the block's `minTimeUs`. */
export const TIMES: BlockColumn<LogBlockDocument, Uint32Array | Float64Array> = columnOf('times', LOG_BLOBS.time, offsetsOf, (value) => value.byteLength);

export interface LogLabels {
  /** Block-local id into the document's list. */
  readonly services: Uint16Array;
  /** 1–24. */
  readonly severities: Uint8Array;
  /** 1 where the record tells of an exception. */
  readonly exceptions: Uint8Array;
}

export const LOG_LABELS = columnOf<LogBlockDocument, LogLabels>(
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
  /** Two words a row, zero: none. */
  readonly spans: Uint32Array;
}

export const LOG_IDS = columnOf<LogBlockDocument, LogIds>(
  'ids',
  LOG_BLOBS.ids,
  (section) => ({ traces: readTraces(section, 0), spans: ownWords32(section.bytes(2)) }),
  ({ traces, spans }) => traces.ids.byteLength + traces.local.byteLength + spans.byteLength,
);

export interface LogPlaces extends RecordPlaces {
  /** Nanoseconds beyond the whole µs of the time. */
  readonly timeNs: Uint16Array;
  /** Of the record in its request, rejected ones counted. */
  readonly ordinal: Uint32Array;
}

export const LOG_PLACES = columnOf<LogBlockDocument, LogPlaces>(
  'places',
  LOG_BLOBS.places,
  (section) => ({ timeNs: section.uint16(0), ordinal: section.uint32(1), ...readPlaces(section, 2) }),
  ({ timeNs }) => timeNs.length * 18,
);

export const LOG_ID_BLOOMS = columnOf<LogBlockDocument, IdBlooms>('id-blooms', LOG_BLOBS.idBlooms, readIdBlooms, idBloomBytes);

import type { ErrorGroupChange } from '../../read-models/documents/error-group-documents.js';

/** Resolutions of which it is kept what was read; about 300 bytes each. */
const MAX_RESOLUTIONS = 10_000;

export type Resolution = Extract<ErrorGroupChange, { readonly type: 'resolved' }>;

/** Revisions of the Grid's stream up to which the records of each signal have been read. */
export interface ReadThrough {
  logs: number;
  spans: number;
}

/** What was found of a resolved group in the records that have been read since it was resolved. */
export interface Recurrence {
  /** The earliest exception that reopens it, µs since 1970; absent if there is none. */
  readonly reopenedAtUs?: number;
  readonly readThrough: Readonly<ReadThrough>;
  /** The first exception is known for good: nothing more is read. */
  readonly isFinal: boolean;
}

const NOTHING_READ: Recurrence = { readThrough: { logs: -1, spans: -1 }, isFinal: false };

/**
 * What was found of resolved groups, so that requests read only records that have arrived since the last one. In memory,
 * of the resolutions used last: each process finds out by itself.
 */
export class ErrorRecurrences {
  private readonly known = new Map<string, Recurrence>();

  constructor(private readonly maxResolutions = MAX_RESOLUTIONS) {}

  find(gridId: string, groupId: string, resolution: Resolution): Recurrence {
    return this.known.get(toKey(gridId, groupId, resolution)) ?? NOTHING_READ;
  }

  /** Adds what one request has found to what others have meanwhile. */
  add(gridId: string, groupId: string, resolution: Resolution, found: Recurrence): void {
    const key = toKey(gridId, groupId, resolution);
    const merged = merge(this.known.get(key) ?? NOTHING_READ, found);
    this.known.delete(key);
    this.known.set(key, merged);
    for (const oldest of this.known.keys()) if (this.known.size > this.maxResolutions) this.known.delete(oldest);
  }
}

function toKey(gridId: string, groupId: string, { at, fixedIn }: Resolution): string {
  return JSON.stringify([gridId, groupId, at, fixedIn]);
}

function merge(a: Recurrence, b: Recurrence): Recurrence {
  const reopenedAtUs = Math.min(a.reopenedAtUs ?? Infinity, b.reopenedAtUs ?? Infinity);
  return {
    ...(reopenedAtUs < Infinity && { reopenedAtUs }),
    readThrough: {
      logs: Math.max(a.readThrough.logs, b.readThrough.logs),
      spans: Math.max(a.readThrough.spans, b.readThrough.spans),
    },
    isFinal: a.isFinal || b.isFinal,
  };
}

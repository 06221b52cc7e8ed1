import { type ExceptionRollup, OTHER_NAME, ROLLUP_BOUNDS } from '../../../diagnostics/rollups/rollup-types.js';
import { SPAN_ID_BYTES, TRACE_ID_BYTES } from '../../../telemetry/trace-identifiers.js';
import { AttributeTokenHasher } from '../../../telemetry/attribute-tokens.js';

interface ExceptionCount {
  readonly type: string;
  readonly message: string;
  count: number;
  ids: Set<number>;
}

/** Counts the exceptions of one service and minute by type and message; beyond the limit they count as `__other__`. */
export class ExceptionAccumulator {
  private readonly counts = new Map<string, ExceptionCount>();

  constructor(exceptions: readonly ExceptionRollup[] = []) {
    for (const { type, message, count, ids } of exceptions)
      this.counts.set(exceptionKey(type, message), { type, message, count, ids: new Set(ids) });
  }

  /** `id`: see hashException; undefined if no span is named. */
  add(type: string, message: string, id?: number): void {
    const entry = this.getOrCreate(type, message);
    entry.count++;
    if (id === undefined) return;
    entry.ids.add(id);
    if (entry.ids.size > 2 * ROLLUP_BOUNDS.exceptionIds) entry.ids = new Set(selectSmallest(entry.ids));
  }

  toRollups(): ExceptionRollup[] {
    return [...this.counts.values()].map(({ type, message, count, ids }) => ({
      type,
      message,
      count,
      ids: selectSmallest(ids),
    }));
  }

  private getOrCreate(type: string, message: string): ExceptionCount {
    const key = exceptionKey(type, message);
    const known = this.counts.get(key);
    if (known !== undefined) return known;
    const others = this.counts.get(OTHER_EXCEPTION_KEY);
    const isFull = this.counts.size - (others === undefined ? 0 : 1) >= ROLLUP_BOUNDS.exceptions;
    if (isFull && key !== OTHER_EXCEPTION_KEY) return others ?? this.create(OTHER_EXCEPTION_KEY, OTHER_NAME, '');
    return this.create(key, type, message);
  }

  private create(key: string, type: string, message: string): ExceptionCount {
    const entry = { type, message, count: 0, ids: new Set<number>() };
    this.counts.set(key, entry);
    return entry;
  }
}

const OTHER_EXCEPTION_KEY = exceptionKey(OTHER_NAME, '');

function exceptionKey(type: string, message: string): string {
  return `${type.length}/${type}${message}`;
}

/** The selection does not depend on the order of arrival. */
function selectSmallest(ids: ReadonlySet<number>): number[] {
  return [...ids].sort((a, b) => a - b).slice(0, ROLLUP_BOUNDS.exceptionIds);
}

const TWO_TO_32 = 2 ** 32;
const tokenHash = new AttributeTokenHasher();

/**
 * 48-bit hash of an exception of a span: the same for the span event and the log record that report it. The ids are at
 * `row` of columns with 16 and 8 bytes per row. Stored in rollups: another hash requires a rebuild.
 */
export function hashException(
  traceIds: Uint8Array,
  spanIds: Uint8Array,
  row: number,
  type: string,
  message: string,
): number {
  tokenHash.reset();
  tokenHash.add(new DataView(traceIds.buffer, traceIds.byteOffset), row * TRACE_ID_BYTES, (row + 1) * TRACE_ID_BYTES);
  tokenHash.add(new DataView(spanIds.buffer, spanIds.byteOffset), row * SPAN_ID_BYTES, (row + 1) * SPAN_ID_BYTES);
  tokenHash.addText(type);
  tokenHash.addText(message);
  return tokenHash.check() * TWO_TO_32 + tokenHash.token();
}

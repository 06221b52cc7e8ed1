import { type ExceptionRollup, OTHER_NAME, ROLLUP_BOUNDS } from '../../../diagnostics/rollups/rollup-types.js';
import { SPAN_ID_BYTES, TRACE_ID_BYTES } from '../../../telemetry/trace-identifiers.js';
import { AttributeTokenHasher } from '../../../telemetry/attribute-tokens.js';

interface ExceptionCount {
  readonly type: string;
  readonly message: string;
  count: number;
  ids: Set<number>;
}

/** Counts the exceptions of one service and minute by type and message; those past the bound count as `__other__`. */
export class ExceptionAccumulator {
  private readonly tallies = new Map<string, ExceptionCount>();

  constructor(exceptions: readonly ExceptionRollup[] = []) {
    for (const { type, message, count, ids } of exceptions)
      this.tallies.set(exceptionKey(type, message), { type, message, count, ids: new Set(ids) });
  }

  /** `id` as exceptionId makes it; undefined where no span is named. */
  add(type: string, message: string, id?: number): void {
    const tally = this.getOrCreate(type, message);
    tally.count++;
    if (id === undefined) return;
    tally.ids.add(id);
    if (tally.ids.size > 2 * ROLLUP_BOUNDS.exceptionIds) tally.ids = new Set(selectSmallest(tally.ids));
  }

  toRollups(): ExceptionRollup[] {
    return [...this.tallies.values()].map(({ type, message, count, ids }) => ({
      type,
      message,
      count,
      ids: selectSmallest(ids),
    }));
  }

  private getOrCreate(type: string, message: string): ExceptionCount {
    const key = exceptionKey(type, message);
    const known = this.tallies.get(key);
    if (known !== undefined) return known;
    const others = this.tallies.get(OTHER_EXCEPTION_KEY);
    const isFull = this.tallies.size - (others === undefined ? 0 : 1) >= ROLLUP_BOUNDS.exceptions;
    if (isFull && key !== OTHER_EXCEPTION_KEY) return others ?? this.create(OTHER_EXCEPTION_KEY, OTHER_NAME, '');
    return this.create(key, type, message);
  }

  private create(key: string, type: string, message: string): ExceptionCount {
    const tally = { type, message, count: 0, ids: new Set<number>() };
    this.tallies.set(key, tally);
    return tally;
  }
}

const OTHER_EXCEPTION_KEY = exceptionKey(OTHER_NAME, '');

function exceptionKey(type: string, message: string): string {
  return `${type.length}/${type}${message}`;
}

/** Which ones stay does not depend on the order in which they came. */
function selectSmallest(ids: ReadonlySet<number>): number[] {
  return [...ids].sort((a, b) => a - b).slice(0, ROLLUP_BOUNDS.exceptionIds);
}

const TWO_TO_32 = 2 ** 32;
const tokenHash = new AttributeTokenHasher();

/**
 * 48-bit hash of an exception of a span: the same for the span event and the log record that tell of it. The ids are
 * those at `row` of columns with 16 and 8 bytes a row. Part of stored rollups: another hash needs a rebuild.
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

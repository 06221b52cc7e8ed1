import { OTHER, ROLLUP_BOUNDS, type ExceptionRollup } from '../../../diagnostics/rollups.js';

interface Tally {
  readonly type: string;
  readonly message: string;
  count: number;
  ids: Set<number>;
}

/** Counts the exceptions of one service and minute by type and message; those past the bound count as `__other__`. */
export class ExceptionTally {
  private readonly tallies = new Map<string, Tally>();

  constructor(exceptions: readonly ExceptionRollup[] = []) {
    for (const { type, message, count, ids } of exceptions) this.tallies.set(keyOf(type, message), { type, message, count, ids: new Set(ids) });
  }

  /** `id` as exceptionId makes it; undefined where no span is named. */
  add(type: string, message: string, id?: number): void {
    const tally = this.tally(type, message);
    tally.count++;
    if (id === undefined) return;
    tally.ids.add(id);
    if (tally.ids.size > 2 * ROLLUP_BOUNDS.exceptionIds) tally.ids = new Set(smallest(tally.ids));
  }

  rollup(): ExceptionRollup[] {
    return [...this.tallies.values()].map(({ type, message, count, ids }) => ({ type, message, count, ids: smallest(ids) }));
  }

  private tally(type: string, message: string): Tally {
    const key = keyOf(type, message);
    const known = this.tallies.get(key);
    if (known !== undefined) return known;
    const others = this.tallies.get(OTHERS);
    const isFull = this.tallies.size - (others === undefined ? 0 : 1) >= ROLLUP_BOUNDS.exceptions;
    if (isFull && key !== OTHERS) return others ?? this.begin(OTHERS, OTHER, '');
    return this.begin(key, type, message);
  }

  private begin(key: string, type: string, message: string): Tally {
    const tally = { type, message, count: 0, ids: new Set<number>() };
    this.tallies.set(key, tally);
    return tally;
  }
}

const OTHERS = keyOf(OTHER, '');

function keyOf(type: string, message: string): string {
  return `${type.length}/${type}${message}`;
}

/** Which ones stay does not depend on the order in which they came. */
function smallest(ids: ReadonlySet<number>): number[] {
  return [...ids].sort((a, b) => a - b).slice(0, ROLLUP_BOUNDS.exceptionIds);
}

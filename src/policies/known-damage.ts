import type { Position } from '../streams/event-store.js';
import type { Damage } from '../streams/log-checker.js';

/** Places that are remembered one by one; more are only counted. */
const MAX_REMEMBERED = 1_000;

/** Damage of one kind that scrubs of the log have found, by position. */
export class KnownDamage {
  private readonly reasons = new Map<Position, string>();
  /** Places beyond those that are remembered: of the last pass, or more if this one has already found more. */
  private unnamed = 0;
  private unnamedInPass = 0;

  /** `onFound` is called with each place when it becomes known. */
  constructor(private readonly onFound: (damage: Damage) => void) {}

  /** Number of places. */
  get count(): number {
    return this.reasons.size + this.unnamed;
  }

  /** Remembered places in log order. */
  get places(): readonly Damage[] {
    return [...this.reasons].sort().map(([position, reason]) => ({ position, reason }));
  }

  /** Adds what an earlier process has found. */
  load(damage: readonly Damage[]): void {
    for (const { position, reason } of damage) this.reasons.set(position, reason);
  }

  /** Adds what a reader has met. Returns false for a known place, and when there is no room. */
  note(damage: Damage): boolean {
    if (this.reasons.has(damage.position) || this.reasons.size >= MAX_REMEMBERED) return false;
    this.remember(damage);
    return true;
  }

  /** Replaces what is known between two positions, the first one excluded. Returns whether anything has changed. */
  replaceBetween(after: Position, reached: Position, damaged: readonly Damage[]): boolean {
    const found = new Set(damaged.map(({ position }) => position));
    const known = [...this.reasons.keys()].filter((position) => position > after && position <= reached);
    const repaired = known.filter((position) => !found.has(position));
    for (const position of repaired) this.reasons.delete(position);
    const added = damaged.filter(({ position }) => !this.reasons.has(position));
    for (const damage of added) this.remember(damage);
    return repaired.length + added.length > 0;
  }

  /** Ends a pass that has reached `end`: what is beyond it has been deleted, and so has its damage. */
  endPass(end: Position): void {
    for (const position of [...this.reasons.keys()]) if (position > end) this.reasons.delete(position);
    this.unnamed = this.unnamedInPass;
    this.unnamedInPass = 0;
  }

  private remember(damage: Damage): void {
    if (this.reasons.size >= MAX_REMEMBERED) {
      this.unnamedInPass++;
      this.unnamed = Math.max(this.unnamed, this.unnamedInPass);
      return;
    }
    this.reasons.set(damage.position, damage.reason);
    this.onFound(damage);
  }
}

import { MINUTE_MS } from '../../diagnostics/time-windows.js';
import type { EpisodeStarts, KnownStart } from '../errors/error-episode-search.js';

/** What all rules of a thread may take. */
const MAX_BYTES = 32 * 1024 * 1024;
/** What a rule and an episode take in memory, about. */
const RULE_BYTES = 500;
const START_BYTES = 300;
/** Rules that were not evaluated for so long are deleted, disabled or changed: no window is longer. */
const FORGET_AFTER_MS = 60 * MINUTE_MS;

interface RememberedRule {
  readonly starts: EpisodeStarts;
  readonly bytes: number;
  /** The last moment for which it was evaluated. */
  readonly momentMs: number;
}

/**
 * What rules on new errors have found, by rule. Beyond the limit, the rules with the most groups are forgotten, which have
 * to read all that is stored again; were it those evaluated longest ago, each rule would be forgotten before its turn.
 */
export class EpisodeStartMemory {
  /** The one kept longest ago first. */
  private readonly rules = new Map<string, RememberedRule>();
  private bytes = 0;

  constructor(private readonly maxBytes = MAX_BYTES) {}

  /** Approximate bytes in use. */
  get size(): number {
    return this.bytes;
  }

  /** What is known of the rule, to be completed and kept again. */
  open(key: string): EpisodeStarts {
    return this.rules.get(key)?.starts ?? new Map<string, KnownStart>();
  }

  keep(key: string, starts: EpisodeStarts, momentMs: number): void {
    this.drop(key);
    const bytes = RULE_BYTES + starts.size * START_BYTES;
    this.rules.set(key, { starts, bytes, momentMs });
    this.bytes += bytes;
    for (const [other, rule] of this.rules) {
      if (momentMs - rule.momentMs < FORGET_AFTER_MS) break;
      this.drop(other);
    }
    while (this.bytes > this.maxBytes) this.drop(this.findLargest());
  }

  private drop(key: string): void {
    this.bytes -= this.rules.get(key)?.bytes ?? 0;
    this.rules.delete(key);
  }

  private findLargest(): string {
    let largest = { key: '', bytes: -1 };
    for (const [key, { bytes }] of this.rules) if (bytes > largest.bytes) largest = { key, bytes };
    return largest.key;
  }
}

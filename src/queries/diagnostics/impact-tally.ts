import { TraceTable } from '../../read-models/blocks/id-tables.js';
import { bytesOf } from '../../read-models/blocks/words32.js';
import { hexOf, TRACE_ID_BYTES } from '../../telemetry/ids.js';
import type { Matches } from './impact-matches.js';

/** Which of a cause's traces tell most of it. */
export type Telling = 'errors' | 'slow';

const SAMPLES = 5;

/** Distinct traces of matching spans, and of each the span that tells most. */
export class ImpactTally {
  private readonly traces = new TraceTable();
  private readonly scores: number[] = [];
  private readonly newest: number[] = [];

  constructor(private readonly telling: Telling) {}

  get count(): number {
    return this.traces.size;
  }

  /** Takes in the spans that ended in fromUs ≤ end < toUs. */
  add({ size, traceIds, endUs, durationNs, errors }: Matches, fromUs: number, toUs: number): void {
    for (let i = 0; i < size; i++) {
      if (endUs[i] < fromUs || endUs[i] >= toUs) continue;
      const number = this.traces.add(traceIds, i * 4);
      const score = this.scoreOf(durationNs[i], errors[i] === 1);
      if (number === this.scores.length || score > this.scores[number]) this.scores[number] = score;
      this.newest[number] = Math.max(this.newest[number] ?? 0, endUs[i]);
    }
  }

  /** Most telling first: errors before others where the cause is one of errors, then the slowest, then the newest. */
  sampleTraceIds(): string[] {
    const best: number[] = [];
    for (let number = 0; number < this.count; number++) {
      if (best.length === SAMPLES && this.order(number, best[SAMPLES - 1]) > 0) continue;
      best.push(number);
      best.sort((a, b) => this.order(a, b));
      best.length = Math.min(best.length, SAMPLES);
    }
    return best.map((number) => this.idOf(number));
  }

  private scoreOf(durationNs: number, isError: boolean): number {
    return this.telling === 'errors' && isError ? durationNs + Number.MAX_SAFE_INTEGER : durationNs;
  }

  private order(a: number, b: number): number {
    return this.scores[b] - this.scores[a] || this.newest[b] - this.newest[a] || (this.idOf(a) < this.idOf(b) ? -1 : 1);
  }

  private idOf(number: number): string {
    return hexOf(bytesOf(this.traces.words.subarray(number * 4, number * 4 + 4)).subarray(0, TRACE_ID_BYTES));
  }
}

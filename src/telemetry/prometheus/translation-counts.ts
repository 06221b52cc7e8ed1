import type { PrometheusSeries, WrittenCounts } from './remote-write.js';

/** What each point of a translated request consists of, and what did not become a point. */
export class TranslationCounts {
  /** By point, in the order of the translated body. */
  private readonly samples: number[] = [];
  private readonly histograms: number[] = [];
  private readonly exemplars: number[] = [];
  /** Markers that a series has ended: taken, though they hold no value. */
  private readonly stale = { samples: 0, histograms: 0 };
  private readonly faults = new Map<string, { count: number; readonly index: number }>();
  /** Samples and histograms that could not be translated. */
  untranslated = 0;

  addPoint({ samples, histograms, exemplars }: WrittenCounts): void {
    this.samples.push(samples);
    this.histograms.push(histograms);
    this.exemplars.push(exemplars);
  }

  addStale(kind: 'samples' | 'histograms'): void {
    this.stale[kind]++;
  }

  addFault(fault: string, { index }: PrometheusSeries, count = 1): void {
    if (count === 0) return;
    this.untranslated += count;
    const known = this.faults.get(fault);
    if (known === undefined) this.faults.set(fault, { count, index });
    else known.count += count;
  }

  /** What was taken of the request, if these points (ordinals) are rejected. */
  countWritten(rejected: readonly number[]): WrittenCounts {
    const lost = (of: readonly number[]): number => rejected.reduce((sum, ordinal) => sum + of[ordinal], 0);
    const total = (of: readonly number[]): number => of.reduce((sum, count) => sum + count, 0);
    return {
      samples: this.stale.samples + total(this.samples) - lost(this.samples),
      histograms: this.stale.histograms + total(this.histograms) - lost(this.histograms),
      exemplars: total(this.exemplars) - lost(this.exemplars),
    };
  }

  /** Such as `2 samples rejected: 2 without the label __name__ (first in timeseries[4])`; "" if all were translated. */
  describe(): string {
    if (this.untranslated === 0) return '';
    const reasons = [...this.faults].map(
      ([fault, { count, index }]) => `${count} ${fault} (first in timeseries[${index}])`,
    );
    return `${this.untranslated} ${this.untranslated === 1 ? 'sample' : 'samples'} rejected: ${reasons.join(', ')}`;
  }
}

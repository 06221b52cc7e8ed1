import type { ChartFold } from '../../diagnostics/chart-series/fold.js';
import { ROLLUP_BLOB, rollupId } from '../rollups.js';
import type { ReadModelReader } from '../store.js';
import { decodeServiceTotals } from './grid-rollup-codec.js';
import { decodeLogSeverities } from './log-rollup-codec.js';
import { decodeMetricSeries } from './metric-rollup-codec.js';
import type { RollupReader } from './rollup-reader.js';
import type { StoredRun } from './rollup-source.js';
import { decodeOperations } from './service-rollup-codec.js';

/** Rollups of all services of one stretch are read so many at a time. */
const BLOBS_A_PAGE = 100;

/** Minutes since 1970, from ≤ minute < to; by the hour where it is whole, or all by the minute. */
export interface ReadRange {
  readonly from: number;
  readonly to: number;
  readonly byHour: boolean;
}

/** Where a rollup stands: its first minute since 1970, and 1 or 60. */
interface Place {
  readonly minute: number;
  readonly minutes: number;
}

type Take = (place: Place, blob: Uint8Array) => void;
type GiveWay = () => Promise<void> | undefined;

/**
 * Rollups for charts, which look at a little of very many: each is read, decoded as far as the chart looks at it, added and
 * let go. So a chart of a month costs no memory, and pushes out nothing that live answers keep decoded.
 */
export class ChartRollups {
  constructor(
    private readonly store: ReadModelReader,
    private readonly reader: RollupReader,
  ) {}

  /** Adds the rollups of a Grid in order of time. Shows all that was committed before. `giveWay` is awaited after each. */
  async addTo(fold: ChartFold, gridId: string, { from, to, byHour }: ReadRange, giveWay: GiveWay): Promise<void> {
    await this.reader.look();
    const take = takenBy(fold);
    const service = fold.part === 'grids' ? '' : fold.service;
    for (const run of this.reader.storedRuns(fold.part, gridId, from, to, byHour)) {
      for (let { from: minute } = run; minute < run.to; minute += run.minutes) {
        if (service === undefined) await this.addAll(run, gridId, minute, take, giveWay);
        else await this.addOne(run, { gridId, minute, service }, take);
        const others = giveWay();
        if (others !== undefined) await others;
      }
    }
  }

  private async addOne({ collection, minutes }: StoredRun, place: { gridId: string; minute: number; service: string }, take: Take): Promise<void> {
    const blob = await this.store.blob(collection, rollupId(place), ROLLUP_BLOB);
    if (blob !== undefined) take({ minute: place.minute, minutes }, blob);
  }

  private async addAll({ collection, minutes }: StoredRun, gridId: string, minute: number, take: Take, giveWay: GiveWay): Promise<void> {
    const prefix = rollupId({ gridId, minute, service: '' });
    let after: string | undefined;
    do {
      const page = await this.store.blobs(collection, ROLLUP_BLOB, { prefix, after, limit: BLOBS_A_PAGE });
      for (const { blob } of page) {
        take({ minute, minutes }, blob);
        const others = giveWay(); // mostly there are none, and nothing to await: tens of thousands of times
        if (others !== undefined) await others;
      }
      after = page.length < BLOBS_A_PAGE ? undefined : page[page.length - 1].id;
    } while (after !== undefined);
  }
}

function takenBy(fold: ChartFold): Take {
  switch (fold.part) {
    case 'grids':
      return ({ minute, minutes }, blob) => fold.add({ minute, minutes, value: decodeServiceTotals(blob) });
    case 'services':
      return ({ minute, minutes }, blob) => fold.add({ minute, minutes, value: decodeOperations(blob) });
    case 'logs':
      return ({ minute, minutes }, blob) => fold.add({ minute, minutes, value: decodeLogSeverities(blob) });
    case 'metrics':
      return ({ minute, minutes }, blob) => fold.add({ minute, minutes, value: decodeMetricSeries(blob, fold.metric) });
    default:
      return fold satisfies never;
  }
}

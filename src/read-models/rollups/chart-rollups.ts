import type { ChartFold } from '../../diagnostics/chart-series/fold.js';
import { ROLLUP_BLOB, rollupId } from '../rollups.js';
import type { ReaderOf } from '../shares/readers-by-grid.js';
import { decodeServiceTotals } from './grid-rollup-codec.js';
import { decodeLogSeverities } from './log-rollup-codec.js';
import { decodeMetricSeries } from './metric-rollup-codec.js';
import type { GridRollups } from './grid-rollups.js';
import type { StoredRun } from './rollup-source.js';
import { decodeOperations } from './service-rollup-codec.js';

/** Rollups of all services are read so many at a time. */
const BLOBS_A_PAGE = 100;

/** Rollups of one service are asked for so many at once: a store elsewhere takes about as long for all of them as for one. */
const BLOBS_AT_ONCE = 16;

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

/** Minutes from ≤ minute < to of one Grid: their ids begin with `prefix`, and maybe others' too. */
interface Stretch {
  readonly gridId: string;
  readonly from: number;
  readonly to: number;
  readonly prefix: string;
}

type Take = (place: Place, blob: Uint8Array) => void;
type GiveWay = () => Promise<void> | undefined;

/**
 * Rollups for charts, which look at a little of very many: each is read, decoded as far as the chart looks at it, added and
 * let go. So a chart of a month costs no memory, and pushes out nothing that live answers keep decoded.
 */
export class ChartRollups {
  constructor(
    private readonly readerOf: ReaderOf,
    private readonly rollups: GridRollups,
  ) {}

  /** Adds the rollups of a Grid in order of time. Shows all that was committed before. `giveWay` is awaited after each. */
  async addTo(fold: ChartFold, gridId: string, { from, to, byHour }: ReadRange, giveWay: GiveWay): Promise<void> {
    await this.rollups.look(gridId);
    const take = takenBy(fold);
    const service = fold.part === 'grids' ? '' : fold.service;
    for (const run of this.rollups.storedRuns(fold.part, gridId, from, to, byHour)) {
      if (service === undefined) await this.addAll(run, gridId, take, giveWay);
      else await this.addService(run, gridId, service, take, giveWay);
    }
  }

  private async addService({ collection, from, to, minutes }: StoredRun, gridId: string, service: string, take: Take, giveWay: GiveWay): Promise<void> {
    const store = this.readerOf(gridId);
    for (let first = from; first < to; first += minutes * BLOBS_AT_ONCE) {
      const some = Array.from({ length: Math.min(BLOBS_AT_ONCE, Math.ceil((to - first) / minutes)) }, (_, n) => first + n * minutes);
      const blobs = await Promise.all(some.map((minute) => store.blob(collection, rollupId({ gridId, minute, service }), ROLLUP_BLOB)));
      for (const [n, blob] of blobs.entries()) {
        if (blob !== undefined) take({ minute: some[n], minutes }, blob);
        const others = giveWay();
        if (others !== undefined) await others;
      }
    }
  }

  /** Several minutes at once, where they begin with the same digits: most have a few rollups only, or none. */
  private async addAll(run: StoredRun, gridId: string, take: Take, giveWay: GiveWay): Promise<void> {
    for (let { from } = run, to; from < run.to; from = to) {
      const digits = sharedDigits(from, run.to);
      to = from + digits.minutes;
      await this.addPages(run, { gridId, from, to, prefix: `${gridId}/${digits.prefix}` }, take, giveWay);
      const others = giveWay();
      if (others !== undefined) await others;
    }
  }

  private async addPages({ collection, minutes }: StoredRun, { gridId, from, to, prefix }: Stretch, take: Take, giveWay: GiveWay): Promise<void> {
    let after: string | undefined;
    do {
      const page = await this.readerOf(gridId).blobs(collection, ROLLUP_BLOB, { prefix, after, limit: BLOBS_A_PAGE });
      for (const { id, blob } of page) {
        const minute = Number.parseInt(id.slice(gridId.length + 1), 10);
        if (minute >= from && minute < to) take({ minute, minutes }, blob); // ones of other lengths may begin alike
        const others = giveWay(); // mostly there are none, and nothing to await: tens of thousands of times
        if (others !== undefined) await others;
      }
      after = page.length < BLOBS_A_PAGE ? undefined : page[page.length - 1].id;
    } while (after !== undefined);
  }
}

/** The most of 1, 10, 100 and 1,000 minutes from `from` on, up to `to`, whose numbers begin with the same digits and have no others before their end. */
export function sharedDigits(from: number, to: number): { readonly minutes: number; readonly prefix: string } {
  const minutes = [1_000, 100, 10].find((many) => from % many === 0 && from >= many && from + many <= to);
  return minutes === undefined ? { minutes: 1, prefix: `${from}/` } : { minutes, prefix: String(from / minutes) };
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

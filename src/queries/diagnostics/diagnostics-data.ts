import type { DiagnosticsInput, DiagnosticsSettings } from '../../diagnostics/input.js';
import { MINUTE_MS, type Timeframe } from '../../diagnostics/timeframe.js';
import { accessCollections } from '../../read-models/access.js';
import { metricSeries } from '../../read-models/metric-series.js';
import { activeVersion } from '../../read-models/projections.js';
import type { GridRollups, RollupPart, Rollups } from '../../read-models/rollups/grid-rollups.js';
import { METRICS_PROJECTION } from '../../read-models/rollups.js';
import type { ReaderOf } from '../../read-models/shares/readers-by-grid.js';
import type { AlertQueries } from '../alerts.js';
import type { Part } from './question.js';

/** Contract §5: what counts for a Grid whose settings have not reached the read model yet. */
const INITIAL_SETTINGS: DiagnosticsSettings = { apdexThresholdMs: 500, errorRateThreshold: 5, apdexHealthThreshold: 0.7 };

/** Parts of an input, and the windows in which they are looked at. */
export interface Need {
  readonly parts: readonly Part[];
  readonly windows: readonly Timeframe[];
}

/** Reads what diagnostics are computed from. */
export class DiagnosticsData {
  /** `clock` in ms since 1970. */
  constructor(
    private readonly readerOf: ReaderOf,
    readonly rollups: GridRollups,
    readonly alerts: AlertQueries,
    readonly clock: () => number,
  ) {}

  /** The parts that are needed, each for the windows in which it is; the others are empty. Shows all that was committed before the call. */
  async input(gridId: string, needs: readonly Need[], onlyService?: string): Promise<DiagnosticsInput> {
    await this.rollups.look(gridId);
    const load = <P extends RollupPart>(part: P): Promise<DiagnosticsInput[P]> => this.rollupsOf(gridId, part, windowsOf(needs, part), onlyService);
    const alertWindows = windowsOf(needs, 'alerts');
    return {
      grids: await load('grids'),
      services: await load('services'),
      logs: await load('logs'),
      metrics: await load('metrics'),
      catalogs: windowsOf(needs, 'catalogs').length === 0 ? [] : await this.rollups.serviceCatalogs(gridId),
      seriesOverflowMs: windowsOf(needs, 'seriesOverflowMs').length === 0 ? undefined : await this.seriesOverflowMs(gridId),
      settings: await this.settings(gridId),
      alerts: alertWindows.length === 0 ? [] : await this.alerts.alertsDuring(gridId, hullOf(alertWindows)),
    };
  }

  async settings(gridId: string): Promise<DiagnosticsSettings> {
    const store = this.readerOf(gridId);
    const version = await activeVersion(store, 'access');
    const grid = version === undefined ? undefined : await store.get(accessCollections(version).grids, gridId);
    if (grid === undefined) return INITIAL_SETTINGS;
    const { apdexThresholdMs, errorRateThreshold, apdexHealthThreshold } = grid;
    return { apdexThresholdMs, errorRateThreshold, apdexHealthThreshold };
  }

  private async seriesOverflowMs(gridId: string): Promise<number | undefined> {
    const store = this.readerOf(gridId);
    const version = await activeVersion(store, METRICS_PROJECTION);
    const grid = version === undefined ? undefined : await store.get(metricSeries(version).grids, gridId);
    return grid?.overflow === undefined ? undefined : grid.overflow.firstMinute * MINUTE_MS;
  }

  private async rollupsOf<P extends RollupPart>(gridId: string, part: P, windows: readonly Timeframe[], onlyService?: string): Promise<DiagnosticsInput[P]> {
    const loaded: Rollups[P][] = [];
    for (const { fromMs, toMs } of piecesOf(windows)) {
      loaded.push(await this.rollups.load(part, gridId, fromMs / MINUTE_MS, toMs / MINUTE_MS, part === 'grids' ? undefined : onlyService));
    }
    return loaded.flat() as unknown as DiagnosticsInput[P];
  }
}

function windowsOf(needs: readonly Need[], part: Part): Timeframe[] {
  return needs.filter(({ parts }) => parts.includes(part)).flatMap(({ windows }) => windows);
}

/**
 * The windows cut wherever one of them begins or ends, ascending: so no minute is read twice where they overlap, and no
 * hour reaches from one into another.
 */
function piecesOf(windows: readonly Timeframe[]): Timeframe[] {
  const cuts = [...new Set(windows.flatMap(({ fromMs, toMs }) => [fromMs, toMs]))].sort((a, b) => a - b);
  const pieces = cuts.slice(1).map((toMs, i) => ({ fromMs: cuts[i], toMs }));
  return pieces.filter((piece) => windows.some(({ fromMs, toMs }) => fromMs <= piece.fromMs && piece.toMs <= toMs));
}

/** From the first beginning to the last end. */
export function hullOf(windows: readonly Timeframe[]): Timeframe {
  return { fromMs: Math.min(...windows.map(({ fromMs }) => fromMs)), toMs: Math.max(...windows.map(({ toMs }) => toMs)) };
}

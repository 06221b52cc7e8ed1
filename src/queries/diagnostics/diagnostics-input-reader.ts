import type { DiagnosticsInput, DiagnosticsSettings } from '../../diagnostics/diagnostics-input.js';
import {
  type AnalysisWindows,
  MINUTE_MS,
  resolveAnalysisWindows,
  type TimeSelection,
  type TimeWindow,
} from '../../diagnostics/time-windows.js';
import { accessCollections } from '../../read-models/documents/access-documents.js';
import { metricSeriesCollections } from '../../read-models/documents/metric-series-documents.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import type { GridRollupReader, RollupPart, RollupsByPart } from '../../read-models/rollups/grid-rollup-reader.js';
import { METRICS_PROJECTION } from '../../read-models/documents/rollup-documents.js';
import type { ReaderForGrid } from '../../read-models/sharding/shard-readers.js';
import type { AlertQueries } from './alert-queries.js';
import type { CountImpactedTraces, DiagnosticQuery, InputPart } from './diagnostic-query-definitions.js';
import type { TimeBucket } from '../../diagnostics/rollups/rollup-types.js';

/** Contract §5: what counts for a Grid whose settings have not reached the read model yet. */
const INITIAL_SETTINGS: DiagnosticsSettings = {
  apdexThresholdMs: 500,
  errorRateThreshold: 5,
  apdexHealthThreshold: 0.7,
};

/** Parts of an input, and the windows in which they are looked at. */
export interface InputRequirement {
  readonly parts: readonly InputPart[];
  readonly windows: readonly TimeWindow[];
}

/** Reads what diagnostics are computed from. */
export class DiagnosticsInputReader {
  /** `clock` in ms since 1970. */
  constructor(
    private readonly readerOf: ReaderForGrid,
    readonly rollups: GridRollupReader,
    readonly alerts: AlertQueries,
    readonly clock: () => number,
  ) {}

  /** The parts that are needed, each for the windows in which it is; the others are empty. Shows all that was committed before the call. */
  async readInput(gridId: string, needs: readonly InputRequirement[], onlyService?: string): Promise<DiagnosticsInput> {
    await this.rollups.refresh(gridId);
    const load = <P extends RollupPart>(part: P): Promise<DiagnosticsInput[P]> =>
      this.loadRollups(gridId, part, windowsForPart(needs, part), onlyService);
    const alertWindows = windowsForPart(needs, 'alerts');
    return {
      grids: await load('grids'),
      services: await load('services'),
      logs: await load('logs'),
      metrics: await load('metrics'),
      catalogs: windowsForPart(needs, 'catalogs').length === 0 ? [] : await this.rollups.loadServiceCatalogs(gridId),
      seriesOverflowMs:
        windowsForPart(needs, 'seriesOverflowMs').length === 0 ? undefined : await this.readSeriesOverflowMs(gridId),
      settings: await this.readSettings(gridId),
      alerts: alertWindows.length === 0 ? [] : await this.alerts.alertsDuring(gridId, boundingWindow(alertWindows)),
    };
  }

  async readSettings(gridId: string): Promise<DiagnosticsSettings> {
    const store = this.readerOf(gridId);
    const version = await readActiveVersion(store, 'access');
    const grid = version === undefined ? undefined : await store.get(accessCollections(version).grids, gridId);
    if (grid === undefined) return INITIAL_SETTINGS;
    const { apdexThresholdMs, errorRateThreshold, apdexHealthThreshold } = grid;
    return { apdexThresholdMs, errorRateThreshold, apdexHealthThreshold };
  }

  private async readSeriesOverflowMs(gridId: string): Promise<number | undefined> {
    const store = this.readerOf(gridId);
    const version = await readActiveVersion(store, METRICS_PROJECTION);
    const grid = version === undefined ? undefined : await store.get(metricSeriesCollections(version).grids, gridId);
    return grid?.overflow === undefined ? undefined : grid.overflow.firstMinute * MINUTE_MS;
  }

  private async loadRollups<P extends RollupPart>(
    gridId: string,
    part: P,
    windows: readonly TimeWindow[],
    onlyService?: string,
  ): Promise<DiagnosticsInput[P]> {
    const loaded: RollupsByPart[P][] = [];
    for (const { fromMs, toMs } of splitAtBoundaries(windows)) {
      loaded.push(
        await this.rollups.load(
          part,
          gridId,
          fromMs / MINUTE_MS,
          toMs / MINUTE_MS,
          part === 'grids' ? undefined : onlyService,
        ),
      );
    }
    return loaded.flat() as unknown as DiagnosticsInput[P];
  }
}

function windowsForPart(needs: readonly InputRequirement[], part: InputPart): TimeWindow[] {
  return needs.filter(({ parts }) => parts.includes(part)).flatMap(({ windows }) => windows);
}

/**
 * The windows cut wherever one of them begins or ends, ascending: so no minute is read twice where they overlap, and no
 * hour reaches from one into another.
 */
function splitAtBoundaries(windows: readonly TimeWindow[]): TimeWindow[] {
  const cuts = [...new Set(windows.flatMap(({ fromMs, toMs }) => [fromMs, toMs]))].sort((a, b) => a - b);
  const pieces = cuts.slice(1).map((toMs, i) => ({ fromMs: cuts[i], toMs }));
  return pieces.filter((piece) => windows.some(({ fromMs, toMs }) => fromMs <= piece.fromMs && piece.toMs <= toMs));
}

/** From the first beginning to the last end. */
export function boundingWindow(windows: readonly TimeWindow[]): TimeWindow {
  return {
    fromMs: Math.min(...windows.map(({ fromMs }) => fromMs)),
    toMs: Math.max(...windows.map(({ toMs }) => toMs)),
  };
}

/** Computes the answer to a question, about now or any other time. */
export async function runDiagnosticQuery<Answer extends object>(
  data: DiagnosticsInputReader,
  gridId: string,
  question: DiagnosticQuery<Answer>,
  when: TimeSelection,
  traces: CountImpactedTraces,
): Promise<Answer> {
  const frames = resolveAnalysisWindows(when, data.clock(), question.lengths);
  const input = await data.readInput(gridId, [inputRequirement(question, frames)]);
  return question.answer(input, frames, traces);
}

export function inputRequirement(
  { parts, baseline }: DiagnosticQuery<object>,
  frames: AnalysisWindows,
): InputRequirement {
  return { parts, windows: baseline ? [frames.baseline, frames.current] : [frames.current] };
}

/** What a question would have been given alone: of an input that was read for several, so that its answer is the same. */
export function restrictInput(input: DiagnosticsInput, { windows }: InputRequirement): DiagnosticsInput {
  const { fromMs, toMs } = boundingWindow(windows);
  const isInside = ({ minute }: TimeBucket<unknown>): boolean =>
    minute * MINUTE_MS >= fromMs && minute * MINUTE_MS < toMs;
  return {
    ...input,
    grids: input.grids.filter(isInside),
    services: input.services.filter(isInside),
    logs: input.logs.filter(isInside),
    metrics: input.metrics.filter(isInside),
    alerts: input.alerts.filter(({ firedAt, resolvedAt }) => firedAt < toMs && (resolvedAt ?? Infinity) >= fromMs),
  };
}

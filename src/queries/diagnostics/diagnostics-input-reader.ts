import { hasFired } from '../../diagnostics/alerting/alert-clock.js';
import type { OrchestratorEvent } from '../../diagnostics/changes/orchestrator-event.js';
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
import { recentWindow } from '../../diagnostics/services/recent-status.js';
import type { AlertQueries } from './alert-queries.js';
import type { DiagnosticQuery, InputPart, QueryContext } from './diagnostic-query-definitions.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { loadWindows, readRequestMetrics } from './request-metrics-input.js';
import type { TimeBucket } from '../../diagnostics/rollups/rollup-types.js';

/** Specified defaults (contract §5) until the Grid's settings are projected. */
const INITIAL_SETTINGS: DiagnosticsSettings = {
  apdexThresholdMs: 500,
  errorRateThreshold: 5,
  apdexHealthThreshold: 0.7,
};

/** Input parts and the windows that they are needed for. */
export interface InputRequirement {
  readonly parts: readonly InputPart[];
  readonly windows: readonly TimeWindow[];
}

/** Reads the events of orchestrators within a window of whole minutes, in the time of the query that needs them. */
export type ReadEvents = (
  gridId: string,
  window: TimeWindow,
  timeSlice: TimeSlice,
) => Promise<readonly OrchestratorEvent[]>;

/** Reads the input of diagnostics from the read models. */
export class DiagnosticsInputReader {
  /** `clock` in ms since 1970. */
  constructor(
    private readonly getReader: ReaderForGrid,
    readonly rollups: GridRollupReader,
    readonly alerts: AlertQueries,
    readonly clock: () => number,
    /** Reads the events of orchestrators; absent where log records cannot be read. */
    private readonly readEvents?: ReadEvents,
  ) {}

  /**
   * Reads the required parts, each for its windows; the other parts are empty. Includes everything committed before
   * the call. `timeSlice`: that of the query.
   */
  async readInput(
    gridId: string,
    requirements: readonly InputRequirement[],
    timeSlice: TimeSlice,
    onlyService?: string,
  ): Promise<DiagnosticsInput> {
    await this.rollups.refresh(gridId);
    const load = <P extends Exclude<RollupPart, 'requests'>>(part: P): Promise<RollupsByPart[P]> => {
      const service = part === 'grids' ? undefined : onlyService;
      return loadWindows(this.rollups, gridId, part, windowsForPart(requirements, part), service);
    };
    const alertWindows = windowsForPart(requirements, 'alerts');
    const eventWindows = windowsForPart(requirements, 'events');
    const settings = await this.readSettings(gridId);
    const spans = { grids: await load('grids'), services: await load('services') };
    return {
      ...(await readRequestMetrics(this.rollups, spans, {
        gridId,
        apdexThresholdMs: settings.apdexThresholdMs,
        windows: {
          grids: windowsForPart(requirements, 'grids'),
          services: windowsForPart(requirements, 'services'),
        },
        onlyService,
      })),
      logs: await load('logs'),
      metrics: await load('metrics'),
      catalogs:
        windowsForPart(requirements, 'catalogs').length === 0 ? [] : await this.rollups.loadServiceCatalogs(gridId),
      seriesOverflowMs:
        windowsForPart(requirements, 'seriesOverflowMs').length === 0
          ? undefined
          : await this.readSeriesOverflowMs(gridId),
      settings,
      events: eventWindows.length === 0 ? [] : await this.readEvents?.(gridId, boundingWindow(eventWindows), timeSlice),
      alerts: alertWindows.length === 0 ? [] : await this.readAlerts(gridId, boundingWindow(alertWindows)),
    };
  }

  private readAlerts(gridId: string, window: TimeWindow): Promise<DiagnosticsInput['alerts']> {
    return this.alerts.alertsDuring(gridId, window, this.clock());
  }

  async readSettings(gridId: string): Promise<DiagnosticsSettings> {
    const store = this.getReader(gridId);
    const version = await readActiveVersion(store, 'access');
    const grid = version === undefined ? undefined : await store.get(accessCollections(version).grids, gridId);
    if (grid === undefined) return INITIAL_SETTINGS;
    const { apdexThresholdMs, errorRateThreshold, apdexHealthThreshold } = grid;
    return { apdexThresholdMs, errorRateThreshold, apdexHealthThreshold };
  }

  private async readSeriesOverflowMs(gridId: string): Promise<number | undefined> {
    const store = this.getReader(gridId);
    const version = await readActiveVersion(store, METRICS_PROJECTION);
    const grid = version === undefined ? undefined : await store.get(metricSeriesCollections(version).grids, gridId);
    return grid?.overflow === undefined ? undefined : grid.overflow.firstMinute * MINUTE_MS;
  }
}

function windowsForPart(requirements: readonly InputRequirement[], part: InputPart): TimeWindow[] {
  return requirements.filter(({ parts }) => parts.includes(part)).flatMap(({ windows }) => windows);
}

/** From the earliest start to the latest end. */
export function boundingWindow(windows: readonly TimeWindow[]): TimeWindow {
  return {
    fromMs: Math.min(...windows.map(({ fromMs }) => fromMs)),
    toMs: Math.max(...windows.map(({ toMs }) => toMs)),
  };
}

/** Computes the result of a query for now or for a past time or window. */
export async function runDiagnosticQuery<Result extends object>(
  inputReader: DiagnosticsInputReader,
  gridId: string,
  query: DiagnosticQuery<Result>,
  when: TimeSelection,
  context: QueryContext,
): Promise<Result> {
  const windows = resolveAnalysisWindows(when, inputReader.clock(), query.lengths);
  const input = await inputReader.readInput(gridId, [inputRequirement(query, windows)], context.timeSlice);
  return query.compute(input, windows, context);
}

export function inputRequirement(
  { parts, baseline, recentMinutes = false }: Omit<DiagnosticQuery<object>, 'nameCauses' | 'compute'>,
  windows: AnalysisWindows,
): InputRequirement {
  return {
    parts,
    windows: [
      ...(baseline ? [windows.baseline] : []),
      windows.current,
      ...(recentMinutes && isReadByHours(windows.current) ? [recentWindow(windows)] : []),
    ],
  };
}

/** Whether hourly rollups may replace minutes of a window. */
function isReadByHours({ fromMs, toMs }: TimeWindow): boolean {
  return toMs - fromMs >= 60 * MINUTE_MS;
}

/**
 * Restricts input that was read for several queries to what one of them requires, so that its result is the same as
 * if it ran alone.
 */
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
    events: input.events?.filter(({ atMs }) => atMs >= fromMs && atMs < toMs),
    alerts: input.alerts.filter((alert) => hasFired(alert, toMs - 1) && (alert.resolvedAt ?? Infinity) >= fromMs),
  };
}

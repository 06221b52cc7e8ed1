import type { Diagnosis, Health, ServiceMap } from '../../diagnostics/diagnostic-results.js';
import type { RankedCause } from '../../diagnostics/root-cause/diagnose.js';
import { type Cause, type Judged, type KnownStates, toPublicAnswer } from '../../diagnostics/services/recent-status.js';
import { toKnownStates } from '../../diagnostics/services/service-health.js';
import { adoptStates } from '../../diagnostics/services/service-map-builder.js';
import { ceilMinute, type TimeSelection, type TimeWindow } from '../../diagnostics/time-windows.js';
import type { DiagnosticQuery } from './diagnostic-query-definitions.js';
import type { DiagnosticsResultCache } from './diagnostics-result-cache.js';

/**
 * Longest window (ms) whose own diagnosis other answers name causes of. It takes about 2 s of a CPU for each day of its
 * window: nobody who asks for the health of a week expects to wait for that.
 */
const MAX_CAUSE_WINDOW_MS = 6 * 3_600_000;

export type Find<Answer> = (gridId: string, when: TimeSelection) => Promise<Answer>;

/** Whether a query is about now. */
export function isNow({ asOfMs, range }: TimeSelection): boolean {
  return asOfMs === undefined && range === undefined;
}

/**
 * Finds what the diagnosis says at a time: for now the newest diagnosis that was stored or given to a client, so that
 * other answers agree with it at each moment. For a long window those at its end, which is what recent statuses are about.
 */
export function createCauseReader(
  results: DiagnosticsResultCache,
  diagnose: Find<readonly Diagnosis[]>,
  findPastCauses: Find<readonly RankedCause[]>,
): Find<readonly Cause[]> {
  return async (gridId, when) => {
    if (isNow(when))
      return (await results.readLatest<readonly Diagnosis[]>(gridId, 'diagnosis')) ?? diagnose(gridId, when);
    const diagnosed = isLong(when.range) ? { asOfMs: ceilMinute(when.range.toMs) } : when;
    return results.sharePast(gridId, JSON.stringify(diagnosed), () => findPastCauses(gridId, diagnosed));
  };
}

function isLong(range: TimeWindow | undefined): range is TimeWindow {
  return range !== undefined && range.toMs - range.fromMs > MAX_CAUSE_WINDOW_MS;
}

/** A query whose answer names causes. */
export function withCauses<Answer extends object>(
  query: Pick<DiagnosticQuery<Judged<Answer>>, 'nameCauses'>,
  find: Find<Judged<Answer>>,
  findCauses: Find<readonly Cause[]>,
) {
  return async (gridId: string, when: TimeSelection) => {
    const answer = await find(gridId, when);
    return toPublicAnswer(query.nameCauses?.(answer, await findCauses(gridId, when)) ?? answer);
  };
}

/**
 * Finds what health says about each service now: answers about now are up to a second apart, and what health has told of
 * a service the service map and details say as well. Undefined for other times, at which all say the same by themselves.
 */
export function createStateReader(findHealth: Find<Judged<Health>>): Find<KnownStates | undefined> {
  return async (gridId, when) => (isNow(when) ? toKnownStates(await findHealth(gridId, when)) : undefined);
}

/** The service map with the states of health. */
export function withStates(
  find: Find<Judged<ServiceMap>>,
  findStates: Find<KnownStates | undefined>,
): Find<Judged<ServiceMap>> {
  return async (gridId, when) => {
    const map = await find(gridId, when);
    const states = await findStates(gridId, when);
    return states === undefined ? map : adoptStates(map, states);
  };
}

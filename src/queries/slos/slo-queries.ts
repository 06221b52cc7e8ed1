import { computeErrorBudget } from '../../diagnostics/slos/error-budget.js';
import { assessSlo, type SloAssessment, type UncountedSlo } from '../../diagnostics/slos/slo-assessment.js';
import {
  backtestSlo,
  CANDIDATE_OBJECTIVES,
  EventHistory,
  proposeObjective,
  type SloBacktest,
} from '../../diagnostics/slos/slo-backtest.js';
import { NO_MAINTENANCE } from '../../diagnostics/slos/maintenance-minutes.js';
import type { MinuteCounts } from '../../diagnostics/slos/minute-counts.js';
import { SLO_BOUNDS, type Indicator, type Slo } from '../../diagnostics/slos/slo-model.js';
import { HOUR_MS } from '../../diagnostics/slos/slo-window.js';
import { compareText } from '../../diagnostics/text-order.js';
import { ERROR_CODES, hasCode } from '../../errors.js';
import { ceilMinute, floorMinute, MINUTE_MS } from '../../diagnostics/time-windows.js';
import { eq } from '../../read-models/document-filter.js';
import { readActiveVersion } from '../../read-models/documents/projection-documents.js';
import {
  sloCollection,
  sloDocumentId,
  SLOS_PROJECTION,
  type SloDocument,
} from '../../read-models/documents/slo-documents.js';
import type { ReadModelReader } from '../../read-models/read-model-store.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import type { QueryConcurrencyLimiter } from '../scheduling/query-concurrency-limiter.js';
import { ALL_TIME, type EventCounter } from './event-counter.js';
import { readSloCounts, readSloHours, resolveMoment, sumByHour, type SloReading } from './slo-counting.js';
import { readReport } from './slo-report-query.js';
import { readMaintenance } from './slo-maintenance.js';
import type {
  BacktestRequest,
  NewEventCounts,
  SavedSlo,
  SloAssessments,
  SloBacktests,
  SloDetail,
  SloQueries,
} from './slo-query-types.js';

const DAY_MS = 86_400_000;
/** Services for which objectives are proposed at once: the telemetry of each is counted. */
const PROPOSED_SERVICES = 10;
const BACKTEST_DAYS = SLO_BOUNDS.backtestDays.max;

/** As `FailureReporter`: bounded, however often an objective fails. */
export interface SloFailureLog {
  reportFailure(subject: SloSubject, error: unknown): void;
  reportSuccess(subject: SloSubject): void;
}

type SloSubject = Readonly<Record<'gridId' | 'sloId', string>>;

export interface SloQueryParts {
  /** Administrative read models. */
  readonly store: ReadModelReader;
  readonly counter: EventCounter;
  readonly limiter: QueryConcurrencyLimiter;
  /** Logs failures to count whose reason is not for callers, and the recovery of their objectives. */
  readonly failures: SloFailureLog;
  /** ms since 1970. Default: the system clock. */
  readonly now?: () => number;
}

/** Queries on service level objectives. Each objective is counted in a turn of its own. */
export function createSloQueries({ store, counter, limiter, failures, now = Date.now }: SloQueryParts): SloQueries {
  const toCounting = async (document: SloDocument) => {
    const [{ gridId, counts: recorded }, slo] = [document, toSlo(document)];
    const excluded = slo.excludesMaintenance === true ? await readMaintenance(store, gridId, slo) : undefined;
    return { gridId, slo, recorded, excluded };
  };
  const read = async (document: SloDocument, nowMs: number, timeSlice: TimeSlice): Promise<SloReading> => {
    return readSloCounts(counter, { ...(await toCounting(document)), nowMs }, timeSlice);
  };
  const assess = async (document: SloDocument, nowMs: number, timeSlice: TimeSlice) =>
    assessSlo(toSlo(document), (await read(document, nowMs, timeSlice)).counts);
  return {
    slos: async (gridId) => (await findSlos(store, gridId)).map(toSavedSlo),
    async slo(gridId, sloId) {
      const found = await getSlo(store, gridId, sloId);
      return found && toSavedSlo(found);
    },
    async assessSlos(gridId, asOfMs) {
      const nowMs = resolveMoment(asOfMs, now());
      return assessEach(await findSlos(store, gridId), failures, (document) =>
        limiter.run(gridId, (timeSlice) => assess(document, nowMs, timeSlice)),
      );
    },
    async evaluateSlo(gridId, sloId) {
      const document = await getSlo(store, gridId, sloId);
      return document && limiter.runForService(gridId, (timeSlice) => assess(document, now(), timeSlice));
    },
    async sloDetail(gridId, sloId, asOfMs) {
      const document = await getSlo(store, gridId, sloId);
      if (document === undefined) return undefined;
      const nowMs = resolveMoment(asOfMs, now());
      return toDetail(toSlo(document), await limiter.run(gridId, (timeSlice) => read(document, nowMs, timeSlice)));
    },
    async sloReport(gridId, sloId, request) {
      const document = await getSlo(store, gridId, sloId);
      if (document === undefined) return undefined;
      const slo = toSlo(document);
      return limiter.run(gridId, (timeSlice) =>
        readReport(store, gridId, slo, request, resolveMoment(request.asOfMs, now()), async (window) =>
          readSloHours(counter, { ...(await toCounting(document)), window }, timeSlice),
        ),
      );
    },
    backtestSlo: (gridId, request) =>
      limiter.run(gridId, (timeSlice) => runBacktests({ store, counter }, gridId, request, now(), timeSlice)),
    async proposeSlos(gridId) {
      const services = await limiter.run(gridId, (timeSlice) => counter.listServices(gridId, timeSlice));
      const proposals = await Promise.all(
        services.slice(0, PROPOSED_SERVICES).map((serviceName) => {
          const request = {
            indicator: buildAvailability(serviceName),
            objectives: CANDIDATE_OBJECTIVES,
            days: BACKTEST_DAYS,
            windowDays: BACKTEST_DAYS,
            excludesMaintenance: false,
          };
          return limiter.run(gridId, async (timeSlice) => ({
            indicator: request.indicator,
            ...(await runBacktests({ store, counter }, gridId, request, now(), timeSlice)),
          }));
        }),
      );
      return proposals.filter(({ events }) => events.total > 0);
    },
    async allSlos() {
      const version = await readActiveVersion(store, SLOS_PROJECTION);
      const found = version === undefined ? [] : await store.find(sloCollection(version), {});
      return found.map(({ document }) => ({ gridId: document.gridId, slo: toSlo(document) }));
    },
    async countNewEvents(gridId, sloId) {
      const document = await getSlo(store, gridId, sloId);
      return (
        document &&
        limiter.runForService(gridId, (timeSlice) => countUnrecorded({ store, counter }, document, timeSlice))
      );
    },
  };
}

/**
 * All at the same time; a failure concerns only its own objective. Rejects when all of them fail because the service is
 * overloaded or lacks its store: that is no answer on objectives, and callers are to ask again.
 */
async function assessEach(
  documents: readonly SloDocument[],
  failures: SloFailureLog,
  assess: (document: SloDocument) => Promise<SloAssessment>,
): Promise<SloAssessments> {
  const outcomes = await Promise.allSettled(documents.map(assess));
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  if (errors.length > 0 && errors.length === documents.length && errors.every(isPassing)) throw errors[0];
  for (const [i, outcome] of outcomes.entries()) reportOutcome(failures, documents[i], outcome);
  return {
    assessed: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])),
    uncounted: outcomes.flatMap((outcome, i) =>
      outcome.status === 'rejected' ? [{ slo: toSlo(documents[i]), failure: describeFailure(outcome.reason) }] : [],
    ),
  };
}

function isPassing(error: unknown): boolean {
  return hasCode(error, 'overloaded') || hasCode(error, 'unavailable');
}

/** Callers are told of errors with a code; the reason of others is only in the log. */
function reportOutcome(
  failures: SloFailureLog,
  { gridId, id: sloId }: SloDocument,
  outcome: PromiseSettledResult<unknown>,
): void {
  if (outcome.status === 'fulfilled') failures.reportSuccess({ gridId, sloId });
  else if (findCode(outcome.reason) === undefined) failures.reportFailure({ gridId, sloId }, outcome.reason);
}

function describeFailure(error: unknown): UncountedSlo['failure'] {
  const code = findCode(error);
  if (code !== undefined) return { code, message: (error as Error).message };
  return { code: 'internal', message: 'The events could not be counted. The log of the service says why.' };
}

/** Only errors with a code are meant for callers. */
function findCode(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined;
  return Object.hasOwn(ERROR_CODES, String(error.code)) ? String(error.code) : undefined;
}

/** Sorted by name. */
async function findSlos(store: ReadModelReader, gridId: string): Promise<readonly SloDocument[]> {
  const version = await readActiveVersion(store, SLOS_PROJECTION);
  const found = version === undefined ? [] : await store.find(sloCollection(version), { filter: eq('gridId', gridId) });
  return found.map(({ document }) => document).sort((a, b) => compareText(a.name, b.name) || compareText(a.id, b.id));
}

async function getSlo(store: ReadModelReader, gridId: string, sloId: string): Promise<SloDocument | undefined> {
  const version = await readActiveVersion(store, SLOS_PROJECTION);
  return version === undefined ? undefined : store.get(sloCollection(version), sloDocumentId(gridId, sloId));
}

/** Commands took only what is valid. */
function toSlo(document: SloDocument): Slo {
  const { id, name, indicator, objective, windowDays, calendar, alerts, excludesMaintenance } = document;
  return {
    ...{ id, name, indicator: indicator as Slo['indicator'], objective, windowDays, calendar, alerts },
    ...(excludesMaintenance === true && { excludesMaintenance }),
  };
}

function toSavedSlo(document: SloDocument): SavedSlo {
  const { createdAt, updatedAt } = document;
  return { ...toSlo(document), createdAt, updatedAt };
}

function buildAvailability(serviceName: string): Indicator {
  return { type: 'availability', serviceName, operation: '', thresholdMs: 0, signal: '', good: '', all: '' };
}

/** The budget of an hour is that of the whole window, less the bad events up to its end. */
function toDetail(slo: Slo, { counts, hours }: SloReading): SloDetail {
  const { total: allowed } = computeErrorBudget(counts.events, slo.objective);
  let bad = 0;
  const points = [...hours].map(([hour, { good, total }]) => {
    bad += total - good;
    return { at: hour * HOUR_MS, good, total, remainingPercent: ((allowed - bad) / allowed) * 100 };
  });
  return { ...assessSlo(slo, counts), hours: points };
}

type CountingParts = Pick<SloQueryParts, 'store' | 'counter'>;

/** A proposed objective has no name and no id that the matchers of maintenance could mean. */
async function runBacktests(
  { store, counter }: CountingParts,
  gridId: string,
  { indicator, objectives, days, windowDays, excludesMaintenance }: BacktestRequest,
  nowMs: number,
  timeSlice: TimeSlice,
): Promise<SloBacktests> {
  const range = { fromMs: floorMinute(nowMs - days * DAY_MS), toMs: ceilMinute(nowMs) };
  const counted = await counter.count({ gridId, indicator, window: range, after: -1 }, timeSlice);
  const excluded = excludesMaintenance
    ? await readMaintenance(store, gridId, { id: '', name: '', indicator })
    : NO_MAINTENANCE;
  const minutes = counted.minutes.select((minute) => !excluded.includes(minute));
  const history = new EventHistory(minutes, range);
  const backtests: SloBacktest[] = [];
  for (const objective of objectives) {
    const steps = backtestSlo(history, { objective, windowDays });
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) await timeSlice.yieldIfDue();
    backtests.push(step.value);
  }
  let first = Infinity;
  for (const [minute] of minutes.entries) first = Math.min(first, minute);
  return {
    range,
    coveredFromMs: first === Infinity ? undefined : first * MINUTE_MS,
    events: history.events,
    backtests,
    proposed: proposeObjective(backtests),
  };
}

/** Undefined if there is no telemetry beyond the record. */
async function countUnrecorded(
  { store, counter }: CountingParts,
  document: SloDocument,
  timeSlice: TimeSlice,
): Promise<NewEventCounts | undefined> {
  const { gridId, id: sloId, counts } = document;
  const { definedAt, through: after } = counts;
  const slo = toSlo(document);
  const counted = await counter.count({ gridId, indicator: slo.indicator, window: ALL_TIME, after }, timeSlice);
  if (counted.through <= after) return undefined;
  // Recorded whether or not the objective excludes it: that may change.
  const excluded = await readMaintenance(store, gridId, slo);
  const maintenance = listHours(counted.minutes.select((minute) => excluded.includes(minute)));
  return {
    ...{ gridId, sloId, definedAt, after, through: counted.through, hours: listHours(counted.minutes) },
    ...(maintenance.length > 0 && { maintenance }),
  };
}

function listHours(minutes: MinuteCounts): NewEventCounts['hours'] {
  const hours = [...sumByHour(minutes)].map(([hour, { good, total }]) => [hour, good, total] as const);
  return hours.sort(([a], [b]) => a - b);
}

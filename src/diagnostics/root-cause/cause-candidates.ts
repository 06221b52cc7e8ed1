import {
  type DetectorOptions,
  type EvidenceDetector,
  type EvidenceKind,
  type Finding,
  hasHistory,
  isRecurring,
} from './evidence-detector.js';
import type { TelemetrySeries } from './telemetry-series.js';
import { detectErrors } from './detectors/failed-call-detectors.js';
import { detectNewVersions, detectOddInstances } from './detectors/instance-detectors.js';
import { detectLogChanges } from './detectors/log-detector.js';
import { detectMissingCalls } from './detectors/missing-call-detector.js';
import { detectResourceRises, detectTrafficRises } from './detectors/load-detectors.js';
import { detectReportedMeasures } from './detectors/reported-measure-detector.js';
import { detectAddedSelfTime, detectSkippedWork } from './detectors/self-time-detectors.js';
import { detectAddedWireTime } from './detectors/wire-time-detector.js';
import type { Split } from './robust-statistics.js';

/** The evidence that one service or virtual node is the cause, by independent kinds of evidence. */
export interface CauseCandidate {
  readonly serviceName: string;
  readonly findings: readonly Finding[];
  /** Strengths on the scale of standard scores, ≥ 0. */
  readonly time: number;
  readonly errors: number;
  readonly calls: number;
  readonly logs: number;
  readonly resources: number;
  readonly traffic: number;
}

const EFFECT_EXPONENT = 2;

/** Upper limit of a strength: more evidence of the same kind adds no certainty. */
export const MAX_STRENGTH = 30;

/**
 * A busy resource alone is not a fault: it adds at most this much to the other evidence, and half a point for each
 * power of ten beyond, so that the most unusual one comes first where resources are all that is known.
 */
const MAX_RESOURCES_BONUS = 2.5;

/** Strength of all evidence combined, like the sum of independent standard scores. */
export function combineStrength({ time, errors, calls, logs, resources, traffic }: CauseCandidate): number {
  const impact = Math.hypot(
    Math.min(MAX_STRENGTH, time),
    Math.min(MAX_STRENGTH, Math.hypot(errors, calls, logs)),
    Math.min(MAX_STRENGTH, traffic),
  );
  const excess = Math.max(0, Math.log10(resources / MAX_RESOURCES_BONUS)) / 2;
  return Math.hypot(impact, Math.min(resources, impact + MAX_RESOURCES_BONUS + excess));
}

const TIME_EVIDENCE: ReadonlySet<EvidenceKind> = new Set([
  'self time',
  'wire time',
  'outbound wire time',
  'dependency time',
]);
const DETECTORS: readonly EvidenceDetector[] = [
  detectAddedSelfTime,
  detectAddedWireTime,
  detectErrors,
  detectMissingCalls,
  detectSkippedWork,
  detectLogChanges,
  detectReportedMeasures,
  detectResourceRises,
  detectOddInstances,
  detectTrafficRises,
  detectNewVersions,
];

/** Kinds of evidence that require little history. */
const EVIDENCE_WITHOUT_HISTORY: ReadonlySet<EvidenceKind> = new Set([
  'errors',
  'dependency errors',
  'reported latency',
  'reported failures',
  'resources',
  'instance',
  'traffic',
  'deployment',
]);

/**
 * Prepares the detectors for the series; the result returns the candidates at a split and is called for many splits.
 */
export function prepareCandidates(
  series: TelemetrySeries,
  options: DetectorOptions,
): (split: Split) => CauseCandidate[] {
  const detectors = DETECTORS.map((detector) => detector(series, options));
  return (split) => {
    const findingsByService = new Map<string, Finding[]>();
    const withoutHistory = findServicesWithoutHistory(series, split);
    for (const findingsAt of detectors) {
      for (const finding of findingsAt(split)) {
        if (withoutHistory.has(finding.serviceName) && !EVIDENCE_WITHOUT_HISTORY.has(finding.kind)) continue;
        if (finding.stepSeries !== undefined && isRecurring(finding.stepSeries, split)) continue;
        const findings = findingsByService.get(finding.serviceName);
        if (findings === undefined) findingsByService.set(finding.serviceName, [finding]);
        else findings.push(finding);
      }
    }
    const maxAddedTime = Math.max(
      0,
      ...[...findingsByService.values()].map((findings) => weighAddedTime(selectTimeFindings(findings))),
    );
    return [...findingsByService].map(([serviceName, findings]) => buildCandidate(serviceName, findings, maxAddedTime));
  };
}

function findServicesWithoutHistory({ services, timeline }: TelemetrySeries, split: Split): Set<string> {
  return new Set(services.filter((service) => !hasHistory(service, timeline, split)).map(({ service }) => service));
}

function buildCandidate(serviceName: string, findings: readonly Finding[], maxAddedTime: number): CauseCandidate {
  const strongest = (...kinds: EvidenceKind[]) =>
    Math.max(0, ...findings.filter(({ kind }) => kinds.includes(kind)).map(({ score }) => score));
  return {
    serviceName,
    findings,
    time: Math.max(computeTimeStrength(selectTimeFindings(findings), maxAddedTime), strongest('reported latency')),
    errors: strongest('errors', 'dependency errors', 'exceptions', 'reported failures'),
    calls: strongest('calls', 'shortcut'),
    logs: strongest('logs'),
    resources: strongest('resources'),
    traffic: strongest('traffic'),
  };
}

/**
 * Standard score of the time that a candidate added, reduced if it is small relative to the usual time or to that of
 * other candidates.
 */
function computeTimeStrength(times: readonly Finding[], maxAddedTime: number): number {
  if (times.length === 0) return 0;
  return (
    Math.hypot(...times.map(({ score }) => score)) *
    relativeEffect(times) ** EFFECT_EXPONENT *
    Math.sqrt(weighAddedTime(times) / maxAddedTime)
  );
}

/** Added time, weighted by its relative effect, so that small changes of something large count little. */
function weighAddedTime(times: readonly Finding[]): number {
  return times.reduce((sum, { amount }) => sum + amount, 0) * relativeEffect(times) ** 2;
}

/** 0 for no change, 1/2 if the time doubled, approaching 1. */
function relativeEffect(times: readonly Finding[]): number {
  const added = times.reduce((sum, { amount }) => sum + amount, 0);
  const usual = times.reduce((sum, each) => sum + (each.usual ?? 0), 0);
  return added <= 0 ? 0 : added / (added + usual);
}

function selectTimeFindings(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ kind, score }) => TIME_EVIDENCE.has(kind) && score > 0);
}

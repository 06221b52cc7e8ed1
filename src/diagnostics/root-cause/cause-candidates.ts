import {
  type DetectorOptions,
  type EvidenceDetector,
  type EvidenceKind,
  type Finding,
  hasHistory,
} from './evidence-detector.js';
import type { TelemetrySeries } from './telemetry-series.js';
import { detectErrors, detectMissingCalls } from './detectors/failed-call-detectors.js';
import { detectNewVersions, detectOddInstances } from './detectors/instance-detectors.js';
import { detectLogChanges } from './detectors/log-detector.js';
import { detectResourceRises, detectTrafficRises } from './detectors/load-detectors.js';
import { detectAddedSelfTime, detectSkippedWork } from './detectors/self-time-detectors.js';
import { detectAddedWireTime } from './detectors/wire-time-detector.js';
import type { Split } from './robust-statistics.js';

/** What speaks against one service or virtual node, by kinds of evidence that do not depend on each other. */
export interface CauseCandidate {
  readonly culprit: string;
  readonly findings: readonly Finding[];
  /** Strengths on the scale of standard scores, ≥ 0. */
  readonly time: number;
  readonly errors: number;
  readonly calls: number;
  readonly logs: number;
  readonly resources: number;
  readonly traffic: number;
}

const EFFECT = 2;

/** More than this proves nothing more. */
export const MAX_STRENGTH = 30;

/** A busy resource harms nobody by itself: it counts for no more than this beyond what else there is. */
const RESOURCES_ALONE = 2.5;

/** Of all evidence together, as independent standard scores add up. */
export function combineStrength({ time, errors, calls, logs, resources, traffic }: CauseCandidate): number {
  const harm = Math.hypot(
    Math.min(MAX_STRENGTH, time),
    Math.min(MAX_STRENGTH, Math.hypot(errors, calls, logs)),
    Math.min(MAX_STRENGTH, traffic),
  );
  return Math.hypot(harm, Math.min(resources, harm + RESOURCES_ALONE));
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
  detectResourceRises,
  detectOddInstances,
  detectTrafficRises,
  detectNewVersions,
];

/** Signals that tell something without much of a past. */
const EVIDENCE_WITHOUT_HISTORY: ReadonlySet<EvidenceKind> = new Set([
  'errors',
  'dependency errors',
  'resources',
  'instance',
  'traffic',
  'deployment',
]);

/** Prepares the signals, then tells who is suspicious at one split after another. */
export function prepareCandidates(
  series: TelemetrySeries,
  setting: DetectorOptions,
): (split: Split) => CauseCandidate[] {
  const signals = DETECTORS.map((signal) => signal(series, setting));
  return (split) => {
    const byCulprit = new Map<string, Finding[]>();
    const thin = findServicesWithoutHistory(series, split);
    for (const findingsAt of signals) {
      for (const finding of findingsAt(split)) {
        if (thin.has(finding.culprit) && !EVIDENCE_WITHOUT_HISTORY.has(finding.signal)) continue;
        const own = byCulprit.get(finding.culprit);
        if (own === undefined) byCulprit.set(finding.culprit, [finding]);
        else own.push(finding);
      }
    }
    const heaviest = Math.max(0, ...[...byCulprit.values()].map((own) => weighAddedTime(selectTimeFindings(own))));
    return [...byCulprit].map(([culprit, own]) => buildCandidate(culprit, own, heaviest));
  };
}

function findServicesWithoutHistory({ services, timeline }: TelemetrySeries, split: Split): Set<string> {
  return new Set(services.filter((service) => !hasHistory(service, timeline, split)).map(({ service }) => service));
}

function buildCandidate(culprit: string, findings: readonly Finding[], heaviest: number): CauseCandidate {
  const strongest = (...signals: EvidenceKind[]) =>
    Math.max(0, ...findings.filter(({ signal }) => signals.includes(signal)).map(({ score }) => score));
  return {
    culprit,
    findings,
    time: computeTimeStrength(selectTimeFindings(findings), heaviest),
    errors: strongest('errors', 'dependency errors', 'exceptions'),
    calls: strongest('calls', 'shortcut'),
    logs: strongest('logs'),
    resources: strongest('resources'),
    traffic: strongest('traffic'),
  };
}

/** Standard score of the time that a candidate added, less where it is little beside what was usual or beside the others. */
function computeTimeStrength(times: readonly Finding[], heaviest: number): number {
  if (times.length === 0) return 0;
  return (
    Math.hypot(...times.map(({ score }) => score)) *
    relativeEffect(times) ** EFFECT *
    Math.sqrt(weighAddedTime(times) / heaviest)
  );
}

/** Added time, of which small changes of something large count little. */
function weighAddedTime(times: readonly Finding[]): number {
  return times.reduce((sum, { amount }) => sum + amount, 0) * relativeEffect(times) ** 2;
}

/** 0 for no change, 1/2 where time doubled, towards 1. */
function relativeEffect(times: readonly Finding[]): number {
  const added = times.reduce((sum, { amount }) => sum + amount, 0);
  const usual = times.reduce((sum, each) => sum + (each.usual ?? 0), 0);
  return added <= 0 ? 0 : added / (added + usual);
}

function selectTimeFindings(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ signal, score }) => TIME_EVIDENCE.has(signal) && score > 0);
}

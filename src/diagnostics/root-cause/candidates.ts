import type { Finding, SignalName } from './finding.js';
import type { Series } from './series.js';
import { callFindings } from './signals/calls.js';
import { errorFindings } from './signals/errors.js';
import { logFindings } from './signals/logs.js';
import { resourceFindings } from './signals/resources.js';
import { selfTimeFindings } from './signals/self-time.js';
import { wireTimeFindings } from './signals/wire-time.js';
import type { Split } from './statistics.js';

/** What speaks against one service or virtual node, by kinds of evidence that do not depend on each other. */
export interface Candidate {
  readonly culprit: string;
  readonly findings: readonly Finding[];
  /** Strengths on the scale of standard scores, ≥ 0. */
  readonly time: number;
  readonly errors: number;
  readonly calls: number;
  readonly logs: number;
  readonly resources: number;
}

/** Parts of a service's time that rose by less than this many standard errors are left out. */
const LEAST_TIME_SCORE = 2.5;

const TIMES: ReadonlySet<SignalName> = new Set(['self time', 'wire time', 'outbound wire time', 'dependency time']);

export function candidatesAt(series: Series, split: Split): Candidate[] {
  const findings = [selfTimeFindings, wireTimeFindings, callFindings, errorFindings, logFindings, resourceFindings].flatMap((findingsOf) => findingsOf(series, split));
  const byCulprit = new Map<string, Finding[]>();
  for (const finding of findings) byCulprit.set(finding.culprit, [...(byCulprit.get(finding.culprit) ?? []), finding]);
  const mostAdded = Math.max(0, ...[...byCulprit.values()].map((own) => addedTime(timesOf(own))));
  return [...byCulprit].map(([culprit, own]) => candidate(culprit, own, mostAdded));
}

function candidate(culprit: string, findings: readonly Finding[], mostAdded: number): Candidate {
  const strongest = (...signals: SignalName[]) => Math.max(0, ...findings.filter(({ signal }) => signals.includes(signal)).map(({ score }) => score));
  return {
    culprit,
    findings,
    time: timeStrength(timesOf(findings), mostAdded),
    errors: strongest('errors', 'dependency errors', 'exceptions'),
    calls: strongest('calls'),
    logs: strongest('logs'),
    resources: strongest('resources'),
  };
}

/** Standard score of all the time that a candidate added, weighed by how much that is beside the others and beside what was usual. */
function timeStrength(times: readonly Finding[], mostAdded: number): number {
  if (times.length === 0) return 0;
  const added = addedTime(times);
  const error = Math.hypot(...times.map(({ amount, score }) => amount / score));
  const usual = times.reduce((sum, each) => sum + (each.usual ?? 0), 0);
  return (added / error) * Math.sqrt(added / mostAdded) * (added / (added + usual));
}

function timesOf(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ signal, score }) => TIMES.has(signal) && score >= LEAST_TIME_SCORE);
}

function addedTime(times: readonly Finding[]): number {
  return times.reduce((sum, { amount }) => sum + amount, 0);
}

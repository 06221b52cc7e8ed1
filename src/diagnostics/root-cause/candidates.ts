import type { Finding, SignalName } from './finding.js';
import type { Series } from './series.js';
import { hasPast, type Setting, type Signal } from './signal.js';
import { calls } from './signals/calls.js';
import { deployment } from './signals/deployment.js';
import { errors } from './signals/errors.js';
import { instances } from './signals/instances.js';
import { logs } from './signals/logs.js';
import { resources } from './signals/resources.js';
import { selfTime } from './signals/self-time.js';
import { shortcuts } from './signals/shortcuts.js';
import { traffic } from './signals/traffic.js';
import { wireTime } from './signals/wire-time.js';
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
  readonly traffic: number;
}

const EFFECT = 2;

/** More than this proves nothing more. */
export const STRONGEST = 30;

/** A busy resource harms nobody by itself: it counts for no more than this beyond what else there is. */
const RESOURCES_ALONE = 2.5;

/** Of all evidence together, as independent standard scores add up. */
export function strengthOf({ time, errors, calls, logs, resources, traffic }: Candidate): number {
  const harm = Math.hypot(Math.min(STRONGEST, time), Math.min(STRONGEST, Math.hypot(errors, calls, logs)), Math.min(STRONGEST, traffic));
  return Math.hypot(harm, Math.min(resources, harm + RESOURCES_ALONE));
}

const TIMES: ReadonlySet<SignalName> = new Set(['self time', 'wire time', 'outbound wire time', 'dependency time']);

const SIGNALS: readonly Signal[] = [selfTime, wireTime, errors, calls, shortcuts, logs, resources, instances, traffic, deployment];

/** Signals that tell something without much of a past. */
const PLAIN: ReadonlySet<SignalName> = new Set(['errors', 'dependency errors', 'resources', 'instance', 'traffic', 'deployment']);

/** Prepares the signals, then tells who is suspicious at one split after another. */
export function candidatesOf(series: Series, setting: Setting): (split: Split) => Candidate[] {
  const signals = SIGNALS.map((signal) => signal(series, setting));
  return (split) => {
    const byCulprit = new Map<string, Finding[]>();
    const thin = thinAt(series, split);
    for (const findingsAt of signals) {
      for (const finding of findingsAt(split)) {
        if (thin.has(finding.culprit) && !PLAIN.has(finding.signal)) continue;
        const own = byCulprit.get(finding.culprit);
        if (own === undefined) byCulprit.set(finding.culprit, [finding]);
        else own.push(finding);
      }
    }
    const heaviest = Math.max(0, ...[...byCulprit.values()].map((own) => weightOf(timesOf(own))));
    return [...byCulprit].map(([culprit, own]) => candidate(culprit, own, heaviest));
  };
}

function thinAt({ services, timeline }: Series, split: Split): Set<string> {
  return new Set(services.filter((service) => !hasPast(service, timeline, split)).map(({ service }) => service));
}

function candidate(culprit: string, findings: readonly Finding[], heaviest: number): Candidate {
  const strongest = (...signals: SignalName[]) => Math.max(0, ...findings.filter(({ signal }) => signals.includes(signal)).map(({ score }) => score));
  return {
    culprit,
    findings,
    time: timeStrength(timesOf(findings), heaviest),
    errors: strongest('errors', 'dependency errors', 'exceptions'),
    calls: strongest('calls', 'shortcut'),
    logs: strongest('logs'),
    resources: strongest('resources'),
    traffic: strongest('traffic'),
  };
}

/** Standard score of the time that a candidate added, less where it is little beside what was usual or beside the others. */
function timeStrength(times: readonly Finding[], heaviest: number): number {
  if (times.length === 0) return 0;
  return Math.hypot(...times.map(({ score }) => score)) * effectOf(times) ** EFFECT * Math.sqrt(weightOf(times) / heaviest);
}

/** Added time, of which small changes of something large count little. */
function weightOf(times: readonly Finding[]): number {
  return times.reduce((sum, { amount }) => sum + amount, 0) * effectOf(times) ** 2;
}

/** 0 for no change, 1/2 where time doubled, towards 1. */
function effectOf(times: readonly Finding[]): number {
  const added = times.reduce((sum, { amount }) => sum + amount, 0);
  const usual = times.reduce((sum, each) => sum + (each.usual ?? 0), 0);
  return added <= 0 ? 0 : added / (added + usual);
}

function timesOf(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ signal, score }) => TIMES.has(signal) && score > 0);
}

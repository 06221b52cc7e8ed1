import type { DiagnosisKind } from '../answers.js';
import type { Candidate } from './candidates.js';
import type { Finding } from './finding.js';
import { clock } from './wording.js';

/** Findings weaker than this are left out, unless there is no stronger one. */
const LEAST_SCORE = 2;
const MOST_SENTENCES = 6;
/** Of one signal. */
const MOST_ALIKE = 2;

/** Findings in words, the strongest first; before them that it is over, where it is. */
export function evidenceOf({ findings }: Candidate, onsetMs: number, overMs?: number): string[] {
  const strongest = [...findings].sort((a, b) => b.score - a.score);
  const worthwhile = strongest.filter(({ signal, score }, i) => i === 0 || score >= LEAST_SCORE || signal === 'deployment');
  const varied = worthwhile.filter((finding, i) => worthwhile.slice(0, i).filter(({ signal }) => signal === finding.signal).length < MOST_ALIKE);
  const time = overMs === undefined ? `since ${clock(onsetMs)}` : `from ${clock(onsetMs)} to ${clock(overMs)}`;
  const told = varied.slice(0, MOST_SENTENCES).map(({ sentence }) => `${sentence()}, ${time}.`);
  return overMs === undefined ? told : [`This is over since ${clock(overMs)}.`, ...told];
}

const CAUSES: Readonly<Record<DiagnosisKind, (culprit: string) => string>> = {
  latency: (culprit) => `${culprit} has become slow by itself`,
  errors: (culprit) => `${culprit} fails or has changed what it does`,
  network: (culprit) => `The network of ${culprit} has become slow`,
  saturation: (culprit) => `${culprit} is short of resources`,
  deployment: (culprit) => `${culprit} has got worse with its new version`,
  traffic: (culprit) => `${culprit} receives far more requests than before`,
  dependency: (culprit) => `What ${culprit} depends on has become slow or fails`,
  inconclusive: () => 'Something is wrong, but nothing stands out as its cause',
};

/** One sentence that names the culprit, and the operation where it is one. */
export function causeOf(culprit: string, kind: DiagnosisKind, isVirtual: boolean, operation: string | undefined): string {
  if (kind === 'dependency' && isVirtual) return `${culprit}, which services depend on, has become slow or fails`;
  return `${CAUSES[kind](culprit)}${operation === undefined ? '' : ` (${operation})`}`;
}

/** Undefined where there are none. */
export function strongestOf(findings: readonly Finding[]): Finding | undefined {
  return findings.length === 0 ? undefined : findings.reduce((a, b) => (b.score > a.score ? b : a));
}

/** The operation in which the strongest finding is, as long as it says so. */
export function operationOf({ findings }: Candidate): string | undefined {
  return strongestOf(findings)?.operation;
}


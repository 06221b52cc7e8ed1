import type { DiagnosisKind } from '../diagnostic-results.js';
import type { CauseCandidate } from './cause-candidates.js';
import type { EvidenceKind, Finding } from './evidence-detector.js';
import { formatClock } from './evidence-formatting.js';

/** Findings weaker than this are left out, unless there is no stronger one. */
const LEAST_SCORE = 2;

const MOST_SENTENCES = 6;

/** Of one signal. */
const MOST_ALIKE = 2;

/** Findings in words, the strongest first; before them that it is over, where it is. */
export function describeEvidence({ findings }: CauseCandidate, onsetMs: number, overMs?: number): string[] {
  const strongest = [...findings].sort((a, b) => b.score - a.score);
  const worthwhile = strongest.filter(
    ({ signal, score }, i) => i === 0 || score >= LEAST_SCORE || signal === 'deployment',
  );
  const varied = worthwhile.filter(
    (finding, i) => worthwhile.slice(0, i).filter(({ signal }) => signal === finding.signal).length < MOST_ALIKE,
  );
  const time =
    overMs === undefined ? `since ${formatClock(onsetMs)}` : `from ${formatClock(onsetMs)} to ${formatClock(overMs)}`;
  const told = varied.slice(0, MOST_SENTENCES).map(({ sentence }) => `${sentence()}, ${time}.`);
  return overMs === undefined ? told : [`This is over since ${formatClock(overMs)}.`, ...told];
}

const CAUSE_SENTENCES: Readonly<Record<DiagnosisKind, (culprit: string) => string>> = {
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
export function describeCause(
  culprit: string,
  kind: DiagnosisKind,
  isVirtual: boolean,
  operation: string | undefined,
): string {
  if (kind === 'dependency' && isVirtual) return `${culprit}, which services depend on, has become slow or fails`;
  return `${CAUSE_SENTENCES[kind](culprit)}${operation === undefined ? '' : ` (${operation})`}`;
}

/** Undefined where there are none. */
export function findStrongestFinding(findings: readonly Finding[]): Finding | undefined {
  return findings.length === 0 ? undefined : findings.reduce((a, b) => (b.score > a.score ? b : a));
}

/** The operation in which the strongest finding is, as long as it says so. */
export function findStrongestOperation({ findings }: CauseCandidate): string | undefined {
  return findStrongestFinding(findings)?.operation;
}

/** A resource level that rose by so much is more than a companion of the other evidence. */
const MIN_SATURATION = 3;

/** What to call a cause: by what speaks against it most, and by what else explains that. */
export function classifyCause(candidate: CauseCandidate, isVirtual: boolean): DiagnosisKind {
  const has = (signal: EvidenceKind) => candidate.findings.some((finding) => finding.signal === signal);
  if (has('deployment')) return 'deployment';
  if (candidate.traffic > 0) return 'traffic';
  if (isVirtual) return 'dependency';
  const changes = Math.max(candidate.errors, candidate.calls, candidate.logs);
  if (candidate.resources >= MIN_SATURATION && candidate.resources >= changes / 2) return 'saturation';
  if (changes > candidate.time) return 'errors';
  return classifyTimeCause(candidate);
}

function classifyTimeCause({ findings }: CauseCandidate): DiagnosisKind {
  const added = (signal: EvidenceKind) =>
    findings
      .filter((finding) => finding.signal === signal && finding.score > 0)
      .reduce((sum, { amount }) => sum + amount, 0);
  const wire = added('wire time') + added('outbound wire time');
  const own = added('self time');
  const dependency = added('dependency time');
  if (dependency > wire && dependency > own) return 'dependency';
  return wire > own ? 'network' : 'latency';
}

import type { DiagnosisKind } from '../diagnostic-results.js';
import type { CauseCandidate } from './cause-candidates.js';
import type { EvidenceKind, Finding } from './evidence-detector.js';
import { formatClock } from './evidence-formatting.js';

/** Findings with a lower score are omitted, except the strongest and deployments. */
const MIN_SCORE = 2;

const MAX_SENTENCES = 6;

/** Per kind of evidence. */
const MAX_PER_KIND = 2;

/**
 * Describes the findings in sentences, strongest first; if the fault is over, a sentence about the recovery precedes
 * them.
 */
export function describeEvidence({ findings }: CauseCandidate, onsetMs: number, recoveredMs?: number): string[] {
  const strongest = [...findings].sort((a, b) => b.score - a.score);
  const worthwhile = strongest.filter(({ kind, score }, i) => i === 0 || score >= MIN_SCORE || kind === 'deployment');
  const varied = worthwhile.filter(
    (finding, i) => worthwhile.slice(0, i).filter(({ kind }) => kind === finding.kind).length < MAX_PER_KIND,
  );
  const time =
    recoveredMs === undefined
      ? `since ${formatClock(onsetMs)}`
      : `from ${formatClock(onsetMs)} to ${formatClock(recoveredMs)}`;
  const sentences = varied.slice(0, MAX_SENTENCES).map(({ describe }) => `${describe()}, ${time}.`);
  return recoveredMs === undefined ? sentences : [`Recovered at ${formatClock(recoveredMs)}.`, ...sentences];
}

const CAUSE_SENTENCES: Readonly<Record<DiagnosisKind, (serviceName: string) => string>> = {
  latency: (serviceName) => `${serviceName}: higher latency, originating in the service itself`,
  errors: (serviceName) => `${serviceName}: new errors or changed behaviour`,
  network: (serviceName) => `${serviceName}: slow network`,
  saturation: (serviceName) => `${serviceName}: resource saturation`,
  deployment: (serviceName) => `${serviceName}: regression after a new version`,
  traffic: (serviceName) => `${serviceName}: far more requests than before`,
  dependency: (serviceName) => `${serviceName}: slow or failing dependency`,
  inconclusive: () => 'Requests are impaired, but no cause stands out',
};

/** One phrase that names the service, and its operation if the cause is limited to one. */
export function describeCause(
  serviceName: string,
  kind: DiagnosisKind,
  isVirtual: boolean,
  operation: string | undefined,
): string {
  if (kind === 'dependency' && isVirtual) return `${serviceName}: this dependency is slow or fails`;
  return `${CAUSE_SENTENCES[kind](serviceName)}${operation === undefined ? '' : ` (${operation})`}`;
}

/** The finding with the highest score; undefined for an empty list. */
export function findStrongestFinding(findings: readonly Finding[]): Finding | undefined {
  return findings.length === 0 ? undefined : findings.reduce((a, b) => (b.score > a.score ? b : a));
}

/** Operation of the strongest finding, if it is limited to one. */
export function findStrongestOperation({ findings }: CauseCandidate): string | undefined {
  return findStrongestFinding(findings)?.operation;
}

/** From this strength on a resource is a cause in itself, not only a symptom. */
const MIN_SATURATION = 3;

/** Kind of a cause, determined by its strongest evidence and what else explains it. */
export function classifyCause(candidate: CauseCandidate, isVirtual: boolean): DiagnosisKind {
  const has = (kind: EvidenceKind) => candidate.findings.some((finding) => finding.kind === kind);
  if (has('deployment')) return 'deployment';
  if (candidate.traffic > 0) return 'traffic';
  if (isVirtual) return 'dependency';
  const changes = Math.max(candidate.errors, candidate.calls, candidate.logs);
  if (candidate.resources >= MIN_SATURATION && candidate.resources >= changes / 2) return 'saturation';
  if (changes > candidate.time) return 'errors';
  return classifyTimeCause(candidate);
}

function classifyTimeCause({ findings }: CauseCandidate): DiagnosisKind {
  const added = (kind: EvidenceKind) =>
    findings
      .filter((finding) => finding.kind === kind && finding.score > 0)
      .reduce((sum, { amount }) => sum + amount, 0);
  const wire = added('wire time') + added('outbound wire time');
  const own = added('self time');
  const dependency = added('dependency time');
  if (dependency > wire && dependency > own) return 'dependency';
  return wire > own ? 'network' : 'latency';
}

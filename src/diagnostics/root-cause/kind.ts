import type { DiagnosisKind } from '../answers.js';
import type { Candidate } from './candidates.js';
import type { SignalName } from './finding.js';

/** A resource level that rose by so much is more than a companion of the other evidence. */
const LEAST_SATURATION = 3;

/** What to call a cause: by what speaks against it most, and by what else explains that. */
export function kindOf(candidate: Candidate, isVirtual: boolean): DiagnosisKind {
  const has = (signal: SignalName) => candidate.findings.some((finding) => finding.signal === signal);
  if (has('deployment')) return 'deployment';
  if (candidate.traffic > 0) return 'traffic';
  if (isVirtual) return 'dependency';
  const changes = Math.max(candidate.errors, candidate.calls, candidate.logs);
  if (candidate.resources >= LEAST_SATURATION && candidate.resources >= changes / 2) return 'saturation';
  if (changes > candidate.time) return 'errors';
  return kindOfTime(candidate);
}

function kindOfTime({ findings }: Candidate): DiagnosisKind {
  const added = (signal: SignalName) => findings.filter((finding) => finding.signal === signal && finding.score > 0).reduce((sum, { amount }) => sum + amount, 0);
  const wire = added('wire time') + added('outbound wire time');
  const own = added('self time');
  const dependency = added('dependency time');
  if (dependency > wire && dependency > own) return 'dependency';
  return wire > own ? 'network' : 'latency';
}

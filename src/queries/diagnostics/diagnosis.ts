import type { Diagnosis } from '../../diagnostics/answers.js';
import { diagnose } from '../../diagnostics/root-cause/diagnose.js';
import type { RankedCause } from '../../diagnostics/root-cause/ranked-cause.js';
import { USUAL_LENGTHS } from '../../diagnostics/timeframe.js';
import { question, type AskTraces } from './question.js';

export const DIAGNOSIS = question<readonly Diagnosis[], 'grids' | 'services' | 'logs' | 'metrics'>({
  lengths: USUAL_LENGTHS,
  parts: ['grids', 'services', 'logs', 'metrics'],
  baseline: true,
  async answer(input, frames, traces) {
    const diagnoses: Diagnosis[] = [];
    for (const cause of diagnose(input, frames)) diagnoses.push(await withTraces(cause, traces));
    return diagnoses;
  },
});

async function withTraces({ impact, ...cause }: RankedCause, traces: AskTraces): Promise<Diagnosis> {
  if (impact === undefined) return { ...cause, impactedTraceCount: 0, sampleTraceIds: [] };
  const { count, sampleTraceIds } = await traces(impact, cause.kind === 'errors' ? 'errors' : 'slow');
  return { ...cause, impactedTraceCount: count, sampleTraceIds };
}

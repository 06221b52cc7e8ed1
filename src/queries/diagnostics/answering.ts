import type { DiagnosticsInput } from '../../diagnostics/input.js';
import type { Timed } from '../../diagnostics/rollups.js';
import { framesOf, MINUTE_MS, type Frames, type When } from '../../diagnostics/timeframe.js';
import { hullOf, type DiagnosticsData, type Need } from './diagnostics-data.js';
import type { AskTraces, Question } from './question.js';

/** Computes the answer to a question, about now or any other time. */
export async function answerTo<Answer extends object>(data: DiagnosticsData, gridId: string, question: Question<Answer>, when: When, traces: AskTraces): Promise<Answer> {
  const frames = framesOf(when, data.clock(), question.lengths);
  const input = await data.input(gridId, [needOf(question, frames)]);
  return question.answer(input, frames, traces);
}

export function needOf({ parts, baseline }: Question<object>, frames: Frames): Need {
  return { parts, windows: baseline ? [frames.baseline, frames.current] : [frames.current] };
}

/** What a question would have been given alone: of an input that was read for several, so that its answer is the same. */
export function partFor(input: DiagnosticsInput, { windows }: Need): DiagnosticsInput {
  const { fromMs, toMs } = hullOf(windows);
  const isInside = ({ minute }: Timed<unknown>): boolean => minute * MINUTE_MS >= fromMs && minute * MINUTE_MS < toMs;
  return {
    ...input,
    grids: input.grids.filter(isInside),
    services: input.services.filter(isInside),
    logs: input.logs.filter(isInside),
    metrics: input.metrics.filter(isInside),
    alerts: input.alerts.filter(({ firedAt, resolvedAt }) => firedAt < toMs && (resolvedAt ?? Infinity) >= fromMs),
  };
}

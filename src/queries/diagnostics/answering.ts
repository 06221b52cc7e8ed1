import { framesOf, type Frames, type When } from '../../diagnostics/timeframe.js';
import type { DiagnosticsData, Need } from './diagnostics-data.js';
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

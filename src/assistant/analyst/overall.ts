import { getComparison } from '../tools/get-comparison.js';
import type { Inquiry } from './inquiry.js';
import type { Slots } from './slots.js';
import { currentRange, during, spelled } from './when.js';
import { ms } from './wording.js';

const HOUR_MS = 60 * 60_000;

/** Average latency and Apdex of the whole Grid, which comparisons alone tell; "" where they were not asked for. */
export async function overallAverages(inquiry: Inquiry, { time, measure }: Slots): Promise<string> {
  if ((measure !== 'average' && measure !== 'apdex') || inquiry.left === 0) return '';
  const current = currentRange(time, inquiry.nowMs);
  const [now, before] = [spelled(current), spelled({ fromMs: current.fromMs - HOUR_MS, toMs: current.fromMs })];
  const { answer } = await inquiry.ask(getComparison, { currentStart: now.rangeStart, currentEnd: now.rangeEnd, baselineStart: before.rangeStart, baselineEnd: before.rangeEnd });
  return `Over all services${during(time, inquiry.nowMs)}: ${ms(answer.current.avgLatencyMs)} on average, Apdex ${answer.current.apdex}; in the hour before ${ms(answer.baseline.avgLatencyMs)}, Apdex ${answer.baseline.apdex}.\n`;
}

import type { Comparison } from '../../diagnostics/answers.js';
import { compare } from '../../diagnostics/compare.js';
import { framesOf, USUAL_LENGTHS, type Timeframe } from '../../diagnostics/timeframe.js';
import type { DiagnosticsData } from './diagnostics-data.js';

/** Both windows become whole minutes as those of any other answer do. */
export async function compareWindows(data: DiagnosticsData, gridId: string, current: Timeframe, baseline: Timeframe): Promise<Comparison> {
  const nowMs = data.clock();
  const [currentFrame, baselineFrame] = [current, baseline].map((range) => framesOf({ range }, nowMs, USUAL_LENGTHS).current);
  const input = await data.input(gridId, [{ parts: ['grids'], windows: [currentFrame, baselineFrame] }]);
  return compare(input, currentFrame, baselineFrame, nowMs);
}

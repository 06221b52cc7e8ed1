import type { TimelineEvent } from '../../diagnostics/answers.js';
import { HISTORY_LENGTHS } from '../../diagnostics/timeframe.js';
import { timeline } from '../../diagnostics/timeline.js';
import { question } from './question.js';

export const TIMELINE = question<readonly TimelineEvent[], 'grids' | 'services' | 'catalogs' | 'alerts' | 'seriesOverflowMs'>({
  lengths: HISTORY_LENGTHS,
  parts: ['grids', 'services', 'catalogs', 'alerts', 'seriesOverflowMs'],
  baseline: true,
  answer: timeline,
});

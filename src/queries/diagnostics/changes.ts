import type { Change } from '../../diagnostics/answers.js';
import { changes } from '../../diagnostics/changes.js';
import { HISTORY_LENGTHS } from '../../diagnostics/timeframe.js';
import { question } from './question.js';

export const CHANGES = question<readonly Change[], 'grids' | 'services' | 'catalogs'>({
  lengths: HISTORY_LENGTHS,
  parts: ['grids', 'services', 'catalogs'],
  baseline: true,
  answer: changes,
});

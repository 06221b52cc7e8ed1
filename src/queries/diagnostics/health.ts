import type { Health } from '../../diagnostics/answers.js';
import { health } from '../../diagnostics/health.js';
import { USUAL_LENGTHS } from '../../diagnostics/timeframe.js';
import { question } from './question.js';

export const HEALTH = question<Health, 'grids' | 'catalogs'>({ lengths: USUAL_LENGTHS, parts: ['grids', 'catalogs'], baseline: false, answer: health });

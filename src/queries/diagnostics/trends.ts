import type { Trends } from '../../diagnostics/answers.js';
import { USUAL_LENGTHS } from '../../diagnostics/timeframe.js';
import { trends } from '../../diagnostics/trends.js';
import { question } from './question.js';

export const TRENDS = question<Trends, 'grids'>({ lengths: USUAL_LENGTHS, parts: ['grids'], baseline: true, answer: trends });

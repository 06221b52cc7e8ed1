import type { SlowEndpoint } from '../../diagnostics/answers.js';
import { slowestEndpoints } from '../../diagnostics/slowest-endpoints.js';
import { USUAL_LENGTHS } from '../../diagnostics/timeframe.js';
import { question } from './question.js';

export const SLOWEST_ENDPOINTS = question<readonly SlowEndpoint[], 'services'>({
  lengths: USUAL_LENGTHS,
  parts: ['services'],
  baseline: false,
  answer: slowestEndpoints,
});

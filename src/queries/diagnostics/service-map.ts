import type { ServiceMap } from '../../diagnostics/answers.js';
import { serviceMap } from '../../diagnostics/service-map.js';
import { USUAL_LENGTHS } from '../../diagnostics/timeframe.js';
import { question } from './question.js';

export const SERVICE_MAP = question<ServiceMap, 'grids'>({ lengths: USUAL_LENGTHS, parts: ['grids'], baseline: false, answer: serviceMap });

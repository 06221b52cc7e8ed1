import type { PressurePoint } from '../../diagnostics/answers.js';
import { pressurePoints } from '../../diagnostics/pressure.js';
import { USUAL_LENGTHS } from '../../diagnostics/timeframe.js';
import { question } from './question.js';

export const PRESSURE = question<readonly PressurePoint[], 'metrics'>({ lengths: USUAL_LENGTHS, parts: ['metrics'], baseline: true, answer: pressurePoints });

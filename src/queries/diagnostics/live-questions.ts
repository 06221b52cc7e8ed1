import type { LiveTopic } from '../../read-models/live-diagnostics.js';
import { alertsQuestion } from './alerts.js';
import { CHANGES } from './changes.js';
import { HEALTH } from './health.js';
import { PRESSURE } from './pressure.js';
import type { Question } from './question.js';
import { SERVICE_MAP } from './service-map.js';
import { SLOWEST_ENDPOINTS } from './slowest-endpoints.js';
import { TRENDS } from './trends.js';

/** The questions whose answers are kept current. */
export const LIVE_QUESTIONS = {
  health: HEALTH,
  alerts: alertsQuestion({}),
  pressure: PRESSURE,
  trends: TRENDS,
  services: SERVICE_MAP,
  changes: CHANGES,
  'slowest-endpoints': SLOWEST_ENDPOINTS,
} satisfies Partial<Record<LiveTopic, Question<object>>>;

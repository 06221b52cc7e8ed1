import type { LiveTopic } from '../../read-models/live-diagnostics.js';
import { alertsQuestion } from './alerts.js';
import { CHANGES } from './changes.js';
import { DIAGNOSIS } from './diagnosis.js';
import { HEALTH } from './health.js';
import { PRESSURE } from './pressure.js';
import type { Question } from './question.js';
import { SERVICE_MAP } from './service-map.js';
import { SLOWEST_ENDPOINTS } from './slowest-endpoints.js';
import { TIMELINE } from './timeline.js';
import { TRENDS } from './trends.js';

/** The questions whose answers are kept current. */
export const LIVE_QUESTIONS = {
  health: HEALTH,
  alerts: alertsQuestion({}),
  diagnosis: DIAGNOSIS,
  pressure: PRESSURE,
  trends: TRENDS,
  services: SERVICE_MAP,
  timeline: TIMELINE,
  'slowest-endpoints': SLOWEST_ENDPOINTS,
  changes: CHANGES,
} satisfies Record<LiveTopic, Question<object>>;

import type { Intent } from '../intent.js';
import { alerts, rules } from './alerts.js';
import { changes } from './changes.js';
import { comparison } from './comparison.js';
import { greeting, help, thanks } from './courtesy.js';
import { dependencies } from './dependencies.js';
import { detail } from './detail.js';
import { certainty, impact, onset, remedy } from './diagnosis-details.js';
import { errors } from './errors.js';
import { health } from './health.js';
import { latency } from './latency.js';
import { logs } from './logs.js';
import { meaning } from './meaning.js';
import { metrics } from './metrics.js';
import { outcomes } from './outcomes.js';
import { pressure } from './pressure.js';
import { recovery } from './recovery.js';
import { services } from './services.js';
import { slowest } from './slowest.js';
import { timeline } from './timeline.js';
import { trace } from './trace.js';
import { traces } from './traces.js';
import { traffic } from './traffic.js';
import { trends } from './trends.js';
import { usage } from './usage.js';
import { why } from './why.js';

/** Everything that the analyst understands. Of equally likely ones the earlier is meant. */
export const INTENTS: readonly Intent[] = [
  why, health, latency, errors, outcomes, traces, logs, changes, alerts, rules, pressure, dependencies, slowest, trends, comparison, timeline, services, detail, metrics,
  recovery, onset, impact, remedy, certainty, traffic, trace, usage, meaning, help, greeting, thanks,
];

import type { Intent } from './intent.js';
import { alertsIntent, alertRulesIntent } from './alert-intents.js';
import { changesIntent, timelineIntent } from './history-intents.js';
import { comparisonIntent, trendsIntent } from './comparison-intents.js';
import { greetingIntent, helpIntent, meaningIntent, thanksIntent } from './help-intents.js';
import { dependenciesIntent } from './dependency-intent.js';
import { healthIntent, serviceDetailIntent, servicesIntent } from './service-intents.js';
import { certaintyIntent, impactIntent, onsetIntent, remedyIntent, whyIntent } from './diagnosis-intents.js';
import { errorGroupsIntent } from './error-group-intent.js';
import { errorsIntent } from './error-intent.js';
import { guideIntent } from './guide-intent.js';
import { incidentsIntent } from './incident-intent.js';
import { latencyIntent, slowestEndpointsIntent, trafficIntent } from './performance-intents.js';
import { logsIntent } from './log-intent.js';
import { metricsIntent } from './metric-intent.js';
import { objectivesIntent } from './objective-intent.js';
import { outcomesIntent } from './outcome-intent.js';
import { pressureIntent } from './pressure-intent.js';
import { recoveryIntent } from './recovery-intent.js';
import { silencesIntent } from './silence-intent.js';
import { traceIntent, tracesIntent } from './trace-intents.js';
import { usageIntent } from './usage-intent.js';

/** All intents. Of equally likely intents the first one wins. */
export const INTENTS: readonly Intent[] = [
  whyIntent,
  healthIntent,
  latencyIntent,
  errorsIntent,
  outcomesIntent,
  tracesIntent,
  logsIntent,
  changesIntent,
  alertsIntent,
  alertRulesIntent,
  pressureIntent,
  dependenciesIntent,
  slowestEndpointsIntent,
  trendsIntent,
  comparisonIntent,
  timelineIntent,
  servicesIntent,
  serviceDetailIntent,
  metricsIntent,
  recoveryIntent,
  onsetIntent,
  impactIntent,
  remedyIntent,
  certaintyIntent,
  trafficIntent,
  traceIntent,
  usageIntent,
  objectivesIntent,
  incidentsIntent,
  silencesIntent,
  errorGroupsIntent,
  guideIntent,
  meaningIntent,
  helpIntent,
  greetingIntent,
  thanksIntent,
];

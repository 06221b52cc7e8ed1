import { alertRuleRoutes } from './api/alert-rules.js';
import { apiKeyRoutes } from './api/api-keys.js';
import { auditRoutes } from './api/audit.js';
import { chartDefinitionRoutes } from './api/chart-definitions.js';
import { chartRoutes } from './api/charts.js';
import { chatRoutes } from './api/chat.js';
import { dashboardDefinitionRoutes } from './api/dashboard-definitions.js';
import { dashboardRoutes } from './api/dashboards.js';
import { diagnosticsRoutes } from './api/diagnostics.js';
import { gridRoutes } from './api/grids.js';
import { limitRoutes } from './api/limits.js';
import { liveRoutes } from './api/live.js';
import { logRoutes } from './api/logs.js';
import { memberRoutes } from './api/members.js';
import { metricRoutes } from './api/metrics.js';
import { sessionRoutes } from './api/sessions.js';
import { speechRoutes } from './api/speech.js';
import { traceRoutes } from './api/traces.js';
import { usageRoutes } from './api/usage.js';
import type { Route } from './route.js';

/** Every operation of the API. A new one is a file in `api/` and a line here. */
export const ROUTES: readonly Route[] = [
  ...traceRoutes,
  ...logRoutes,
  ...diagnosticsRoutes,
  ...liveRoutes,
  ...chartRoutes,
  ...dashboardRoutes,
  ...metricRoutes,
  ...alertRuleRoutes,
  ...chartDefinitionRoutes,
  ...dashboardDefinitionRoutes,
  ...sessionRoutes,
  ...chatRoutes,
  ...speechRoutes,
  ...usageRoutes,
  ...limitRoutes,
  ...gridRoutes,
  ...memberRoutes,
  ...apiKeyRoutes,
  ...auditRoutes,
];

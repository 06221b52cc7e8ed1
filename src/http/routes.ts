import { alertRuleRoutes } from './api/alert-rule-routes.js';
import { apiKeyRoutes } from './api/api-key-routes.js';
import { auditRoutes, gridRoutes, memberRoutes } from './api/grid-routes.js';
import { chartDefinitionRoutes, dashboardDefinitionRoutes } from './api/chart-definition-routes.js';
import { chartRoutes, dashboardRoutes, metricRoutes } from './api/chart-routes.js';
import { chatRoutes, sessionRoutes, speechRoutes } from './api/assistant-routes.js';
import { diagnosticsRoutes, liveRoutes } from './api/diagnostics-routes.js';
import { limitRoutes, usageRoutes } from './api/usage-routes.js';
import { logRoutes } from './api/log-routes.js';
import { traceRoutes } from './api/trace-routes.js';
import type { Route } from './route.js';

/** All operations of the API, in the order of the OpenAPI document. */
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

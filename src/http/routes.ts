import { alertRuleRoutes } from './api/alert-rule-routes.js';
import { apiKeyRoutes } from './api/api-key-routes.js';
import { auditRoutes, gridRoutes, memberRoutes } from './api/grid-routes.js';
import { channelRoutes } from './api/channel-routes.js';
import { notificationRouteRoutes } from './api/notification-route-routes.js';
import { acknowledgementRoutes, silenceRoutes } from './api/silence-routes.js';
import { chartDefinitionRoutes, dashboardDefinitionRoutes } from './api/chart-definition-routes.js';
import { chartRoutes, dashboardRoutes, metricRoutes } from './api/chart-routes.js';
import { chatRoutes, sessionRoutes, speechRoutes } from './api/assistant-routes.js';
import { diagnosticsRoutes, liveRoutes } from './api/diagnostics-routes.js';
import { errorRoutes } from './api/error-routes.js';
import { incidentRoutes } from './api/incident-routes.js';
import { limitRoutes, usageRoutes } from './api/usage-routes.js';
import { logRoutes } from './api/log-routes.js';
import { sloReportRoutes } from './api/slo-report-routes.js';
import { sloRoutes } from './api/slo-routes.js';
import { viewRoutes } from './api/view-routes.js';
import { queryRoutes } from './api/query-routes.js';
import { traceComparisonRoutes } from './api/trace-comparison-routes.js';
import { traceRoutes } from './api/trace-routes.js';
import type { Route } from './route.js';

/** All operations of the API, in the order of the OpenAPI document. */
export const ROUTES: readonly Route[] = [
  ...traceRoutes,
  ...traceComparisonRoutes,
  ...logRoutes,
  ...queryRoutes,
  ...errorRoutes,
  ...diagnosticsRoutes,
  ...liveRoutes,
  ...incidentRoutes,
  ...chartRoutes,
  ...dashboardRoutes,
  ...metricRoutes,
  ...alertRuleRoutes,
  ...channelRoutes,
  ...notificationRouteRoutes,
  ...silenceRoutes,
  ...acknowledgementRoutes,
  ...chartDefinitionRoutes,
  ...dashboardDefinitionRoutes,
  ...sloRoutes,
  ...sloReportRoutes,
  ...viewRoutes,
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

import type { Tool } from '../tool.js';
import { getAlertRules } from './get-alert-rules.js';
import { getAlertSummary } from './get-alert-summary.js';
import { getAvailableCharts } from './get-available-charts.js';
import { getComparison } from './get-comparison.js';
import { getDashboard } from './get-dashboard.js';
import { getDeploymentCorrelation } from './get-deployment-correlation.js';
import { getDiagnosis } from './get-diagnosis.js';
import { getGridInfo } from './get-grid-info.js';
import { getIncidentTimeline } from './get-incident-timeline.js';
import { getLog } from './get-log.js';
import { getLogFilterFacets } from './get-log-filter-facets.js';
import { getLogs } from './get-logs.js';
import { getMetrics } from './get-metrics.js';
import { getPressurePoints } from './get-pressure-points.js';
import { getRangeData } from './get-range-data.js';
import { getServiceDetail } from './get-service-detail.js';
import { getServiceMap } from './get-service-map.js';
import { getSlowestEndpoints } from './get-slowest-endpoints.js';
import { getSystemHealth } from './get-system-health.js';
import { getTrace } from './get-trace.js';
import { getTraceErrors } from './get-trace-errors.js';
import { getTraceFilterFacets } from './get-trace-filter-facets.js';
import { getTraceLogs } from './get-trace-logs.js';
import { getTraceSpanEvents } from './get-trace-span-events.js';
import { getTraceSpanTags } from './get-trace-span-tags.js';
import { getTraceSpans } from './get-trace-spans.js';
import { getTraces } from './get-traces.js';
import { getTrendAnalysis } from './get-trend-analysis.js';
import { getUsage } from './get-usage.js';
import { getUsageSummary } from './get-usage-summary.js';

/** Everything that can be asked, by nobody's leave but the reader's: no tool changes anything. Names are unique. */
export const TOOLS: readonly Tool[] = [
  getAlertRules,
  getAlertSummary,
  getAvailableCharts,
  getComparison,
  getDashboard,
  getDeploymentCorrelation,
  getDiagnosis,
  getGridInfo,
  getIncidentTimeline,
  getLog,
  getLogFilterFacets,
  getLogs,
  getMetrics,
  getPressurePoints,
  getRangeData,
  getServiceDetail,
  getServiceMap,
  getSlowestEndpoints,
  getSystemHealth,
  getTrace,
  getTraceErrors,
  getTraceFilterFacets,
  getTraceLogs,
  getTraceSpanEvents,
  getTraceSpanTags,
  getTraceSpans,
  getTraces,
  getTrendAnalysis,
  getUsage,
  getUsageSummary,
];

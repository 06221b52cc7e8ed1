import type { Tool } from '../tool.js';
import { getAlertRules, getGridInfo } from './grid-tools.js';
import {
  getAlertSummary,
  getComparison,
  getDeploymentCorrelation,
  getDiagnosis,
  getIncidentTimeline,
  getPressurePoints,
  getServiceDetail,
  getServiceMap,
  getSlowestEndpoints,
  getSystemHealth,
  getTrendAnalysis,
} from './diagnostic-tools.js';
import { getAvailableCharts, getDashboard, getMetrics, getRangeData } from './chart-tools.js';
import { getErrorGroup, getErrorGroups } from './error-tools.js';
import { getObjectiveReport, getObjectives } from './objective-tools.js';
import { queryTelemetry } from './query-tools.js';
import { getIncident, getIncidents } from './incident-tools.js';
import { getLog, getLogFilterFacets, getLogs } from './log-tools.js';
import {
  getTrace,
  getTraceErrors,
  getTraceFilterFacets,
  getTraceLogs,
  getTraces,
  getTraceSpanEvents,
  getTraceSpans,
  getTraceSpanTags,
} from './trace-tools.js';
import { getSilences } from './silence-tools.js';
import { getUsage, getUsageSummary } from './usage-tools.js';

/** All tools. They are read-only; callers are authorized to read the Grid. Names are unique. */
export const TOOLS: readonly Tool[] = [
  getAlertRules,
  getAlertSummary,
  getAvailableCharts,
  getComparison,
  getDashboard,
  getDeploymentCorrelation,
  getDiagnosis,
  getErrorGroup,
  getErrorGroups,
  getGridInfo,
  getIncident,
  getIncidentTimeline,
  getIncidents,
  getLog,
  getLogFilterFacets,
  getLogs,
  getMetrics,
  getObjectiveReport,
  getObjectives,
  getPressurePoints,
  getRangeData,
  getServiceDetail,
  getServiceMap,
  getSilences,
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
  queryTelemetry,
];

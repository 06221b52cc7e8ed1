import { findRequestConvention } from './request-conventions.js';
import { classifyResource } from '../pressure/resource-classification.js';

/**
 * What a metric without a convention tells about the requests of its service: how long they take, how long those that
 * it makes itself take, how many fail, or how many succeed.
 */
export type ReportedMeasure = 'latency' | 'outbound latency' | 'failures' | 'successes';

/** Durations of work other than requests. */
const OTHER_WORK = /startup|start.?time|uptime|compil|build|flush|scrape|probe|interval|timeout|lifetime|age$|token/i;

/** Machines and nodes: what they report covers more than one service. */
const MACHINE_METRIC = /(^|[._])(node|host|system)[._]/i;

const LATENCY = /latenc|duration|(response|request|service|processing|serving|elapsed)[._-]?time|[._]rt([._]|$)/i;

/** The caller's side. What proxies call "downstream" are those that call them. */
const OUTBOUND = /(^|[^a-z])(client|outbound|outgoing|egress|upstream|external)([^a-z]|$)/i;

const SUCCESS = /success|availab/i;

const FAILURE = /error|fail|fault|exception|[._-]5xx|reject|refus|abort/i;

/** Counts that are no failures of requests. */
const OTHER_FAILURE = /page.?fault|failover|log/i;

const MAX_CLASSIFIED = 20_000;

const classified = new Map<string, ReportedMeasure | undefined>();

/**
 * Classifies a metric by its name and the values of its attributes; undefined for those that request metrics or
 * resources already count, and for unknown ones. Cached by name.
 */
export function classifyReportedMeasure(
  metric: string,
  unit: string,
  attributes: readonly (readonly [key: string, value: string])[],
): ReportedMeasure | undefined {
  const key = `${unit} ${metric}`;
  if (!classified.has(key)) {
    if (classified.size >= MAX_CLASSIFIED) classified.clear();
    classified.set(key, classifyName(metric, unit));
  }
  const measure = classified.get(key);
  const isOutbound = measure === 'latency' && attributes.some(([, value]) => OUTBOUND.test(value));
  return isOutbound ? 'outbound latency' : measure;
}

function classifyName(metric: string, unit: string): ReportedMeasure | undefined {
  if (MACHINE_METRIC.test(metric) || OTHER_WORK.test(metric)) return undefined;
  if (findRequestConvention(metric) !== undefined || classifyResource(metric) !== undefined) return undefined;
  if (LATENCY.test(metric) && !/^(%|By)/.test(unit)) return OUTBOUND.test(metric) ? 'outbound latency' : 'latency';
  if (SUCCESS.test(metric)) return isShare(unit, metric) ? 'successes' : undefined;
  return FAILURE.test(metric) && !OTHER_FAILURE.test(metric) && !OUTBOUND.test(metric) ? 'failures' : undefined;
}

/** How many succeed is only evidence as a share: as a count it follows the traffic. */
function isShare(unit: string, metric: string): boolean {
  return unit === '%' || unit === '1' || unit === '' || /rate|ratio|percent|share|availab/i.test(metric);
}

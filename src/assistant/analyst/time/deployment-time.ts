import type { Change } from '../../../diagnostics/diagnostic-results.js';
import { getDeploymentCorrelation } from '../../tools/diagnostic-tools.js';
import type { IsoTimestamped } from '../../tools/result-serialization.js';
import { joinWithAnd } from '../answers/answer-formatting.js';
import type { Draft } from '../intents/intent.js';
import type { QueryContext } from '../query-context.js';
import type { Slots, TimeReference } from '../understanding/slots.js';
import { formatClock, lastMinutes, toRangeArguments } from './window-resolver.js';

/** How far back deployments are searched: the maximum diagnostics window. */
const WEEK_MINUTES = 7 * 24 * 60;

const MINUTE_MS = 60_000;

/**
 * Resolves "since the deployment" to a time: that of the newest deployment of the requested services, otherwise of
 * any service, which `note` then mentions. Returns a `draft` if there was none.
 */
export async function resolveDeploymentTime(
  context: QueryContext,
  slots: Slots,
): Promise<{ readonly slots: Slots; readonly draft?: Draft; readonly note?: string }> {
  const { time, services } = slots;
  if (time?.kind !== 'deployment') return { slots };
  const { answer } = await context.callTool(
    getDeploymentCorrelation,
    toRangeArguments(lastMinutes(WEEK_MINUTES, context.nowMs)),
  );
  const deployments = answer.filter(({ type }) => type === 'deployment');
  const newestOwn = findNewest(
    deployments.filter(({ serviceName }) => services.length === 0 || services.includes(serviceName)),
  );
  const newest = newestOwn ?? findNewest(deployments);
  if (newest === undefined)
    return {
      slots,
      draft: {
        text: 'I know of no deployment in the last 7 days.',
        followUps: ['What changed in the last hour?', 'Is anything broken?'],
      },
    };
  const atMs = Date.parse(newest.detectedAt);
  const note =
    newestOwn === undefined
      ? `${joinWithAnd(services)} had no deployment in the last 7 days, so this is about that of ${newest.serviceName} at ${formatClock(atMs, context.nowMs)}.\n`
      : '';
  return { slots: { ...slots, time: toTimeReference(time, atMs, context.nowMs) }, note };
}

/**
 * A time range after a deployment starts at the whole minute, like diagnostics windows; otherwise it would be a
 * minute longer.
 */
function toTimeReference(
  { side, lengthMs }: Extract<TimeReference, { kind: 'deployment' }>,
  atMs: number,
  nowMs: number,
): TimeReference {
  if (side === 'before') return { kind: 'moment', atMs, side };
  if (lengthMs === undefined) return { kind: 'range', fromMs: atMs, toMs: nowMs };
  const fromMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
  return { kind: 'range', fromMs, toMs: Math.min(fromMs + lengthMs, nowMs) };
}

function findNewest(changes: readonly IsoTimestamped<Change>[]): IsoTimestamped<Change> | undefined {
  return changes.reduce<IsoTimestamped<Change> | undefined>(
    (newest, change) =>
      newest === undefined || Date.parse(change.detectedAt) > Date.parse(newest.detectedAt) ? change : newest,
    undefined,
  );
}

import type { QueryContext } from '../query-context.js';
import { getDeploymentCorrelation } from '../../tools/diagnostic-tools.js';
import { lastMinutes, toRangeArguments } from '../time/window-resolver.js';
import type { TimeReference } from '../understanding/slots.js';
import type { EventTime, QuestionQuery } from './question-query.js';

export interface QueryWindow {
  readonly fromMs: number;
  readonly toMs: number;
  /** Such as `in the last 15 minutes`, `between 15:33 and 15:41 UTC`. */
  readonly words: string;
}

export interface QueryWindows {
  readonly window: QueryWindow;
  readonly baseline?: QueryWindow;
  /** What the window starts or ends at: `cart 1.5.0 was deployed at 15:39:35 UTC`. */
  readonly note?: string;
}

const MINUTE_MS = 60_000;
const DEFAULT_MINUTES = 15;
const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = 7 * 24 * 60;
/** The last moment that is written with four digits of the year. */
const MAX_TIME_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const MAX_EVENT_BASELINE_MS = 15 * MINUTE_MS;

/** The time ranges of a query; a text if its event never happened. */
export async function resolveWindows(context: QueryContext, query: QuestionQuery): Promise<QueryWindows | string> {
  const { time, baseline } = query;
  const { nowMs } = context;
  if (time?.kind === 'event')
    return resolveEvent(context, time, time.service === undefined ? findOnlyService(query) : undefined);
  if (time?.kind === 'deployment')
    return resolveEvent(
      context,
      { kind: 'event', side: baseline === undefined ? time.side : 'both' },
      findOnlyService(query),
    );
  const window = clamp(time === undefined && isEdge(query) ? lastDay(nowMs) : resolveTime(time, nowMs));
  const before =
    baseline !== undefined
      ? clamp(resolveBaseline(baseline, window, nowMs))
      : time?.kind === 'moment' && time.side === 'at' && query.measures.length > 0 && query.groupBy.length === 0
        ? clamp(resolveTime({ ...time, side: 'before' }, nowMs))
        : undefined;
  return { window, ...(before !== undefined && { baseline: before }) };
}

/** Times that a date can have. */
function clamp({ fromMs, toMs, words }: QueryWindow): QueryWindow {
  const from = Math.min(Math.max(fromMs, 0), MAX_TIME_MS - 1);
  return { fromMs: from, toMs: Math.min(Math.max(toMs, from + 1), MAX_TIME_MS), words };
}

/** "errors of cart since the deployment" means that of cart. */
function findOnlyService({ conditions }: QuestionQuery): string | undefined {
  const services = conditions.flatMap((each) => (each.kind === 'in' && each.field === 'service' ? each.values : []));
  return services.length === 1 ? services[0] : undefined;
}

/** "The last X" may be hours ago. */
function isEdge({ listing, limit }: QuestionQuery): boolean {
  return listing?.by === 'time' && limit === 1;
}

function lastDay(nowMs: number): QueryWindow {
  return { ...lastMinutes(DAY_MINUTES, nowMs), words: 'in the last 24 hours' };
}

function resolveTime(time: TimeReference | undefined, nowMs: number): QueryWindow {
  if (time?.kind === 'range') {
    const fromMs = time.fromMs;
    const toMs = Math.max(time.toMs, fromMs + 1);
    const isRecent = time.last !== undefined;
    return { fromMs, toMs, words: isRecent ? `in the last ${time.last}` : describeRange(fromMs, toMs, nowMs) };
  }
  if (time?.kind === 'moment') {
    const fromMs = time.side === 'at' ? time.atMs : time.atMs - DEFAULT_MINUTES * MINUTE_MS;
    const toMs = time.side === 'at' ? time.atMs + MINUTE_MS : time.atMs;
    return { fromMs, toMs, words: describeRange(fromMs, toMs, nowMs) };
  }
  return { ...lastMinutes(DEFAULT_MINUTES, nowMs), words: `in the last ${DEFAULT_MINUTES} minutes` };
}

function resolveBaseline(
  baseline: NonNullable<QuestionQuery['baseline']>,
  window: QueryWindow,
  nowMs: number,
): QueryWindow {
  if (baseline.kind === 'earlier') {
    const [fromMs, toMs] = [window.fromMs - baseline.shiftMs, window.toMs - baseline.shiftMs];
    return { fromMs, toMs, words: describeRange(fromMs, toMs, nowMs) };
  }
  if (baseline.kind === 'preceding') {
    const lengthMs = baseline.lengthMs > 0 ? baseline.lengthMs : window.toMs - window.fromMs;
    const fromMs = window.fromMs - lengthMs;
    return { fromMs, toMs: window.fromMs, words: describeRange(fromMs, window.fromMs, nowMs) };
  }
  return resolveTime(baseline, nowMs);
}

/** `own`: the service of the question, whose deployment is meant if the question names no other and it had one. */
async function resolveEvent(
  context: QueryContext,
  { side, service, version }: EventTime,
  own: string | undefined,
): Promise<QueryWindows | string> {
  const { nowMs } = context;
  const { answer } = await context.callTool(
    getDeploymentCorrelation,
    toRangeArguments(lastMinutes(WEEK_MINUTES, nowMs)),
  );
  const candidates = answer
    .filter(({ type, serviceName }) => type === 'deployment' && (service === undefined || serviceName === service))
    .filter(({ currentVersion }) => version === undefined || currentVersion === version)
    .sort((a, b) => Date.parse(b.detectedAt) - Date.parse(a.detectedAt));
  const found = candidates.find(({ serviceName }) => own === undefined || serviceName === own) ?? candidates[0];
  const what = [service, version].filter((part) => part !== undefined).join(' ');
  if (found === undefined) return `I know of no deployment${what === '' ? '' : ` of ${what}`} in the last 7 days.`;
  const atMs = Date.parse(found.detectedAt);
  const after: QueryWindow = {
    fromMs: atMs,
    toMs: Math.max(nowMs, atMs + 1),
    words: `since ${formatTime(atMs, nowMs)}`,
  };
  const beforeMs = Math.min(MAX_EVENT_BASELINE_MS, Math.max(MINUTE_MS, nowMs - atMs));
  const before: QueryWindow = {
    fromMs: atMs - (side === 'before' ? MAX_EVENT_BASELINE_MS : beforeMs),
    toMs: atMs,
    words: describeRange(atMs - (side === 'before' ? MAX_EVENT_BASELINE_MS : beforeMs), atMs, nowMs),
  };
  return {
    window: side === 'before' ? before : after,
    ...(side === 'both' && { baseline: before }),
    note: `${own === undefined || own === found.serviceName ? '' : `${own} had no deployment in the last 7 days, so this is about another: `}${found.serviceName} ${found.currentVersion} was deployed at ${formatTime(atMs, nowMs)} (before: ${found.previousVersion}).`,
  };
}

function describeRange(fromMs: number, toMs: number, nowMs: number): string {
  if (toMs >= nowMs) return `since ${formatTime(fromMs, nowMs)}`;
  return `between ${formatTime(fromMs, nowMs).replace(' UTC', '')} and ${formatTime(toMs, nowMs, fromMs)}`;
}

/** `15:39 UTC`, with seconds unless it is a whole minute, with the date unless it is today. */
export function formatTime(ms: number, nowMs: number, besideMs = nowMs): string {
  const iso = toIso(ms);
  const clock = ms % MINUTE_MS === 0 ? iso.slice(11, 16) : iso.slice(11, 19);
  const isKnownDay = iso.slice(0, 10) === toIso(besideMs).slice(0, 10);
  return `${isKnownDay ? '' : `${iso.slice(0, 10)} `}${clock} UTC`;
}

function toIso(ms: number): string {
  return new Date(Math.min(Math.max(ms, 0), MAX_TIME_MS)).toISOString();
}

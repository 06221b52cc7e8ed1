import { getErrorGroups } from '../../tools/error-tools.js';
import type { ErrorGroupStatus } from '../../../queries/errors/error-group-query-types.js';
import type { RecordState } from '../understanding/slots.js';
import type { ListedErrorGroup } from '../../tools/error-results.js';
import { formatCount, formatList, formatName, joinSome, joinWithOr, quote } from '../answers/answer-formatting.js';
import {
  describeWindow,
  formatIsoClock,
  lastMinutes,
  resolveSearchInterval,
  toRangeArguments,
} from '../time/window-resolver.js';
import type { Intent } from './intent.js';

const STATUSES: Readonly<Partial<Record<RecordState, readonly ErrorGroupStatus[]>>> = {
  open: ['open'],
  unended: ['open', 'reopened'],
  ended: ['resolved'],
  reopened: ['reopened'],
};
const MAX_LISTED = 5;
const WEEK_MINUTES = 7 * 24 * 60;

export const errorGroupsIntent: Intent = {
  name: 'errorGroups',
  cues: { errorGroups: 7, reopened: 4, errors: 1.5, alerts: -6, incidents: -6 },
  forms: ['Which error groups does {service} have?', 'Which error groups were reopened?'],
  async answer(context, { services: [serviceName], time, recordStates, limit = MAX_LISTED }) {
    // People resolve errors in days, not in minutes.
    const asked =
      time ??
      (recordStates === undefined ? undefined : { ...lastMinutes(WEEK_MINUTES, context.nowMs), last: '7 days' });
    const interval = resolveSearchInterval(asked, context.nowMs);
    const statuses = [...new Set(recordStates?.flatMap((state) => STATUSES[state] ?? []))];
    const { errors, totalCount, exceptionCount } = await context.callTool(getErrorGroups, {
      ...toRangeArguments(interval),
      ...(serviceName !== undefined && { serviceName }),
      ...(statuses.length > 0 && { status: statuses.join(',') }),
      pageSize: Math.min(limit, 100),
    });
    const of = serviceName === undefined ? '' : ` of ${serviceName}`;
    const when = describeWindow(asked, context.nowMs);
    const followUps = ['Which errors occur most?', 'How do I resolve an error group?', 'Is anything broken?'];
    const what = `${statuses.length === 0 ? '' : `${joinWithOr(statuses)} `}error group`;
    if (totalCount === 0) return { text: `No ${what}${of} has exceptions${when}.`, followUps };
    const lines = errors.map((group) => describeGroup(group, context.nowMs));
    return {
      text: `${formatCount(totalCount, what)}${of} with ${formatCount(exceptionCount, 'exception')}${when}:${formatList(lines, limit, totalCount)}`,
      followUps,
    };
  },
};

function describeGroup(group: ListedErrorGroup, nowMs: number): string {
  const { exceptionType, messagePattern, count, services, lastSeen, status } = group;
  const names = joinSome(services.map(({ serviceName }) => serviceName));
  return `${formatName(exceptionType)} ${quote(messagePattern)} in ${names}: ${formatCount(count, 'exception')}, last at ${formatIsoClock(lastSeen, nowMs)}${status === undefined ? '' : `, ${status}`}`;
}

import { randomUUID } from 'node:crypto';
import {
  ERROR_GROUP_STATUSES,
  ERROR_ORDERS,
  type ErrorGroupStatus,
  type ErrorOrder,
  type ErrorSelection,
} from '../../queries/errors/error-group-query-types.js';
import type { Tool } from '../tool.js';
import {
  toDetailedErrorGroup,
  toListedErrorGroup,
  type DetailedErrorGroup,
  type ListedErrorGroup,
} from './error-results.js';
import { defineArguments, enumField, enumListField, integerField, requiredField, textField } from './tool-arguments.js';
import { formatCountOrNone, requireFound } from './tool-builders.js';
import {
  describeWindowArguments,
  findWindowFault,
  normalizeHexId,
  toQueryRange,
  UNBOUNDED_WINDOW_FIELDS,
  type WindowArguments,
} from './window-arguments.js';

/** Groups beyond this number are not kept, so no page after it has any. */
const MAX_PAGE = 10_000;
const MAX_PAGE_SIZE = 100;

interface SelectionArguments extends WindowArguments {
  readonly serviceName?: string;
}

interface ListArguments extends SelectionArguments {
  /** Of `ERROR_GROUP_STATUSES`, separated by commas. */
  readonly status?: string;
  readonly orderBy?: ErrorOrder;
  readonly page?: number;
  readonly pageSize?: number;
}

interface ListedErrorGroups {
  readonly errors: readonly ListedErrorGroup[];
  readonly totalCount: number;
  readonly exceptionCount: number;
  readonly page: number;
  readonly pageSize: number;
  readonly exact: true;
}

const SELECTION_FIELDS = {
  ...UNBOUNDED_WINDOW_FIELDS,
  serviceName: textField('Only exceptions of this service, by its exact name.'),
};

const findFault = (args: WindowArguments): string | undefined => findWindowFault(args, Infinity);

export const getErrorGroups: Tool<ListArguments, ListedErrorGroups> = {
  name: 'GetErrorGroups',
  api: { method: 'GET', path: '/apm/errors/{gridSecondaryId}' },
  description:
    'Exceptions of spans and logs in groups of the same type, message pattern and origin, with exact counts by version and service, whether they are new, and whether they were resolved or reopened. Use it to find which errors occur, and which a version introduced.',
  ...defineArguments<ListArguments>(
    {
      ...SELECTION_FIELDS,
      status: enumListField(ERROR_GROUP_STATUSES, 'Only groups of these statuses.'),
      orderBy: enumField(ERROR_ORDERS, 'The largest or the latest groups first; count unless given.'),
      page: integerField(1, MAX_PAGE, 'Page, 1 unless given.'),
      pageSize: integerField(1, MAX_PAGE_SIZE, 'Groups of a page, 20 unless given.'),
    },
    findFault,
  ),
  async run({ queries, gridId, nowMs }, args) {
    const { status, orderBy = 'count', page = 1, pageSize = 20 } = args;
    const statuses = status !== undefined && { statuses: status.split(',') as ErrorGroupStatus[] };
    const query = { ...toSelection(gridId, args, nowMs), ...statuses, orderBy, page, pageSize };
    const { groups, ...counts } = await queries.telemetry.findErrorGroups(query, randomUUID());
    const description = `${formatCountOrNone(counts.totalCount, 'error group')}, ${describeWindowArguments(args)}`;
    return {
      data: { errors: groups.map(toListedErrorGroup), ...counts, page, pageSize, exact: true },
      source: { type: 'errors', description },
    };
  },
};

interface GroupArguments extends SelectionArguments {
  readonly groupId: string;
}

export const getErrorGroup: Tool<GroupArguments, DetailedErrorGroup> = {
  name: 'GetErrorGroup',
  api: { method: 'GET', path: '/apm/errors/{gridSecondaryId}/{groupId}' },
  description: 'One error group with its counts over time and by version, sample traces and a stack trace.',
  ...defineArguments<GroupArguments>(
    { ...SELECTION_FIELDS, groupId: requiredField(textField('Id of the group, from GetErrorGroups.')) },
    findFault,
  ),
  async run({ queries, gridId, nowMs }, args) {
    const query = { ...toSelection(gridId, args, nowMs), groupId: normalizeHexId(args.groupId) };
    const found = await queries.telemetry.readErrorGroup(query, randomUUID());
    const data = toDetailedErrorGroup(requireFound(found, 'exception of this group in the range'));
    const name = data.exceptionType === '' ? 'error group' : data.exceptionType;
    return { data, source: { type: 'error', description: `${name}, ${describeWindowArguments(args)}` } };
  },
};

function toSelection(gridId: string, args: SelectionArguments, nowMs: number): ErrorSelection {
  const { serviceName } = args;
  return { gridId, range: toQueryRange(args, nowMs), ...(serviceName !== undefined && { serviceName }) };
}

import Type from 'typebox';
import { ERROR_GROUP_STATUSES } from '../../queries/errors/error-group-query-types.js';
import { choice, count, flag, inlineRecord, instant, listing, listOf, record, text, whole } from './schema-builders.js';

const VERSION = text('`service.version`; empty if the resource has none, `__other__` for further ones.', '2.4.0');
const exceptionType = text('Type of the exceptions; empty if none was sent.', 'CardDeclined');

const ErrorVersionCount = record('ErrorVersionCount', 'Exceptions of one version.', {
  version: VERSION,
  count: count('Exceptions; exact.', 37),
});

const ErrorServiceCount = record('ErrorServiceCount', 'Exceptions of one service.', {
  serviceName: text('Name of the service; `__other__` for further ones.', 'checkout'),
  count: count('Exceptions; exact.', 37),
});

const members = {
  groupId: text('Id of the group: the same at any time and in any Grid.', 'bcebdbf30788a659792c6a3491b73ded'),
  exceptionType,
  messagePattern: text('Message with `*` for numbers, ids and quoted values.', 'no funds on card *'),
  topFrames: listOf(
    text('Function and file.', 'charge (pay.js)'),
    'Frames of the application nearest to the exception, innermost first, at most 3; empty without a stack trace.',
  ),
  count: count('Exceptions in the range; exact.', 37),
  firstSeen: instant('Time of the first exception in the range.'),
  lastSeen: instant('Time of the last exception in the range.'),
  isNew: Type.Optional(
    flag(
      'Whether no stored exception before the range is of this group. Absent if too much is stored to know in time.',
      true,
    ),
  ),
  firstVersion: text('`service.version` of the first exception in the range; empty if the resource has none.', '2.4.0'),
  versions: listOf(ErrorVersionCount, 'The largest count first.'),
  services: listOf(ErrorServiceCount, 'The largest count first.'),
  sampleTraceIds: listOf(text('Id of a trace.', '5b8efff798038103d269b633813fc60c'), 'At most 5, the newest first.'),
  status: Type.Optional(
    choice(
      ERROR_GROUP_STATUSES,
      'Now, or as of `asOf`. A resolved group is `reopened` by its next exception, with `resolvedInVersion` only by one of that version, or of a version that had not reported it. Absent if the group was resolved, and too much is stored to know in time whether it has occurred since.',
      'reopened',
    ),
  ),
  resolvedAt: Type.Optional(instant('When it was resolved last; absent if never.')),
  resolvedBy: Type.Optional(text('User who resolved it last.', 'owner')),
  resolvedInVersion: Type.Optional(text('`service.version` that fixes it; absent if none was named.', '2.4.1')),
  reopenedAt: Type.Optional(
    instant(
      'Of a reopened group: the first exception after it was resolved, or when a user reopened it. Absent if too much is stored to know in time.',
    ),
  ),
};

const damagedRecords = Type.Optional(
  count('Records that are damaged: they may report more exceptions. Absent if there are none.', 1),
);
const exact = Type.Literal(true, { description: 'Counted over all exceptions, never a sample.', examples: [true] });

export const ErrorGroup = record('ErrorGroup', 'Exceptions of one type, message and origin.', members);

export const ErrorGroups = listing('ErrorGroups', 'Groups of exceptions.', {
  errors: listOf(ErrorGroup, 'In the order of `orderBy`.'),
  totalCount: count('Number of groups on all pages.', 3),
  exceptionCount: count('Exceptions of the groups on all pages; exact.', 120),
  page: count('The page.', 1),
  pageSize: count('Groups per page.', 20),
  exact,
  foldedExceptions: Type.Optional(
    count(
      'Present if there are more than 10,000 groups: exceptions of those that were met later, which are on no page.',
      12,
    ),
  ),
  damagedRecords,
});

export const ErrorGroupReceipt = record('ErrorGroupReceipt', 'The group that was resolved or reopened.', {
  groupId: text('Id of the group.', 'bcebdbf30788a659792c6a3491b73ded'),
});

const ErrorStep = record('ErrorStep', 'Exceptions of one step.', {
  time: instant('Start of the step.'),
  count: count('Exceptions; exact.', 5),
  versions: listOf(ErrorVersionCount, 'Versions with exceptions in the step.'),
});

export const ErrorGroupDetail = record('ErrorGroupDetail', 'An error group with its counts over time.', {
  ...members,
  stepSeconds: whole('Length of a step in seconds, chosen by the range.', 60),
  steps: listOf(ErrorStep, 'All steps of the range, oldest first.'),
  sample: inlineRecord('The newest exception, of those with a stack trace if there are any.', {
    time: instant('When it happened.'),
    serviceName: text('Name of the service.', 'checkout'),
    version: text('`service.version`; empty if the resource has none.', '2.4.0'),
    traceId: text('Id of its trace; empty if it has none.', '5b8efff798038103d269b633813fc60c'),
    spanId: text('Id of its span; empty if it has none.', '051581bf3cb55c13'),
    message: text('Message as it was sent.', 'no funds on card 17'),
    stackTrace: text('Stack trace as it was sent; empty if none was.', 'at charge (/app/pay.js:10:5)'),
  }),
  exact,
  damagedRecords,
});

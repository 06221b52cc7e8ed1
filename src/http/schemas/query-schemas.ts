import Type from 'typebox';
import type { AnswerColumn, Cell } from '../../queries/query/query-model.js';
import { choice, count, flag, fraction, listOf, record, text } from './schema-builders.js';

const QueryColumn = record('QueryColumn', 'A column of an answer.', {
  name: text('Field of the group, or name of the function.', 'p99(duration)'),
  type: choice(
    ['string', 'number', 'time', 'object'] satisfies AnswerColumn['type'][],
    'Type of the values.',
    'number',
  ),
  unit: text('Unit of the values; empty if they have none.', 'ms'),
});

const cells = (description: string, example: readonly Cell[]) =>
  Type.Unsafe<readonly Cell[]>({
    type: 'array',
    items: { type: ['string', 'number', 'object', 'array', 'null'] },
    description,
    examples: [example],
  });

const QuerySeries = record('QuerySeries', 'The steps of one group.', {
  group: cells('Values of the fields of `groupBy`.', ['gold']),
  points: listOf(
    cells('Start of the step, then a value for each function; null if there is nothing to aggregate.', [
      '2026-03-14T09:26:00.000Z',
      412,
      1180.5,
    ]),
    'One for each step, oldest first.',
  ),
});

const QueryEstimate = record('QueryEstimate', 'A column whose values are estimates.', {
  column: text('Name of the column.', 'countDistinct(user.id)'),
  relativeError: fraction('Standard error, as a fraction of the value: two of three values are closer.', 0.0081),
});

export const QueryAnswerBody = record(
  'QueryAnswer',
  'Answer to a query: `rows` and `totalRows`, or with `stepSeconds` `series` and `totalSeries`. Counts and sums are exact over all records; percentiles differ by less than 1 %.',
  {
    columns: listOf(QueryColumn, 'Columns of the rows; of series without the time, which comes first in each point.'),
    rows: Type.Optional(
      listOf(
        cells('One value for each column; null if the record has no such field, or there is nothing to aggregate.', [
          'gold',
          412,
          1180.5,
        ]),
        'In the order of the query, at most `limit`.',
      ),
    ),
    totalRows: Type.Optional(
      count(
        'Exact number of groups (with `groupsFolded`: those that are kept, so at least) or, without `select`, of matching records.',
        3,
      ),
    ),
    series: Type.Optional(listOf(QuerySeries, 'In the order of the query, at most `limit`.')),
    totalSeries: Type.Optional(
      count('Exact number of groups; with `groupsFolded` those that are kept, so at least.', 3),
    ),
    exact: Type.Literal(true, { description: 'Computed from all records, never from a sample.', examples: [true] }),
    groupsFolded: Type.Optional(
      flag(
        'Present if there are more than 10,000 groups: all later ones together are the group `__other__`, and order and totals are those of the kept groups.',
        true,
      ),
    ),
    estimates: Type.Optional(
      listOf(QueryEstimate, 'Present if there are more than 100,000 distinct values: columns that are estimates.'),
    ),
    damagedRecords: Type.Optional(
      count('Records whose stored form is damaged: fields that are only there count as absent. Absent if none is.', 1),
    ),
  },
  {
    columns: [
      { name: 'customer.tier', type: 'string', unit: '' },
      { name: 'count', type: 'number', unit: '' },
      { name: 'p99(duration)', type: 'number', unit: 'ms' },
    ],
    rows: [
      ['gold', 412, 1180.5],
      ['basic', 96, 240.25],
    ],
    totalRows: 2,
    exact: true,
  },
);

const DifferingValue = record('DifferingValue', 'A value of a field in both sets.', {
  value: text('String form of the value.', '2.4.0'),
  inSelection: count('Records of the selection that have it; exact.', 40),
  outside: count('Other records that have it; exact.', 1),
});

const DifferingAttribute = record('DifferingAttribute', 'A field whose values differ between both sets.', {
  field: text('Name of the field, as conditions write it.', 'service.version'),
  values: listOf(DifferingValue, 'At most 10, the largest difference first.'),
  score: fraction(
    'Difference of the shares of records that have the first value, less what chance explains when so many values are compared.',
    0.91,
  ),
});

export const DifferencesBody = record('Differences', 'What sets a selection of records apart.', {
  attributes: listOf(DifferingAttribute, 'Best first; empty if nothing differs by more than chance.'),
  inSelection: count('Records of the selection; exact.', 41),
  outside: count('Other records; exact.', 100),
  compared: count('Fields that were compared: those with at most 2,000 values, 200 at most.', 7),
  exact: Type.Literal(true, { description: 'Counted over all records, never a sample.', examples: [true] }),
  leftOut: Type.Optional(
    count('Fields that were not compared: beyond the first 200, or with over 2,000 values. Absent if none.', 3),
  ),
  damagedRecords: Type.Optional(count('Records that are damaged and could not be compared. Absent if none is.', 1)),
});

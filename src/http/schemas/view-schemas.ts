import Type from 'typebox';
import { AGGREGATES, SIGNALS } from '../../queries/query/query-model.js';
import { choice, count, flag, inlineRecord, instant, listing, listOf, record, text, uuid } from './schema-builders.js';

export const SavedViewBody = record('SavedView', 'A saved query.', {
  id: uuid('Id of the view.'),
  name: text('Name of the view.', 'Latency by customer tier'),
  description: text('What the view is for.', 'p99 of each tier, for the weekly review'),
  signal: choice([...SIGNALS], 'What the query reads.', 'spans'),
  where: text('Condition that records must meet; empty for every record.', 'service = checkout'),
  groupBy: listOf(text('Field of the group.', 'customer.tier'), 'Fields to group by.'),
  select: listOf(
    inlineRecord('A function over the records of each group.', {
      fn: choice([...AGGREGATES], 'Function.', 'p99'),
      field: Type.Optional(text('Field whose values are aggregated.', 'duration')),
      as: Type.Optional(text('Name of the column.', 'slow')),
    }),
    'Columns of the answer; empty to list records.',
  ),
  stepSeconds: Type.Optional(count('Length of a step in seconds; absent for a table.', 60)),
  orderBy: listOf(
    inlineRecord('One key of the order.', {
      by: text('Column or field.', 'count'),
      descending: flag('Whether the largest come first.', true),
    }),
    'Order of the rows or series; empty for the default.',
  ),
  limit: Type.Optional(count('Maximum number of rows or series; absent for the default.', 100)),
  createdAt: instant('When the view was created.'),
  updatedAt: instant('When the view was last changed.'),
});

export const SavedViewList = listing('SavedViewList', 'Views that were saved in the Grid.', {
  views: listOf(SavedViewBody, 'Sorted by name.'),
});

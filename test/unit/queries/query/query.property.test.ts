import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compileQuery } from '../../../../src/queries/query/query-compiler.js';
import type { Cell, QueryRange, TableAnswer } from '../../../../src/queries/query/query-model.js';
import type { TelemetryQueries } from '../../../../src/queries/telemetry/telemetry-query-types.js';
import { cut, cuts, logs, spans } from '../telemetry/support/random-telemetry.js';
import type { GivenSpan, Values } from '../telemetry/support/requests.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';
import {
  aggregate,
  groupRecords,
  lookUpLog,
  lookUpSpan,
  meets,
  renderCondition,
  type NaiveRecord,
} from './support/naive-query.js';
import { logQuery, spanQuery, type RandomQuery } from './support/random-queries.js';

const FIRST_ATTEMPTS: readonly Values[] = [{ attempt: 0 }, { attempt: 1 }];
const NO_ATTRIBUTES: Values = {};
const BASE_US = 1_760_000_000_000_000;
const range: fc.Arbitrary<QueryRange> = fc
  .tuple(fc.integer({ min: -2, max: 12 }), fc.nat(16))
  .map(([from, length]) => ({ fromUs: BASE_US + from, toUs: BASE_US + from + length }));

/** Spans with events whose attributes are numbers and texts. */
const spansWithEvents: fc.Arbitrary<GivenSpan[]> = fc
  .tuple(spans, fc.infiniteStream(fc.nat(5)))
  .map(([given, stream]) =>
    given.map((span) => {
      const count = Math.max(0, Number(stream.next().value) - 2);
      const events = Array.from({ length: count }, (_, i) => ({
        name: i === 0 ? 'retry' : 'log',
        time: span.start,
        attributes: i < 2 ? FIRST_ATTEMPTS[i] : NO_ATTRIBUTES,
      }));
      return { ...span, events };
    }),
  );

async function run(queries: TelemetryQueries, { definition, condition }: RandomQuery, given: QueryRange) {
  const where = condition === undefined ? '' : renderCondition(condition);
  const compiled = compileQuery({ ...definition, where });
  if ('errors' in compiled) throw new Error(`${where}: ${JSON.stringify(compiled.errors)}`);
  const query = { ...compiled.plan, gridId: GRID, range: given, nowUs: given.toUs };
  return (await queries.runQuery(query, 'q')) as TableAnswer;
}

function expectAnswer(
  answer: TableAnswer,
  records: readonly NaiveRecord[],
  query: RandomQuery,
  given: QueryRange,
): void {
  const { groupBy = [], select = [] } = query.definition;
  const matching = records.filter(
    ({ timeUs, lookUp }) =>
      timeUs >= given.fromUs &&
      timeUs < given.toUs &&
      (query.condition === undefined || meets(query.condition, lookUp)),
  );
  const groups = groupRecords(matching, groupBy);
  assert.equal(answer.totalRows, groups.length);
  const seconds = (given.toUs - given.fromUs) / 1e6;
  const byKey = new Map(answer.rows.map((row) => [JSON.stringify(row.slice(0, groupBy.length)), row]));
  for (const { key, records: members } of groups) {
    const row = byKey.get(JSON.stringify(key));
    assert.ok(row, `no group ${JSON.stringify(key)}`);
    select.forEach((selected, at) =>
      expectClose(row[groupBy.length + at], aggregate(selected, members, seconds), selected.fn),
    );
  }
}

function expectClose(actual: Cell, expected: number | null, fn: string): void {
  if (expected === null || actual === null || typeof actual !== 'number') return assert.equal(actual, expected);
  const tolerance = /^p\d/.test(fn) ? 0.01 : 1e-12;
  assert.ok(
    Math.abs(actual - expected) <= Math.abs(expected) * tolerance,
    `${fn}: ${String(actual)} instead of ${String(expected)}`,
  );
}

describe('queries', () => {
  it('answer about spans what a scan of the spans themselves gives, whatever the blocks are', async () => {
    await fc.assert(
      fc.asyncProperty(
        spansWithEvents,
        cuts,
        fc.array(fc.tuple(spanQuery, range), { minLength: 4, maxLength: 8 }),
        async (given, at, asked) => {
          const world = await TelemetryWorld.empty();
          for (const part of cut(given, at)) await world.addSpans(part);
          const queries = world.queries();
          const records = given.map((span) => ({
            lookUp: lookUpSpan(span),
            timeUs: Number(span.start / 1000n),
            isError: span.status === 2,
          }));
          for (const [query, when] of asked) expectAnswer(await run(queries, query, when), records, query, when);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('answer about logs what a scan of the records themselves gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        logs,
        cuts,
        fc.array(fc.tuple(logQuery, range), { minLength: 4, maxLength: 8 }),
        async (given, at, asked) => {
          const world = await TelemetryWorld.empty();
          for (const part of cut(given, at)) await world.addLogs(part);
          const queries = world.queries();
          const records = given.map((log) => ({
            lookUp: lookUpLog(log),
            timeUs: Number(log.time / 1000n),
            isError: (log.severity ?? 9) >= 17,
          }));
          for (const [query, when] of asked) expectAnswer(await run(queries, query, when), records, query, when);
        },
      ),
      { numRuns: 30 },
    );
  });
});

import assert from 'node:assert/strict';
import { GroupTable } from '../../../../src/queries/query/aggregation/group-table.js';
import { QueryMemory } from '../../../../src/queries/scheduling/query-memory.js';
import type { FieldColumn } from '../../../../src/queries/query/columns/field-column.js';
import { compileQuery, type QueryDefinition } from '../../../../src/queries/query/query-compiler.js';
import type { SeriesAnswer, TableAnswer } from '../../../../src/queries/query/query-model.js';
import type { GivenSpan, Values } from '../telemetry/support/requests.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';

const BASE_S = 1_760_000_000;

function span(index: number, startNs: bigint, attributes: Values = {}): GivenSpan {
  const id = (index + 1).toString(16);
  const ids = { traceId: id.padStart(32, '0'), spanId: id.padStart(16, '0') };
  return { ...ids, service: 'shop', operation: 'work', start: startNs, end: startNs + 1n, attributes };
}

async function ask(spans: readonly GivenSpan[], definition: QueryDefinition, seconds = 10) {
  const world = await TelemetryWorld.empty();
  await world.addSpans(spans);
  const compiled = compileQuery(definition);
  if ('errors' in compiled) throw new Error(JSON.stringify(compiled.errors));
  const range = { fromUs: BASE_S * 1e6, toUs: (BASE_S + seconds) * 1e6 };
  return world.queries().runQuery({ ...compiled.plan, gridId: GRID, range, nowUs: range.toUs }, 'q');
}

async function count(spans: readonly GivenSpan[], where: string): Promise<unknown> {
  const answer = await ask(spans, { signal: 'spans', where, select: [{ fn: 'count' }] });
  return (answer as TableAnswer).rows[0][0];
}

describe('answers of queries', () => {
  it('count damaged records each time, whichever of several fields was read first', async () => {
    const at = BigInt(BASE_S) * 1_000_000_000n;
    const world = await TelemetryWorld.empty();
    for (const index of [0, 1, 2]) await world.addSpans([span(index, at, { tier: 'gold', region: 'eu' })]);
    world.damaged.add(1);
    const queries = world.queries();
    const range = { fromUs: BASE_S * 1e6, toUs: (BASE_S + 10) * 1e6 };
    const damaged: unknown[] = [];
    for (const groupBy of [['tier', 'region'], ['region'], ['tier']]) {
      const compiled = compileQuery({ signal: 'spans', groupBy, select: [{ fn: 'count' }] });
      if ('errors' in compiled) throw new Error(JSON.stringify(compiled.errors));
      const query = { ...compiled.plan, gridId: GRID, range, nowUs: range.toUs };
      damaged.push((await queries.runQuery(query, groupBy.join())).damagedRecords);
    }
    assert.deepEqual(damaged, [1, 1, 1]);
  });

  it('count a span that starts a nanosecond before a step in the step before', async () => {
    const at = (seconds: number): bigint => BigInt(BASE_S + seconds) * 1_000_000_000n;
    const spans = [
      span(0, at(5) - 1n, { tier: 'gold' }),
      span(1, at(10) - 1n, { tier: 'gold' }),
      span(2, at(5), { tier: 'iron' }),
    ];
    const answer = await ask(spans, {
      signal: 'spans',
      groupBy: ['tier'],
      select: [{ fn: 'count' }],
      stepSeconds: 5,
    });
    assert.deepEqual(
      (answer as SeriesAnswer).series.map(({ group, points }) => [group[0], ...points.map(([, value]) => value)]),
      [
        ['gold', 1, 1],
        ['iron', 0, 1],
      ],
    );
  });

  it('compare integers of 64 bits exactly', async () => {
    const start = BigInt(BASE_S) * 1_000_000_000n;
    const values = [
      9_007_199_254_740_991n,
      9_007_199_254_740_992n,
      9_007_199_254_740_993n,
      -9_223_372_036_854_775_808n,
    ];
    // Integers that no double holds are kept as texts.
    const spans = values.map((order, i) => span(i, start, { order: String(order) }));
    assert.equal(await count(spans, 'order > 9007199254740992'), 1);
    assert.equal(await count(spans, 'order >= 9007199254740993'), 1);
    assert.equal(await count(spans, 'order < 9007199254740993'), 3);
    assert.equal(await count(spans, 'order <= -9223372036854775808'), 1);
    assert.equal(await count(spans, 'order = 9007199254740993'), 1);
  });

  it('order texts by code unit where the value is in quotes, and numbers where it is not', async () => {
    const start = BigInt(BASE_S) * 1_000_000_000n;
    const spans = ['9', '10', '2.4.0'].map((version, i) => span(i, start, { version }));
    assert.equal(await count(spans, 'version >= 9'), 2);
    assert.equal(await count(spans, 'version >= "9"'), 1);
    assert.equal(await count(spans, 'version < "9"'), 2);
  });

  it('have no number for a sum that is beyond the largest one', async () => {
    const start = BigInt(BASE_S) * 1_000_000_000n;
    const spans = ['1e308', '1.5e308'].map((huge, i) => span(i, start, { huge }));
    const select = (['sum', 'avg', 'max'] as const).map((fn) => ({ fn, field: 'huge' }));
    assert.deepEqual(((await ask(spans, { signal: 'spans', select })) as TableAnswer).rows, [[null, null, 1.5e308]]);
  });

  it('are refused before the combinations of values of one record take the memory', () => {
    const multi = (values: number): FieldColumn => ({
      kind: 'multi',
      ends: Uint32Array.of(values),
      codes: Uint32Array.from({ length: values }, (_, i) => i + 1),
      values: [undefined, ...Array.from({ length: values }, (_, i) => `v${i}`)],
    });
    const assign = (fields: number, values: number): number => {
      const groups = new GroupTable(fields, (cells) => cells, new QueryMemory(), 100);
      const columns = Array.from({ length: fields }, () => multi(values));
      return groups.assign(columns, Uint16Array.of(0)).rows.length;
    };
    assert.equal(assign(2, 100), 101);
    assert.throws(() => assign(2, 10_000), /more than 96 MiB/);
    assert.throws(() => assign(4, 100), /more than 96 MiB/);
    const memory = new QueryMemory(2 * 1024 * 1024);
    const groups = new GroupTable(2, (cells) => cells, memory, 100);
    for (let batch = 0; batch < 100; batch++) groups.assign([multi(100), multi(100)], Uint16Array.of(0));
  });

  it('count a record once in the group of all further ones, however many of its values are in it', () => {
    const groups = new GroupTable(1, (values) => values, new QueryMemory(), 1);
    const column = {
      kind: 'multi',
      ends: Uint32Array.of(1, 4, 4),
      codes: Uint32Array.of(1, 1, 2, 3),
      values: [undefined, 'a', 'b', 'c'],
    } as const;
    const { rows, groups: of } = groups.assign([column], Uint16Array.of(0, 1, 2));
    assert.deepEqual(
      [...rows].map((row, i) => [row, groups.keys[of[i]][0]]),
      [
        [0, 'a'],
        [1, 'a'],
        [1, '__other__'],
        [2, '__other__'],
      ],
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { measureSelfTimeNs } from '../../../../src/queries/traces/self-time.js';
import type { PathFigures, TraceComparison } from '../../../../src/queries/traces/trace-comparison-types.js';
import { createTelemetryQueries } from '../../../../src/queries/telemetry/telemetry-queries.js';
import { compareErrors, type ReportedErrors } from '../../../../src/queries/traces/trace-error-comparison.js';
import { QueryTurns, TimeSlice } from '../../../../src/queries/scheduling/cooperative-scheduler.js';
import type { GivenLog, GivenSpan } from '../telemetry/support/requests.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';

const T0 = 1_760_000_000_000_000_000n;
const NS_PER_MS = 1_000_000n;
const CURRENT = 'c'.repeat(32);
const BASELINE = 'b'.repeat(32);

interface Given {
  /** The last hex digits of its id; the parent's. */
  readonly id: number;
  readonly parent?: number;
  readonly name: string;
  /** ms since the start of the trace. */
  readonly from: number;
  readonly to: number;
  readonly isFailed?: boolean;
  /** Types of exceptions, one for each event. */
  readonly error?: string | readonly string[];
}

const toId = (id: number): string => id.toString(16).padStart(16, '0');

/** The name is that of the service and the operation, such as `shop pay`. */
function toSpans(traceId: string, given: readonly Given[]): GivenSpan[] {
  return given.map(({ id, parent, name, from, to, isFailed = false, error }) => {
    const [service, operation] = name.split(' ');
    const end = T0 + BigInt(to) * NS_PER_MS;
    return {
      ...{ traceId, spanId: toId(id), service, operation, start: T0 + BigInt(from) * NS_PER_MS, end },
      ...(parent !== undefined && { parentId: toId(parent) }),
      status: isFailed ? 2 : 0,
      events: [error ?? []].flat().map((type) => ({
        ...{ name: 'exception', time: end, attributes: { 'exception.type': type } },
      })),
    };
  });
}

async function compare(current: readonly Given[], baseline: readonly Given[]): Promise<TraceComparison | undefined> {
  const world = await TelemetryWorld.empty();
  await world.addSpans([...toSpans(CURRENT, current), ...toSpans(BASELINE, baseline)]);
  return createTelemetryQueries(world.store, world.bodies).compareTraces(GRID, CURRENT, BASELINE);
}

/** Count, errors, and times in ms. */
function toText({ count, errorCount, durationNs, selfTimeNs }: PathFigures): string {
  return `${count} ${errorCount} ${durationNs / 1e6} ${selfTimeNs / 1e6}`;
}

const listPaths = (found: TraceComparison | undefined): string[] =>
  found!.paths.map(
    ({ depth, serviceName, operationName, current, baseline }) =>
      `${'. '.repeat(depth)}${serviceName} ${operationName}: ${toText(current)} | ${toText(baseline)}`,
  );

describe('a comparison of two traces', () => {
  it('puts spans with the same path together, and shows what one trace alone has', async () => {
    const found = await compare(
      [
        { id: 1, name: 'shop order', from: 0, to: 100, isFailed: true },
        { id: 2, parent: 1, name: 'cart read', from: 10, to: 30 },
        { id: 3, parent: 1, name: 'pay charge', from: 40, to: 90, isFailed: true },
        { id: 4, parent: 3, name: 'db select', from: 45, to: 50 },
        { id: 5, parent: 3, name: 'db select', from: 50, to: 80 },
      ],
      [
        { id: 1, name: 'shop order', from: 0, to: 60 },
        { id: 2, parent: 1, name: 'cart read', from: 10, to: 20 },
        { id: 3, parent: 1, name: 'pay charge', from: 40, to: 50 },
        { id: 4, parent: 3, name: 'db select', from: 42, to: 44 },
        { id: 5, parent: 2, name: 'db select', from: 11, to: 12 },
      ],
    );
    assert.deepEqual(listPaths(found), [
      'shop order: 1 1 100 30 | 1 0 60 40',
      '. cart read: 1 0 20 20 | 1 0 10 9',
      '. . db select: 0 0 0 0 | 1 0 1 1',
      '. pay charge: 1 1 50 15 | 1 0 10 8',
      '. . db select: 2 0 35 35 | 1 0 2 2',
    ]);
    const { current, baseline } = found!;
    assert.deepEqual(
      [current, baseline].map(({ traceId, serviceName, operationName, durationNs, spanCount, errorCount }) => [
        ...[traceId, `${serviceName} ${operationName}`, durationNs / 1e6, spanCount, errorCount],
      ]),
      [
        [CURRENT, 'shop order', 100, 5, 2],
        [BASELINE, 'shop order', 60, 5, 0],
      ],
    );
  });

  it('names the exceptions that one trace alone has first, by group and service', async () => {
    const root = { id: 1, name: 'shop order', from: 0, to: 100 };
    const fail = (id: number, name: string, error: string): Given => ({ id, parent: 1, name, from: 1, to: 2, error });
    const found = await compare(
      [root, fail(2, 'pay charge', 'Both'), fail(3, 'pay charge', 'Mine'), fail(4, 'pay charge', 'Mine')],
      [root, fail(2, 'pay charge', 'Both'), fail(3, 'cart read', 'Mine')],
    );
    assert.deepEqual(
      found!.errors.map(({ serviceName, exceptionType, currentCount, baselineCount }) => [
        ...[serviceName, exceptionType, currentCount, baselineCount],
      ]),
      [
        ['pay', 'Mine', 2, 0],
        ['cart', 'Mine', 0, 1],
        ['pay', 'Both', 1, 1],
      ],
    );
    assert.equal(new Set(found!.errors.map(({ groupId }) => groupId)).size, 2);
  });

  it('counts exceptions as error groups do: what a span reports again counts once, log records each', async () => {
    const world = await TelemetryWorld.empty();
    const given: Given[] = [
      { id: 1, name: 'shop order', from: 0, to: 100, error: ['Again', 'Again', 'Other'] },
      { id: 2, name: 'shop order', from: 0, to: 90, error: 'Again' },
    ];
    await world.addSpans([...toSpans(CURRENT, given), ...toSpans(BASELINE, given.slice(1))]);
    const log = (spanId: number, type: string): GivenLog => ({
      ...{ time: T0, body: 'failed', service: 'shop', severity: 17 },
      ...{ traceId: CURRENT, spanId: toId(spanId), attributes: { 'exception.type': type } },
    });
    await world.addLogs([log(1, 'Again'), log(1, 'Logged'), log(1, 'Logged')]);
    const { errors } = (await createTelemetryQueries(world.store, world.bodies).compareTraces(
      ...([GRID, CURRENT, BASELINE] as const),
    ))!;
    assert.deepEqual(
      errors.map(({ exceptionType, currentCount, baselineCount }) => [exceptionType, currentCount, baselineCount]),
      [
        ['Logged', 2, 0],
        ['Other', 1, 0],
        ['Again', 2, 1],
      ],
    );
    const range = { fromUs: Number(T0 / 1_000n) - 1e6, toUs: Number(T0 / 1_000n) + 1e6 };
    const query = { gridId: GRID, range, orderBy: 'count', page: 1, pageSize: 10 } as const;
    const { groups } = await world.queries().findErrorGroups(query, 'list');
    for (const { exceptionType, currentCount, baselineCount } of errors)
      assert.equal(groups.find(({ type }) => type === exceptionType)?.count, currentCount + baselineCount);
  });

  it('ends when its time is over, also among the exceptions of one span', async () => {
    let ms = 0;
    const createSlice = (): TimeSlice =>
      new TimeSlice(new QueryTurns(), { ownerId: 'o', gridId: GRID }, () => (ms += 1), ms + 500);
    const list = (count: number): ReportedErrors => ({
      fromSpans: Array.from({ length: count }, (_, at) => ({
        ...{ time: T0, spanId: toId(1), serviceName: 'shop', exceptionType: `Type${at}`, message: '', stackTrace: '' },
        attributes: {},
      })),
      fromLogs: [],
    });
    assert.equal((await compareErrors(list(20), list(10), createSlice())).length, 20);
    await assert.rejects(compareErrors(list(0), list(2_000), createSlice()), { code: 'unavailable' });
  });

  it('takes every span, also without parent or in a cycle', async () => {
    const found = await compare(
      [
        { id: 2, parent: 9, name: 'shop orphan', from: 5, to: 10 },
        { id: 3, parent: 4, name: 'shop a', from: 6, to: 9 },
        { id: 4, parent: 3, name: 'shop b', from: 7, to: 8 },
        { id: 5, parent: 5, name: 'shop self', from: 9, to: 10 },
      ],
      [{ id: 1, name: 'shop orphan', from: 0, to: 1 }],
    );
    assert.equal(
      found!.paths.reduce((sum, { current }) => sum + current.count, 0),
      4,
    );
    assert.equal(found!.current.operationName, 'orphan');
  });

  it('needs spans of both traces', async () => {
    const root = { id: 1, name: 'shop order', from: 0, to: 100 };
    assert.equal(await compare([root], []), undefined);
    assert.equal(await compare([], [root]), undefined);
  });

  it('of a trace with itself has no difference', async () => {
    const spans = [
      { id: 1, name: 'shop order', from: 0, to: 100 },
      { id: 2, parent: 1, name: 'pay charge', from: 10, to: 120, error: 'Late' },
    ];
    const found = await compare(spans, spans);
    for (const { current, baseline } of found!.paths) assert.deepEqual(current, baseline);
    for (const { currentCount, baselineCount } of found!.errors) assert.equal(currentCount, baselineCount);
  });

  it('is deep where a trace is', async () => {
    const chain = Array.from({ length: 5_000 }, (_, at) => ({
      ...{ id: at + 1, name: 'shop again', from: 0, to: 10_000 - at },
      ...(at > 0 && { parent: at }),
    }));
    const found = await compare(chain, [chain[0]]);
    assert.deepEqual([found!.paths.length, found!.paths.at(-1)?.depth], [5_000, 4_999]);
  });
});

describe('the self time of a span', () => {
  const interval = fc.tuple(fc.integer({ min: -5, max: 25 }), fc.nat(12));

  it('is the time in which none of its children runs', () =>
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 8 }), (given) => {
        const children = given
          .map(([start, length]) => ({ start: BigInt(start), end: BigInt(start + length) }))
          .sort((a, b) => Number(a.start - b.start));
        const idle = Array.from({ length: 20 }, (_, at) => BigInt(at)).filter(
          (at) => !children.some(({ start, end }) => start <= at && at < end),
        );
        assert.equal(measureSelfTimeNs({ start: 0n, end: 20n }, children), idle.length);
      }),
    ));

  it('is nothing where a span ends before it starts', () =>
    assert.equal(measureSelfTimeNs({ start: 5n, end: 2n }, [{ start: 1n, end: 9n }]), 0));
});

import assert from 'node:assert/strict';
import { compileQuery } from '../../../../src/queries/query/query-compiler.js';
import { QueryTurns } from '../../../../src/queries/scheduling/cooperative-scheduler.js';
import { QueryConcurrencyLimiter } from '../../../../src/queries/scheduling/query-concurrency-limiter.js';
import { createTelemetryQueries } from '../../../../src/queries/telemetry/telemetry-queries.js';
import type { TelemetryQueries } from '../../../../src/queries/telemetry/telemetry-query-types.js';
import { queryRule } from '../alerting/given-rules.js';
import type { GivenLog, GivenSpan } from '../telemetry/support/requests.js';
import { GRID, TelemetryWorld } from '../telemetry/support/telemetry-world.js';

const AT = 1_760_000_000_000_000_000n;
const TRACE = 'ab'.repeat(16);
const SPAN = 'cd'.repeat(8);
const PARTS = 40;
const PAGE = { gridId: GRID, range: { fromUs: 0, toUs: Number.MAX_SAFE_INTEGER }, page: 1, pageSize: 20 };

const hex = (n: number): string => (n + 1).toString(16).padStart(16, '0');

function span(n: number): GivenSpan {
  const exception = { name: 'exception', time: AT, attributes: { 'exception.type': 'Lost' } };
  const start = AT + BigInt(n) * 1000n;
  return {
    traceId: TRACE,
    spanId: hex(n),
    parentId: hex(n - 1),
    service: 'shop',
    operation: 'work',
    start,
    end: start,
    attributes: { n: String(n) },
    events: [exception],
  };
}

function log(n: number): GivenLog {
  return { time: AT + BigInt(n) * 1000n, body: `order ${n} was placed`, service: 'shop', traceId: TRACE, spanId: SPAN };
}

/** A trace with one span or log record in each of many blocks. */
async function spreadWorld(): Promise<TelemetryWorld> {
  const world = await TelemetryWorld.empty();
  for (let n = 0; n < PARTS; n++) {
    await world.addSpans([span(n)]);
    await world.addLogs([log(n)]);
  }
  return world;
}

const QUESTIONS: Record<string, (queries: TelemetryQueries) => Promise<unknown>> = {
  'a search by range': (queries) => queries.findTraces(PAGE),
  'a search by service': (queries) => queries.findTraces({ ...PAGE, serviceName: 'shop' }),
  'a search of logs': (queries) => queries.findLogs(PAGE),
  'a search of logs by a phrase': (queries) => queries.findLogs({ ...PAGE, body: '"was placed"' }),
  'the spans of a trace': (queries) => queries.traceSpans(GRID, TRACE),
  'the logs of a trace': (queries) => queries.traceLogs(GRID, TRACE),
  'the errors of a trace': (queries) => queries.traceErrors(GRID, TRACE),
  'a span': (queries) => queries.spanDetail(GRID, hex(0)),
  'a log record': (queries) => queries.logDetail(GRID, SPAN),
};

describe('sharing the thread', () => {
  for (const [name, ask] of Object.entries(QUESTIONS)) {
    it(`lets others be answered meanwhile: ${name}`, async () => {
      let now = 0;
      const queries = (await spreadWorld()).queries({ clock: () => (now += 10) });
      let rounds = 0;
      let answered = false;
      const count = (): void => {
        rounds++;
        if (!answered) setImmediate(count);
      };
      setImmediate(count);
      await ask(queries);
      answered = true;
      assert.ok(rounds >= PARTS, `${rounds} rounds of the event loop`);
    });

    it(`is abandoned when it becomes too old: ${name}`, async () => {
      let now = 0;
      const queries = (await spreadWorld()).queries({ clock: () => now++, timeoutMs: PARTS - 1, maxConcurrent: 1 });
      await assert.rejects(ask(queries), { code: 'unavailable' });
      assert.deepEqual((await queries.traceFilterOptions(GRID)).statusValues, ['OK', 'ERROR'], 'its place is free');
    });
  }

  it('turns down what is one too many', async () => {
    const queries = (await spreadWorld()).queries({ maxConcurrent: 1, maxWaiting: 0 });
    const first = queries.findTraces(PAGE);
    await assert.rejects(queries.findLogs(PAGE), { code: 'overloaded' });
    assert.equal((await first).totalCount, 1);
    assert.equal((await queries.findLogs(PAGE)).totalCount, PARTS);
  });

  it('gets through though every block is replaced whenever it gives way', async () => {
    const world = await spreadWorld();
    let now = 0;
    const queries = world.queries({ clock: () => (now += 2) });
    let rounds = 0;
    let answered = false;
    const move = async (): Promise<void> => {
      if (answered) return;
      rounds++;
      await world.commit([...world.spanShelf.blocks.keys()].flatMap((seq) => world.spanShelf.merge([seq])));
      setImmediate(() => void move());
    };
    setImmediate(() => void move());
    const { totalCount } = await queries.findTraces({ ...PAGE, serviceName: 'shop' });
    answered = true;
    assert.equal(totalCount, 1);
    assert.ok(rounds > 1, `${rounds} rounds`);
  });
});

describe('QueryConcurrencyLimiter', () => {
  it('charges a query that fails for the time that it ran, and not for its waits', async () => {
    let now = 0;
    const clock = (): number => now;
    const turns = new QueryTurns(() => Promise.resolve('owner'));
    const limiter = new QueryConcurrencyLimiter({ maxConcurrent: 1, clock, turns });
    const order: string[] = [];
    const use = (gridId: string, ms: number): Promise<void> =>
      limiter.run(gridId, async () => {
        order.push(gridId);
        now += ms;
      });
    const failed = limiter.run('failing', () => {
      // Time that the clock of the queries does not count, as that of a wait between slices.
      for (const startedAt = performance.now(); performance.now() - startedAt < 30;);
      now += 1;
      return Promise.reject(new Error('the block is damaged'));
    });
    await assert.rejects(failed, /the block is damaged/);
    await use('working', 10);
    await Promise.all([use('other', 0), use('working', 1), use('failing', 1)]);
    assert.deepEqual(order, ['working', 'other', 'failing', 'working']);
  });
});

describe('alert rules beside queries', () => {
  /** Asks for an attribute that is read from bodies, which wait until `release`. */
  async function createWaitingWorld() {
    const world = await TelemetryWorld.empty();
    await world.addLogs([{ ...log(0), attributes: { tier: 'gold' } }]);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const bodies: TelemetryWorld['bodies'] = {
      ...world.bodies,
      body: async (...wanted) => (await released, world.bodies.body(...wanted)),
    };
    return { queries: createTelemetryQueries(world.store, bodies), release };
  }
  const waiting = { groupBy: ['tier'], where: 'placed' };
  const momentMs = (Math.floor(Number(AT / 60_000_000_000n)) + 1) * 60_000;
  const plan = (where: string) => {
    const compiled = compileQuery({ signal: 'logs', where, select: [{ fn: 'count' }] });
    if ('errors' in compiled) throw new Error('refused');
    return { ...compiled.plan, gridId: GRID, range: PAGE.range, nowUs: PAGE.range.toUs };
  };

  it('answers queries while rules wait for what is stored', async () => {
    const { queries, release } = await createWaitingWorld();
    const evaluations = [1, 2, 3].map(() => queries.evaluateRecordRule(GRID, queryRule(waiting), momentMs));
    await queries.runQuery(plan('severity = Error'), 'a');
    release();
    await Promise.all(evaluations);
  });

  it('evaluates rules while queries wait for what is stored', async () => {
    const { queries, release } = await createWaitingWorld();
    const answers = ['a', 'b', 'c'].map((id) => queries.runQuery(plan('tier = gold'), id));
    await queries.evaluateRecordRule(GRID, queryRule({ where: 'severity = Error' }), momentMs);
    release();
    await Promise.all(answers);
  });
});

describe('queries beside a large one that has the memory', () => {
  const MIB = 2 ** 20;
  const GROUPS = 600;
  const momentMs = (Math.floor(Number(AT / 60_000_000_000n)) + 1) * 60_000;
  const groupBy = ['key'];

  /** Given: a query with two requests of groups, of which the second is not read until `release`. */
  async function begin() {
    const world = await TelemetryWorld.empty();
    for (const part of [0, 1])
      await world.addLogs(
        Array.from({ length: GROUPS }, (_, n) => ({
          ...log(n),
          attributes: { key: `${part} ${n} ${'k'.repeat(500)}` },
        })),
      );
    let release = (): void => undefined;
    let hold = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const held = new Promise<void>((resolve) => (hold = resolve));
    let reads = 0;
    const bodies: TelemetryWorld['bodies'] = {
      ...world.bodies,
      body: async (...wanted) => {
        if (++reads === 2) {
          hold();
          await released;
        }
        return world.bodies.body(...wanted);
      },
    };
    // One large query at a time.
    const queries = createTelemetryQueries(world.store, bodies, { groupBytes: 64 * MIB });
    const compiled = compileQuery({ signal: 'logs', groupBy, select: [{ fn: 'count' }] });
    if ('errors' in compiled) throw new Error('refused');
    const plan = { ...compiled.plan, gridId: GRID, range: PAGE.range, nowUs: PAGE.range.toUs };
    const first = queries.runQuery(plan, 'first');
    await held;
    return { queries, plan, first, release };
  }

  it('wait for memory without a slot, and no longer than somebody waits for them', async () => {
    const { queries, plan, first, release } = await begin();
    const closed = queries.runQuery(plan, 'closed');
    // A Grid has two slots: this one is answered in that of the query that waits.
    await queries.runQuery({ ...plan, groupBy: [] }, 'small');
    await queries.cancelQuery('closed');
    await assert.rejects(closed, { code: 'unavailable', message: /was cancelled/ });
    release();
    await first;
  });

  it('evaluate rules that need more than a small query', async () => {
    const { queries, first, release } = await begin();
    const rule = queryRule({ groupBy, where: 'placed' });
    assert.deepEqual(await queries.evaluateRecordRule(GRID, rule, momentMs), []);
    release();
    await first;
  });
});

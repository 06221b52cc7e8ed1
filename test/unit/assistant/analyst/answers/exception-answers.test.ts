import assert from 'node:assert/strict';
import { createAnalyst } from '../../../../../src/assistant/analyst/analyst.js';
import type { Prompt } from '../../../../../src/assistant/answerer.js';
import type { TimeSelection } from '../../../../../src/diagnostics/time-windows.js';
import type { TraceQuery, FoundTrace } from '../../../../../src/queries/telemetry/telemetry-query-types.js';
import { at, NOW, SHOP } from '../../shop.js';
import { shopQueries } from '../../shop-queries.js';

const [TYPE, OTHER] = ['CardDeclinedException', 'GatewayTimeoutException'];

interface Thrown {
  readonly type: string;
  readonly ms: number;
}

const thrown = (type: string, hour: number, minute: number): Thrown => ({ type, ms: at(hour, minute) });

/** Payment throws exceptions at given times; counts and searches depend on the requested window. */
function throwing(all: readonly Thrown[]) {
  const { queries } = shopQueries();
  const payment = SHOP.details.find(({ serviceName }) => serviceName === 'payment');
  assert.ok(payment);
  const during = (fromMs: number, toMs: number): readonly Thrown[] => all.filter(({ ms }) => ms >= fromMs && ms < toMs);
  const serviceDetail = async (
    _grid: string,
    _name: string,
    { range = { fromMs: NOW - 900_000, toMs: NOW } }: TimeSelection,
  ) => {
    const found = during(range.fromMs, range.toMs);
    const count = (type: string): number => found.filter((each) => each.type === type).length;
    return {
      ...payment,
      topErrors: [TYPE, OTHER]
        .filter((type) => count(type) > 0)
        .map((exceptionType) => ({ exceptionType, message: '', count: count(exceptionType), percentage: 50 })),
    };
  };
  const findTraces = async ({ range: { fromUs, toUs } }: TraceQuery) => {
    const items = during(fromUs / 1000, toUs / 1000)
      .map(failedAt)
      .reverse();
    return { items, totalCount: items.length };
  };
  return {
    ...queries,
    diagnostics: { ...queries.diagnostics, serviceDetail },
    telemetry: { ...queries.telemetry, findTraces },
  };
}

function failedAt({ ms }: Thrown, i: number): FoundTrace {
  const time = BigInt(ms) * 1_000_000n;
  return {
    traceId: String(i).padStart(32, '0'),
    spanId: String(i).padStart(16, '0'),
    parentSpanId: null,
    serviceName: 'payment',
    operationName: 'POST /charge',
    spanKind: 'SERVER',
    status: 'ERROR',
    start: time,
    end: time,
    durationMs: 0,
    rootArrived: true,
  };
}

function ask(text: string, all: readonly Thrown[], maxSources = 9, turns: Prompt['turns'] = []) {
  return createAnalyst(throwing(all), { maxSources }).answer(
    { text, gridId: 'g', userId: 'u', mayAdminister: true, turns, nowMs: NOW, maxSources },
    new AbortController().signal,
  );
}

describe('the first and the last exception of a type', () => {
  const NEW_FAULT = [
    thrown(OTHER, 9, 0),
    thrown(OTHER, 10, 30),
    thrown(OTHER, 12, 0),
    thrown(TYPE, 13, 31),
    thrown(TYPE, 13, 45),
    thrown(TYPE, 14, 2),
  ];
  const MIXED = [
    thrown(OTHER, 9, 0),
    thrown(TYPE, 9, 30),
    thrown(OTHER, 10, 0),
    thrown(OTHER, 10, 30),
    thrown(TYPE, 12, 7),
    thrown(OTHER, 13, 45),
  ];

  for (const [text, all, reported] of [
    ['since when do we see CardDeclinedException in payment', NEW_FAULT, /\nThe first of them was at 13:31 UTC/],
    ['last GatewayTimeoutException of payment', NEW_FAULT, /\nThe last of them was at 12:00 UTC/],
    ['when did the CardDeclinedException last occur in payment', NEW_FAULT, /\nThe last of them was at 14:02 UTC/],
    ['first CardDeclinedException of payment', MIXED, /\nThe first of them was at 09:30 UTC/],
    ['last CardDeclinedException of payment', MIXED, /\nThe last of them was at 12:07 UTC/],
    ['first CardDeclinedException of payment since 10:00', MIXED, /\nThe first of them was at 12:07 UTC/],
  ] as const)
    it(`is told for “${text}”`, async () => assert.match((await ask(text, all)).response, reported));

  it('are answered both, by one search', async () => {
    const { response, sources } = await ask(
      'when was CardDeclinedException thrown first and last in payment',
      NEW_FAULT,
    );
    assert.match(response, /\nThe first of them was at 13:31 UTC.*\nThe last of them was at 14:02 UTC/);
    assert.equal(sources.filter(({ type }) => type === 'traces').length, 1);
  });

  it('follow each other', async () => {
    const { response, focus } = await ask('last CardDeclinedException of payment', MIXED);
    const turns = [{ prompt: 'last CardDeclinedException of payment', response, focus, at: NOW }];
    assert.match((await ask('and the first?', MIXED, 9, turns)).response, /\nThe first of them was at 09:30 UTC/);
  });

  it('are narrowed to an interval if one answer may not look up more', async () => {
    const { response, sources } = await ask('first CardDeclinedException of payment', MIXED, 3);
    const [, from, to] =
      /\nThe first of them was between (?:2026-11-19 )?(\d\d:\d\d) UTC and (\d\d:\d\d) UTC: the lookup limit for one answer is reached/.exec(
        response,
      ) ?? [];
    assert.ok(from !== undefined && to !== undefined, response);
    assert.ok(to > '09:30', to);
    assert.equal(sources.length, 3);
  });

  it('are not guessed if one answer may not search more', async () =>
    assert.match(
      (await ask('first CardDeclinedException of payment', MIXED, 1)).response,
      /Lookup limit for one answer reached: I did not find out when the first of them was\.$/,
    ));

  for (const text of [
    'how many CardDeclinedExceptions did payment have since 13:00',
    'CardDeclinedExceptions in payment since 13:00',
  ]) {
    it(`are counted in the plural for “${text}”`, async () =>
      assert.match((await ask(text, NEW_FAULT)).response, /CardDeclinedException: 3 times/));
  }

  it('are not of the service whose name is a part of theirs', async () =>
    assert.match((await ask('PaymentExceptions since 13:00', NEW_FAULT)).response, /^“PaymentException” was not seen/));
});

import assert from 'node:assert/strict';
import type { Prompt } from '../../../../../src/assistant/answerer.js';
import { createAnalyst } from '../../../../../src/assistant/analyst/analyst.js';
import { isOperationAbout } from '../../../../../src/assistant/analyst/entities/business-entity-extractor.js';
import type { TraceQuery } from '../../../../../src/queries/telemetry/telemetry-query-types.js';
import { at, NOW, SHOP, type Shop } from '../../shop.js';
import { shopQueries } from '../../shop-queries.js';

const SEND_PARCEL = {
  rank: 3,
  serviceName: 'shippingService',
  operation: 'SendParcel',
  avgLatencyMs: 80,
  p95LatencyMs: 90,
  p99LatencyMs: 99,
  requestCount: 240,
  errorRate: 7.5,
};
const PARCELS: Partial<Shop> = {
  slowest: [...SHOP.slowest, SEND_PARCEL],
  details: SHOP.details.map((each) =>
    each.serviceName === SEND_PARCEL.serviceName
      ? { ...each, endpoints: [...each.endpoints, { ...SEND_PARCEL, p50LatencyMs: 70 }] }
      : each,
  ),
};

async function ask(
  text: string,
  changed: Partial<Shop> = PARCELS,
  { turns = [], maxSources = 9 }: Partial<Pick<Prompt, 'turns' | 'maxSources'>> = {},
) {
  const { queries, calls: asked } = shopQueries(changed);
  const answer = await createAnalyst(queries, { maxSources }).answer(
    { text, gridId: 'g', userId: 'u', mayAdminister: true, turns, nowMs: NOW, maxSources },
    new AbortController().signal,
  );
  return {
    ...answer,
    asked,
    searches: asked.filter(({ name }) => name === 'findTraces').map((each) => each.with[0] as TraceQuery),
  };
}

async function askAfter(before: string, text: string) {
  const { response, focus } = await ask(before);
  return ask(text, PARCELS, { turns: [{ prompt: before, response, focus, at: NOW }] });
}

describe('how many requests of one kind', () => {
  const ANSWERS: Readonly<Record<string, RegExp>> = {
    'how many parcels failed in the last hour':
      /^18 of 240 requests to SendParcel of shippingService failed \(error rate 7\.5 %\) in the last hour\.$/,
    'how many failed parcels since 14:00':
      /^18 of 240 requests to SendParcel of shippingService failed .* since 14:00 UTC\.$/,
    'number of parcels that went through today': /^222 of 240 requests to SendParcel of shippingService went through/,
    'how many payments failed in the last hour':
      /^71 of 980 requests to payment failed \(error rate 7\.25 %\) in the last hour\.$/,
    'how many orders failed today': /^Which one do you mean by “orders”: orders-api or orders-worker\?$/,
    'how many refunds failed today': /^No service and no operation matches “refund”\.$/,
    'are parcels failing': /^18 of 240 requests to SendParcel of shippingService failed/,
    'how many parcels went through without errors':
      /^222 of 240 requests to SendParcel of shippingService went through/,
    'how many payments went through': /^909 of 980 requests to payment went through/,
    'how many parcels never went through': /^18 of 240 requests to SendParcel of shippingService failed/,
    "how many parcels couldn't go through": /^18 of 240 requests to SendParcel of shippingService failed/,
    'how many parcels can’t go through': /^18 of 240 requests to SendParcel of shippingService failed/,
    'how many parcels were not yet sent successfully': /^18 of 240 requests to SendParcel of shippingService failed/,
    'how many parcels did not fail today': /^222 of 240 requests to SendParcel of shippingService went through/,
    'how many parcels have not had any errors': /^222 of 240 requests to SendParcel of shippingService went through/,
    'how many parcels did not go through because of errors':
      /^18 of 240 requests to SendParcel of shippingService failed/,
    'how many payments that were never retried succeeded': /^I can’t apply “retried” to this question/,
    'how many payments that were not retried failed': /^I can’t apply “retried” to this question/,
    'how many payments not from retries went through': /^I can’t apply “retries” to this question/,
    'how many parcels could not be sent': /^18 of 240 requests to SendParcel of shippingService failed/,
  };
  for (const [text, reported] of Object.entries(ANSWERS))
    it(`are told for “${text}”`, async () => assert.match((await ask(text)).response, reported));

  it('are reported as a share where the rate does not contain their number', async () => {
    const { response } = await ask('how many parcels failed today', {
      ...PARCELS,
      slowest: [{ ...SEND_PARCEL, requestCount: 10_001 }],
    });
    assert.match(response, /^7\.5 % of 10001 requests to SendParcel of shippingService failed/);
  });

  it('are said to be of the slowest endpoints where there may be others', async () => {
    const { response } = await ask('how many parcels failed today', {
      ...PARCELS,
      slowest: Array.from({ length: 20 }, (_, i) => ({
        ...SEND_PARCEL,
        rank: i + 1,
        operation: i === 0 ? 'SendParcel' : `Other${i}`,
      })),
    });
    assert.match(response, /\nI looked among the 20 slowest endpoints/);
  });
});

describe('a question that goes on', () => {
  it('is about the same outcome', async () => {
    assert.match(
      (await askAfter('how many parcels went through today', 'and yesterday?')).response,
      /^222 of 240 requests to SendParcel of shippingService went through .* between 2026-11-19 00:00/,
    );
    assert.match(
      (await askAfter('how many parcels failed today', 'and yesterday?')).response,
      /^18 of 240 requests to SendParcel of shippingService failed .* between 2026-11-19 00:00/,
    );
  });
});

describe('outcomes beside those of another window', () => {
  for (const text of [
    'how many parcels failed compared to yesterday',
    'how many parcels failed in the 10 minutes before and after 14:00',
  ]) {
    it(`are told of both for “${text}”`, async () => {
      const lines = (await ask(text)).response.split('\n');
      assert.equal(lines.length, 2, lines.join('\n'));
      for (const line of lines) assert.match(line, /^18 of 240 requests to SendParcel of shippingService failed/);
      assert.notEqual(lines[0], lines[1]);
    });
  }
  it('are of what was spoken of before', async () => {
    assert.match(
      (await askAfter('how many parcels failed today', 'compared to yesterday?')).response,
      /^18 of 240 requests to SendParcel .*\n18 of 240 requests to SendParcel/,
    );
    const { searches } = await askAfter('how many parcels failed today', 'and how many went through?');
    assert.deepEqual(
      searches.map(({ operationName, status }) => [operationName, status]),
      [['SendParcel', 'OK']],
    );
  });
  it('are one sentence where nobody knows the thing', async () =>
    assert.equal(
      (await ask('how many refunds failed compared to yesterday')).response,
      'No service and no operation matches “refund”.',
    ));
});

describe('traces by their outcome', () => {
  const STATUS: Readonly<Record<string, 'OK' | 'ERROR' | undefined>> = {
    'show me traces of payment that succeeded': 'OK',
    'I cannot find successful traces of payment': 'OK',
    'show me traces of payment that did not succeed': 'ERROR',
    "show me traces of payment that weren't successful": 'ERROR',
    'show me traces of payment that didnt succeed': 'ERROR',
    'show me traces of payment that did not fail': 'OK',
    'traces of payment without any failure': 'OK',
    'error-free traces of payment': 'OK',
    'show traces of payment with no errors': 'OK',
    'show me traces of payment that did not go through because of errors': 'ERROR',
    'show me traces of payment that were not only slow but failed': 'ERROR',
    'show me traces of payment': undefined,
  };
  for (const [text, status] of Object.entries(STATUS))
    it(`are ${status ?? 'all'} for “${text}”`, async () =>
      assert.deepEqual(
        (await ask(text, {})).searches.map((search) => search.status),
        [status],
      ));

  it('are not asked for by what could not be reached', async () =>
    assert.deepEqual((await ask('which services could not be reached', {})).searches, []));
});

describe('the slowest traces that went through', () => {
  const span = (character: string, durationMs: number, minute: number) => ({
    ...SHOP.spans[3],
    traceId: character.repeat(32),
    spanId: character.repeat(16),
    durationMs,
    start: BigInt(at(14, minute)) * 1_000_000n,
  });
  const SLOWEST_FIRST = {
    ...PARCELS,
    spans: [
      ...Array.from({ length: 6 }, (_, i) => span(String(i), 10 + i, 36 - i)),
      span('d', 1_999, 29),
      SHOP.spans[0],
    ],
  };

  it('are the slowest of their endpoint', async () => {
    const { response } = await ask('slowest successful traces of payment', SLOWEST_FIRST);
    assert.match(response, /^7 successful traces of payment in [^\n]*, the slowest 5 of them:\n[^\n]*d{32}/);
  });
  it('are the slowest of those looked at where nothing is named', async () => {
    const { response } = await ask('slowest successful traces', SLOWEST_FIRST);
    assert.match(response, /^Of 8 traces [^\n]* 7 went through, the slowest 5 of them:\n[^\n]*d{32}/);
  });
  it('is one where one is asked for', async () => {
    const parcels = SLOWEST_FIRST.spans.map((each) => ({
      ...each,
      serviceName: 'shippingService',
      operationName: 'SendParcel',
    }));
    const { response } = await ask('show me the slowest parcel that went through', { ...PARCELS, spans: parcels });
    assert.match(response, /^7 successful traces of shippingService in [^\n]*, the slowest one:\n[^\n]*d{32}/);
  });
  it('are above what is usual where they are only to be slow', async () => {
    const { searches } = await ask('slow successful traces of payment', {});
    assert.deepEqual(
      searches.map(({ status, minDurationMs }) => [status, minDurationMs]),
      [['OK', Math.floor(0.99 * 1280.24)]],
    );
  });
  it('are not those of everybody where one order is meant', async () =>
    assert.match((await ask('successful traces for order 12345', {})).response, /^I cannot search traces/));
});

describe('more lookups than one answer makes', () => {
  it('for any service is not reported as a lack of requests', async () => {
    for (const text of ['show me successful traces of payment', 'how many parcels of shipping failed']) {
      const { response, sources } = await ask(text, PARCELS, { maxSources: 0 });
      assert.match(response, /^(?:Lookup limit for one answer reached|This question needs more lookups)/, text);
      assert.deepEqual(sources, []);
    }
  });
  it('for all services is mentioned beside what was checked', async () => {
    for (const text of [
      'show me failed parcels of payment and shipping',
      'how many parcels of payment and shipping failed',
      'show me parcels that went through in payment and shipping',
    ]) {
      const { response } = await ask(text, PARCELS, { maxSources: 1 });
      assert.match(
        response,
        /^Lookup limit for one answer reached: I did not check all of payment and shippingService\. In those that I checked, there were no requests to SendParcel/,
        text,
      );
    }
  });
});

describe('traces of one thing', () => {
  it('are those of the endpoint that is about it', async () => {
    const { asked } = await ask('show me failed parcels');
    const [search] = asked
      .filter(({ name }) => name === 'findTraces')
      .map(
        (each) =>
          each.with[0] as { readonly serviceName: string; readonly operationName: string; readonly status: string },
      );
    assert.deepEqual(
      [search.serviceName, search.operationName, search.status],
      ['shippingService', 'SendParcel', 'ERROR'],
    );
  });

  it('that went through are searched at an endpoint of the service, not at the calls that a failed request made', async () => {
    const { response, asked } = await ask('show me payments that went through', {});
    const [search] = asked
      .filter(({ name }) => name === 'findTraces')
      .map(
        (each) =>
          each.with[0] as { readonly serviceName: string; readonly operationName: string; readonly status: string },
      );
    assert.deepEqual([search.serviceName, search.status], ['payment', 'OK']);
    assert.ok(
      SHOP.details
        .find(({ serviceName }) => serviceName === 'payment')!
        .endpoints.some(({ operation }) => operation === search.operationName),
    );
    assert.doesNotMatch(response, /ERROR/);
  });

  it('that went through are those whose roots did where nothing is named', async () => {
    const { response, asked } = await ask('show me successful traces of the last hour', {});
    assert.match(response, /^Of \d+ traces? in the last hour \d+ went through/);
    assert.doesNotMatch(response, /ERROR/);
    assert.ok(
      asked.filter(({ name }) => name === 'findTraces').every((each) => !('status' in (each.with[0] as object))),
    );
  });
});

describe('the last failure', () => {
  it('is answered for each service that is named', async () => {
    const { response } = await ask('when did checkout or payment last fail', {});
    for (const name of ['checkout-service', 'payment'])
      assert.match(response, new RegExp(`failed traces?[^\\n]* of ${name} in the last 24 hours`), name);
  });
});

describe('what failed beside something else', () => {
  it('is answered for the service and for the thing', async () => {
    const { response, suggestedFollowUps } = await ask('how many payments and parcels failed in the last hour');
    assert.match(response, /requests to payment failed .*\n18 of 240 requests to SendParcel of shippingService failed/);
    assert.ok(suggestedFollowUps.includes('Show me failed traces of shippingService'), suggestedFollowUps.join());
  });

  it('is searched for each', async () => {
    const { searches } = await ask('failed parcels and payments in the last hour');
    assert.deepEqual(
      searches.map(({ serviceName, operationName, status }) => [serviceName, operationName, status]),
      [
        ['payment', undefined, 'ERROR'],
        ['shippingService', 'SendParcel', 'ERROR'],
      ],
    );
  });

  it('is said to be left out if one answer may not look it up', async () => {
    assert.match(
      (await ask('how many payments and parcels failed in the last hour', PARCELS, { maxSources: 2 })).response,
      /Lookup limit for one answer reached: I did not check “parcel”\.$/,
    );
  });
});

describe('what nobody knows', () => {
  for (const text of ['last failed refund', 'when did a refund last fail', 'failed refunds today']) {
    it(`is said for “${text}”`, async () =>
      assert.equal((await ask(text)).response, 'No service and no operation matches “refund”.'));
  }

  it('is no word for traces, mistyped or beside another', async () => {
    for (const text of ['failed tracs of payment', 'failed http requests of payment'])
      assert.match((await ask(text)).response, /failed trace/, text);
  });
});

describe('what an operation is about', () => {
  const CASES: readonly (readonly [noun: string, operation: string, is: boolean])[] = [
    ['order', 'PlaceOrder', true],
    ['order', 'POST /orders', true],
    ['order', 'GET /orders/{id}', true],
    ['order', 'send order-mails', false],
    ['mail', 'send order-mails', true],
    ['order', 'OrderItems', false],
  ];
  for (const [noun, operation, is] of CASES)
    it(`${operation} ${is ? 'is' : 'is not'} about ${noun}`, () => assert.equal(isOperationAbout(noun, operation), is));
});

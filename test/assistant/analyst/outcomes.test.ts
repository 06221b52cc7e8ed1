import assert from 'node:assert/strict';
import { createAnalyst } from '../../../src/assistant/analyst/analyst.js';
import { isAbout } from '../../../src/assistant/analyst/things.js';
import { NOW, SHOP, type Shop } from '../shop.js';
import { shopQueries } from '../shop-queries.js';

const SEND_PARCEL = { rank: 3, serviceName: 'shippingService', operation: 'SendParcel', avgLatencyMs: 80, p95LatencyMs: 90, p99LatencyMs: 99, requestCount: 240, errorRate: 7.5 };
const PARCELS: Partial<Shop> = {
  slowest: [...SHOP.slowest, SEND_PARCEL],
  details: SHOP.details.map((each) => (each.serviceName === SEND_PARCEL.serviceName ? { ...each, endpoints: [...each.endpoints, SEND_PARCEL] } : each)),
};

async function ask(text: string, changed: Partial<Shop> = PARCELS) {
  const { queries, asked } = shopQueries(changed);
  const answer = await createAnalyst(queries).answer({ text, gridId: 'g', userId: 'u', turns: [], nowMs: NOW, mostSources: 9 }, new AbortController().signal);
  return { ...answer, asked };
}

describe('how many requests of one kind', () => {
  const ANSWERS: Readonly<Record<string, RegExp>> = {
    'how many parcels failed in the last hour': /^18 of 240 requests to SendParcel of shippingService failed \(error rate 7\.5 %\) in the last hour\.$/,
    'how many failed parcels since 14:00': /^18 of 240 requests to SendParcel of shippingService failed .* since 14:00 UTC\.$/,
    'number of parcels that went through today': /^222 of 240 requests to SendParcel of shippingService went through/,
    'how many payments failed in the last hour': /^71 of 980 requests to payment failed \(error rate 7\.25 %\) in the last hour\.$/,
    'how many orders failed today': /^Which one do you mean by “orders”: orders-api or orders-worker\?$/,
    'how many refunds failed today': /^I know no service and no operation for “refund”\.$/,
    'are parcels failing': /^18 of 240 requests to SendParcel of shippingService failed/,
  };
  for (const [text, told] of Object.entries(ANSWERS)) it(`are told for “${text}”`, async () => assert.match((await ask(text)).response, told));

  it('are told as a share where the rate does not tell their number', async () => {
    const { response } = await ask('how many parcels failed today', { ...PARCELS, slowest: [{ ...SEND_PARCEL, requestCount: 10_001 }] });
    assert.match(response, /^7\.5 % of 10001 requests to SendParcel of shippingService failed/);
  });

  it('are said to be of the slowest endpoints where there may be others', async () => {
    const { response } = await ask('how many parcels failed today', { ...PARCELS, slowest: Array.from({ length: 20 }, (_, i) => ({ ...SEND_PARCEL, rank: i + 1, operation: i === 0 ? 'SendParcel' : `Other${i}` })) });
    assert.match(response, /\nI looked among the 20 slowest endpoints/);
  });
});

describe('traces of one thing', () => {
  it('are those of the endpoint that is about it', async () => {
    const { asked } = await ask('show me failed parcels');
    const [search] = asked.filter(({ name }) => name === 'findTraces').map((each) => each.with[0] as { readonly serviceName: string; readonly operationName: string; readonly status: string });
    assert.deepEqual([search.serviceName, search.operationName, search.status], ['shippingService', 'SendParcel', 'ERROR']);
  });

  it('that went through are searched at an endpoint of the service, not at the calls that a failed request made', async () => {
    const { response, asked } = await ask('show me payments that went through', {});
    const [search] = asked.filter(({ name }) => name === 'findTraces').map((each) => each.with[0] as { readonly serviceName: string; readonly operationName: string; readonly status: string });
    assert.deepEqual([search.serviceName, search.status], ['payment', 'OK']);
    assert.ok(SHOP.details.find(({ serviceName }) => serviceName === 'payment')!.endpoints.some(({ operation }) => operation === search.operationName));
    assert.doesNotMatch(response, /ERROR/);
  });

  it('that went through are those whose roots did where nothing is named', async () => {
    const { response, asked } = await ask('show me successful traces of the last hour', {});
    assert.match(response, /^Of \d+ traces? in the last hour \d+ went through/);
    assert.doesNotMatch(response, /ERROR/);
    assert.ok(asked.filter(({ name }) => name === 'findTraces').every((each) => !('status' in (each.with[0] as object))));
  });
});

describe('the last failure', () => {
  it('is told of each service that is named', async () => {
    const { response } = await ask('when did checkout or payment last fail', {});
    for (const name of ['checkout-service', 'payment']) assert.match(response, new RegExp(`failed traces?[^\\n]* of ${name} in the last 24 hours`), name);
  });
});

describe('what an operation is about', () => {
  const CASES: readonly (readonly [noun: string, operation: string, is: boolean])[] = [
    ['order', 'PlaceOrder', true], ['order', 'POST /orders', true], ['order', 'GET /orders/{id}', true], ['order', 'send order-mails', false], ['mail', 'send order-mails', true], ['order', 'OrderItems', false],
  ];
  for (const [noun, operation, is] of CASES) it(`${operation} ${is ? 'is' : 'is not'} about ${noun}`, () => assert.equal(isAbout(noun, operation), is));
});

import { KIND, logsOf, spansOf, STATUS } from '../../support/otlp-requests.js';
import { waitUntil } from '../../support/wait-until.js';
import type { SharedPortal } from './shared-portal.js';

const MINUTE_MS = 60_000;
const MINUTES_AGO = 6;

/** An order that failed some minutes ago in a trace of two services, with an exception and with logs before, during and after it. */
export class FailedOrder {
  static readonly traceId = 'f0'.repeat(16);
  static readonly spans = {
    storefront: 'f000000000000001',
    checkout: 'f000000000000002',
    query: 'f000000000000003',
    charge: 'f000000000000004',
  } as const;
  static readonly exception = { type: 'CardDeclined', message: 'the card 4242 was declined' } as const;
  static readonly logs = {
    before: 'checkout begins for order 17',
    failure: 'unfunded: nothing is left for order 17',
    after: 'basket of order 17 was kept',
    warning: 'unfunded cards are frequent',
  } as const;

  private static readonly recorded = new WeakMap<SharedPortal, Promise<void>>();

  /** Sends the order on the first call. Resolves when it can be queried. */
  static record(portal: SharedPortal): Promise<void> {
    const recorded = FailedOrder.recorded.get(portal) ?? FailedOrder.send(portal);
    FailedOrder.recorded.set(portal, recorded);
    return recorded;
  }

  private static async send(portal: SharedPortal): Promise<void> {
    const startMs = Date.now() - MINUTES_AGO * MINUTE_MS;
    const { traceId, spans, exception, logs } = FailedOrder;
    const at = (ms: number): bigint => BigInt(startMs + ms) * 1_000_000n;
    const between = (
      fromMs: number,
      toMs: number,
    ): { readonly traceId: string; readonly start: bigint; readonly end: bigint } => ({
      traceId,
      start: at(fromMs),
      end: at(toMs),
    });
    const failed = { code: STATUS.error, message: 'payment declined' };
    const log = (ms: number, [severityNumber, severityText]: readonly [number, string], body: string) => ({
      time: at(ms),
      severityNumber,
      severityText,
      body,
      traceId,
      spanId: spans.checkout,
      attributes: [['order.id', '17']] as const,
    });
    await portal.send(
      'traces',
      spansOf('storefront', { ...between(0, 200), spanId: spans.storefront, name: 'GET /buy', kind: KIND.server }),
    );
    await portal.send(
      'traces',
      spansOf(
        'checkout',
        {
          ...between(10, 190),
          spanId: spans.checkout,
          parentSpanId: spans.storefront,
          name: 'POST /checkout',
          kind: KIND.server,
          status: failed,
          attributes: [
            ['order.id', '17'],
            ['basket.tier', 'gold'],
          ],
          events: [
            {
              name: 'exception',
              time: at(180),
              attributes: [
                ['exception.type', exception.type],
                ['exception.message', exception.message],
                ['exception.stacktrace', 'at charge (checkout.js:17)'],
              ],
            },
          ],
        },
        {
          ...between(20, 60),
          spanId: spans.query,
          parentSpanId: spans.checkout,
          name: 'SELECT baskets',
          kind: KIND.client,
          attributes: [['db.namespace', 'baskets']],
        },
        {
          ...between(60, 180),
          spanId: spans.charge,
          parentSpanId: spans.checkout,
          name: 'charge',
          kind: KIND.internal,
          links: [{ traceId, spanId: spans.query, attributes: [['reason', 'basket read before']] }],
        },
      ),
    );
    await portal.send(
      'logs',
      logsOf(
        'checkout',
        log(11, [9, 'INFO'], logs.before),
        log(180, [17, 'ERROR'], logs.failure),
        log(182, [13, 'WARN'], logs.warning),
        log(185, [9, 'INFO'], logs.after),
      ),
    );
    await waitUntil(
      async () =>
        (
          await portal.owner.get<{ spans?: readonly unknown[] }>(
            `/apm/traces/${portal.gridId}/correlations/${traceId}/spans`,
          )
        ).body.spans?.length === Object.keys(spans).length,
      'the order is there',
    );
    await waitUntil(
      async () =>
        (
          await portal.owner.get<{ logs?: readonly unknown[] }>(
            `/apm/traces/${portal.gridId}/correlations/${traceId}/logs`,
          )
        ).body.logs?.length === Object.keys(logs).length,
      'the logs of the order are there',
    );
  }
}

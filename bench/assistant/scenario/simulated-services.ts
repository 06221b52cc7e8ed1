import type { IncidentStory } from './incident-story.js';
import { SPAN_KIND, type PlainException } from './plain-telemetry-types.js';
import { callService, type CompletedCall, type TraceBuilder } from './trace-builder.js';

const ORDERS_DB = { 'db.system.name': 'postgresql', 'db.namespace': 'orders-db' };
const CATALOG_DB = { 'db.system.name': 'postgresql', 'db.namespace': 'catalog-db' };
const CART_CACHE = { 'db.system.name': 'redis', 'peer.service': 'cart-cache' };
const CARD_GATEWAY = { 'peer.service': 'card-gateway', 'http.request.method': 'POST' };
const MAIL_QUEUE = { 'messaging.system': 'rabbitmq', 'messaging.destination.name': 'order-mails' };

const CART_FAILURE: PlainException = { type: 'CacheConnectionException', message: 'cart-cache refused the connection' };
const PAYMENT_TIMEOUT: PlainException = {
  type: 'RiskCheckTimeoutException',
  message: 'the risk check did not answer in time',
};
const CARD_DECLINED: PlainException = { type: 'CardDeclinedException', message: 'the card was declined' };
const MODEL_FAILURE: PlainException = { type: 'ModelNotLoadedException', message: 'no model for the locale' };

/** Work of one service in one trace, from its request on. */
type SimulateCall = (trace: TraceBuilder, story: IncidentStory, parent: string, startsMs: number) => CompletedCall;

const createCartOperation =
  (operation: string): SimulateCall =>
  (trace, story, parent, startsMs) => {
    const id = trace.newId();
    const failure = trace.isDuring(story.cartBurst) && trace.random() < 0.4 ? CART_FAILURE : undefined;
    const call = trace.call('cart', 'GET cart', CART_CACHE, {
      parent: id,
      startsMs: startsMs + 2,
      endsMs: startsMs + 2 + trace.varyMs(4),
      ...(failure && { failure: true as const }),
    });
    return trace.add(id, 'cart', operation, SPAN_KIND.server, {
      parent,
      startsMs,
      endsMs: call.endsMs + trace.varyMs(6),
      ...(failure && { failure }),
    });
  };

const getCart = createCartOperation('GetCart');
export const addItem = createCartOperation('AddItem');

const createCatalogOperation =
  (operation: string, queryMs: number): SimulateCall =>
  (trace, _, parent, startsMs) => {
    const id = trace.newId();
    const call = trace.call('product-catalog', 'SELECT products', CATALOG_DB, {
      parent: id,
      startsMs: startsMs + 2,
      endsMs: startsMs + 2 + trace.varyMs(queryMs),
    });
    return trace.add(id, 'product-catalog', operation, SPAN_KIND.server, {
      parent,
      startsMs,
      endsMs: call.endsMs + trace.varyMs(5),
    });
  };

export const listProducts = createCatalogOperation('ListProducts', 32);
const getProduct = createCatalogOperation('GetProduct', 9);
export const getReviews = createCatalogOperation('GetReviews', 21);

export const recommend: SimulateCall = (trace, story, parent, startsMs) => {
  const failure = trace.isDuring(story.recommendationBurst) && trace.random() < 0.5 ? MODEL_FAILURE : undefined;
  return trace.add(trace.newId(), 'recommendation-engine', 'Recommend', SPAN_KIND.server, {
    parent,
    startsMs,
    endsMs: startsMs + trace.varyMs(58),
    ...(failure && { failure }),
  });
};

/** The new version checks the risk before calling the gateway: the time is its own. */
export const charge: SimulateCall = (trace, story, parent, startsMs) => {
  const id = trace.newId();
  const isNew = trace.startMs >= story.paymentDeployedMs;
  const chance = trace.random();
  const failure = isNew && chance < 0.125 ? PAYMENT_TIMEOUT : !isNew && chance < 0.005 ? CARD_DECLINED : undefined;
  const checkedMs = startsMs + trace.varyMs(isNew ? 1_250 : 35);
  const call = trace.call('payment', 'POST /authorize', CARD_GATEWAY, {
    parent: id,
    startsMs: checkedMs,
    endsMs: checkedMs + trace.varyMs(70),
  });
  return trace.add(id, 'payment', 'Charge', SPAN_KIND.server, {
    parent,
    startsMs,
    endsMs: call.endsMs + trace.varyMs(10),
    attributes: { 'payment.method': trace.business['payment.method'] },
    ...(failure && { failure }),
  });
};

export const quote: SimulateCall = (trace, _, parent, startsMs) =>
  trace.add(trace.newId(), 'shipping', 'GetQuote', SPAN_KIND.server, {
    parent,
    startsMs,
    endsMs: startsMs + trace.varyMs(44),
  });

/** Makes the calls for an order one after the other, and stops at the first failure. */
export const placeOrder: SimulateCall = (trace, story, parent, startsMs) => {
  const id = trace.newId();
  let at = startsMs + trace.varyMs(12);
  for (const [operation, serve] of [
    ['GetCart', getCart],
    ['GetProduct', getProduct],
    ['GetQuote', quote],
    ['Charge', charge],
  ] as const) {
    const answered = callService(trace, 'checkout-service', id, at, operation, (called, from) =>
      serve(trace, story, called, from),
    );
    at = answered.endsMs + 2;
    if (answered.failed)
      return trace.add(id, 'checkout-service', 'PlaceOrder', SPAN_KIND.server, {
        parent,
        startsMs,
        endsMs: at,
        failure: true,
      });
  }
  const stored = trace.call('checkout-service', 'INSERT orders', ORDERS_DB, {
    parent: id,
    startsMs: at,
    endsMs: at + trace.varyMs(15),
  });
  sendMail(trace, id, stored.endsMs + 1);
  return trace.add(id, 'checkout-service', 'PlaceOrder', SPAN_KIND.server, {
    parent,
    startsMs,
    endsMs: stored.endsMs + 5,
  });
};

function sendMail(trace: TraceBuilder, parent: string, startsMs: number): void {
  const send = trace.add(trace.newId(), 'checkout-service', 'send order-mails', SPAN_KIND.producer, {
    parent,
    startsMs,
    endsMs: startsMs + 2,
    attributes: MAIL_QUEUE,
  });
  const from = send.endsMs + trace.varyMs(20);
  trace.add(trace.newId(), 'email-worker', 'process order-mails', SPAN_KIND.consumer, {
    parent: send.spanId,
    startsMs: from,
    endsMs: from + trace.varyMs(180),
    attributes: MAIL_QUEUE,
  });
}

import type { Story } from './story.js';
import { KIND, type PlainException } from './telemetry.js';
import { callService, type Answered, type Trace } from './trace.js';

const ORDERS_DB = { 'db.system.name': 'postgresql', 'db.namespace': 'orders-db' };
const CATALOG_DB = { 'db.system.name': 'postgresql', 'db.namespace': 'catalog-db' };
const CART_CACHE = { 'db.system.name': 'redis', 'peer.service': 'cart-cache' };
const CARD_GATEWAY = { 'peer.service': 'card-gateway', 'http.request.method': 'POST' };
const MAIL_QUEUE = { 'messaging.system': 'rabbitmq', 'messaging.destination.name': 'order-mails' };

const CART_FAILURE: PlainException = { type: 'CacheConnectionException', message: 'cart-cache refused the connection' };
const PAYMENT_TIMEOUT: PlainException = { type: 'RiskCheckTimeoutException', message: 'the risk check did not answer in time' };
const CARD_DECLINED: PlainException = { type: 'CardDeclinedException', message: 'the card was declined' };
const MODEL_FAILURE: PlainException = { type: 'ModelNotLoadedException', message: 'no model for the locale' };

/** Work of one service in one trace, from the moment it is asked. */
type Serve = (trace: Trace, story: Story, parent: string, startsMs: number) => Answered;

const cart = (operation: string): Serve => (trace, story, parent, startsMs) => {
  const id = trace.newId();
  const failure = trace.isDuring(story.cartBurst) && trace.random() < 0.4 ? CART_FAILURE : undefined;
  const asked = trace.call('cart', 'GET cart', CART_CACHE, { parent: id, startsMs: startsMs + 2, endsMs: startsMs + 2 + trace.around(4), ...(failure && { failure: true as const }) });
  return trace.add(id, 'cart', operation, KIND.server, { parent, startsMs, endsMs: asked.endsMs + trace.around(6), ...(failure && { failure }) });
};

const getCart = cart('GetCart');
export const addItem = cart('AddItem');

const catalog = (operation: string, queryMs: number): Serve => (trace, _, parent, startsMs) => {
  const id = trace.newId();
  const asked = trace.call('product-catalog', 'SELECT products', CATALOG_DB, { parent: id, startsMs: startsMs + 2, endsMs: startsMs + 2 + trace.around(queryMs) });
  return trace.add(id, 'product-catalog', operation, KIND.server, { parent, startsMs, endsMs: asked.endsMs + trace.around(5) });
};

export const listProducts = catalog('ListProducts', 32);
const getProduct = catalog('GetProduct', 9);
export const getReviews = catalog('GetReviews', 21);

export const recommend: Serve = (trace, story, parent, startsMs) => {
  const failure = trace.isDuring(story.recommendationBurst) && trace.random() < 0.5 ? MODEL_FAILURE : undefined;
  return trace.add(trace.newId(), 'recommendation-engine', 'Recommend', KIND.server, { parent, startsMs, endsMs: startsMs + trace.around(58), ...(failure && { failure }) });
};

/** The new version checks the risk before it asks the gateway: the time is its own. */
export const charge: Serve = (trace, story, parent, startsMs) => {
  const id = trace.newId();
  const isNew = trace.startMs >= story.paymentDeployedMs;
  const chance = trace.random();
  const failure = isNew && chance < 0.125 ? PAYMENT_TIMEOUT : !isNew && chance < 0.005 ? CARD_DECLINED : undefined;
  const checkedMs = startsMs + trace.around(isNew ? 1_250 : 35);
  const asked = trace.call('payment', 'POST /authorize', CARD_GATEWAY, { parent: id, startsMs: checkedMs, endsMs: checkedMs + trace.around(70) });
  return trace.add(id, 'payment', 'Charge', KIND.server, { parent, startsMs, endsMs: asked.endsMs + trace.around(10), ...(failure && { failure }) });
};

export const quote: Serve = (trace, _, parent, startsMs) =>
  trace.add(trace.newId(), 'shipping', 'GetQuote', KIND.server, { parent, startsMs, endsMs: startsMs + trace.around(44) });

/** Asks for what an order needs, one after the other, and gives up with the first that fails. */
export const placeOrder: Serve = (trace, story, parent, startsMs) => {
  const id = trace.newId();
  let at = startsMs + trace.around(12);
  for (const [operation, serve] of [['GetCart', getCart], ['GetProduct', getProduct], ['GetQuote', quote], ['Charge', charge]] as const) {
    const answered = callService(trace, 'checkout-service', id, at, operation, (called, from) => serve(trace, story, called, from));
    at = answered.endsMs + 2;
    if (answered.failed) return trace.add(id, 'checkout-service', 'PlaceOrder', KIND.server, { parent, startsMs, endsMs: at, failure: true });
  }
  const stored = trace.call('checkout-service', 'INSERT orders', ORDERS_DB, { parent: id, startsMs: at, endsMs: at + trace.around(15) });
  sendMail(trace, id, stored.endsMs + 1);
  return trace.add(id, 'checkout-service', 'PlaceOrder', KIND.server, { parent, startsMs, endsMs: stored.endsMs + 5 });
};

function sendMail(trace: Trace, parent: string, startsMs: number): void {
  const send = trace.add(trace.newId(), 'checkout-service', 'send order-mails', KIND.producer, { parent, startsMs, endsMs: startsMs + 2, attributes: MAIL_QUEUE });
  const from = send.endsMs + trace.around(20);
  trace.add(trace.newId(), 'email-worker', 'process order-mails', KIND.consumer, { parent: send.spanId, startsMs: from, endsMs: from + trace.around(180), attributes: MAIL_QUEUE });
}

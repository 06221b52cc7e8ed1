/** What the shop's own instrumentation records about a request, derived from the number of its trace. */
export interface BusinessAttributes {
  readonly 'customer.tier': 'gold' | 'silver' | 'basic';
  readonly 'cloud.region': 'eu-west-1' | 'us-east-1';
  readonly 'app.platform': 'android' | 'ios' | 'web';
  readonly 'payment.method': 'card' | 'paypal';
  readonly 'order.currency': 'EUR' | 'USD';
}

/** Attributes of the request with this number: spread evenly, and the same each time. */
export function requestAttributes(number: number): BusinessAttributes {
  const share = hash(number) % 100;
  const isEurope = hash(number + 1_000_003) % 100 < 60;
  return {
    'customer.tier': share < 8 ? 'gold' : share < 35 ? 'silver' : 'basic',
    'cloud.region': isEurope ? 'eu-west-1' : 'us-east-1',
    'app.platform': share % 3 === 0 ? 'android' : share % 3 === 1 ? 'ios' : 'web',
    'payment.method': share % 4 === 0 ? 'paypal' : 'card',
    'order.currency': isEurope ? 'EUR' : 'USD',
  };
}

/** The trace number that its id contains, see TraceBuilder. */
export function traceNumber(traceId: string): number {
  return Number.parseInt(traceId.slice(4), 16);
}

function hash(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

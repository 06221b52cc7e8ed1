import type { Random } from './random.js';

/** The simulated shop: ten services, three pods each. */
export const SERVICES = [
  'frontend',
  'checkout',
  'cart',
  'payment',
  'shipping',
  'catalog',
  'recommendation',
  'currency',
  'email',
  'ad',
] as const;
export const PODS_PER_SERVICE = 3;
export const TABLES = ['orders', 'users', 'items', 'carts', 'payments', 'shipments', 'reviews', 'prices'] as const;
export const METHODS = ['GET', 'GET', 'POST', 'PUT'] as const;
const NOUNS = ['items', 'orders', 'users', 'quotes', 'list', 'search'] as const;
export const ROUTES_PER_SERVICE = 12;
export const ROUTES = SERVICES.map((service) =>
  Array.from({ length: ROUTES_PER_SERVICE }, (_, n) => `/api/v1/${service}/${NOUNS[n % 6]}${n > 5 ? '/{id}' : ''}`),
);
export const EXCEPTION = {
  type: 'java.lang.IllegalStateException',
  message: 'upstream timed out after 3000 ms',
  stackTrace: `java.lang.IllegalStateException: upstream timed out\n${Array.from(
    { length: 14 },
    (_, n) =>
      `\tat com.example.shop.checkout.service.OrderService$Handler${n}.process(OrderService.java:${100 + n * 17})\n`,
  ).join('')}`,
} as const;

/** Pod names by service, then pod. */
export function namePods(random: Random): string[][] {
  return SERVICES.map((service) =>
    Array.from(
      { length: PODS_PER_SERVICE },
      () => `${service}-${random.bytes(4).toString('hex')}-${random.bytes(2).toString('hex')}x`,
    ),
  );
}

/** Resource attributes of one pod. */
export function resourceOf(service: number, pod: string): Record<string, string> {
  return {
    'service.name': SERVICES[service],
    'service.namespace': 'shop',
    'service.version': `1.14.${service}`,
    'service.instance.id': pod,
    'deployment.environment.name': 'production',
    'host.name': `node-${service % 4}`,
    'k8s.pod.name': pod,
    'k8s.namespace.name': 'shop',
    'telemetry.sdk.language': 'java',
    'telemetry.sdk.name': 'opentelemetry',
    'telemetry.sdk.version': '1.40.0',
    'os.type': 'linux',
    'process.runtime.name': 'OpenJDK',
  };
}

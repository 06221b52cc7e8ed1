import { RequestFailure, type RequestTask } from './request-task.js';
import { PoolTimeoutError } from './connection-pool.js';
import type { Shop } from './shop.js';

export type ServiceName = 'frontend' | 'cart' | 'checkout' | 'payment' | 'inventory' | 'shipping';

export interface ShopOperation {
  readonly service: ServiceName;
  readonly method: string;
  readonly route: string;
  readonly run: (shop: Shop, task: RequestTask) => Promise<void>;
}

const BAD_CART_ERROR_RATE = 0.15;
const BAD_CART_DELAY_MS = 250;
const PRODUCTS = ['telescope', 'binoculars', 'star map', 'red torch', 'tripod', 'eyepiece'];

/** Operations of the six services. Times are means in ms. */
export const SHOP_OPERATIONS = {
  home: {
    service: 'frontend',
    method: 'GET',
    route: '/',
    run: async (shop, task) => {
      await task.simulateWork(4);
      await shop.callService(task, SHOP_OPERATIONS.listProducts);
      await task.simulateWork(2);
    },
  },
  product: {
    service: 'frontend',
    method: 'GET',
    route: '/product/{id}',
    run: async (shop, task) => {
      await task.simulateWork(3);
      await shop.callService(task, SHOP_OPERATIONS.readProduct);
      await task.simulateWork(1);
    },
  },
  viewCart: {
    service: 'frontend',
    method: 'GET',
    route: '/cart',
    run: async (shop, task) => {
      await task.simulateWork(3);
      await shop.callService(task, SHOP_OPERATIONS.readCart);
    },
  },
  addToCart: {
    service: 'frontend',
    method: 'POST',
    route: '/cart',
    run: async (shop, task) => {
      await task.simulateWork(3);
      await shop.callService(task, SHOP_OPERATIONS.readProduct);
      await shop.callService(task, SHOP_OPERATIONS.changeCart);
    },
  },
  checkOut: {
    service: 'frontend',
    method: 'POST',
    route: '/checkout',
    run: async (shop, task) => {
      await task.simulateWork(5);
      await shop.callService(task, SHOP_OPERATIONS.placeOrder);
      await task.simulateWork(2);
    },
  },
  readCart: {
    service: 'cart',
    method: 'GET',
    route: '/carts/{user}',
    run: (shop, task) => accessCart(shop, task, 'HGETALL'),
  },
  changeCart: {
    service: 'cart',
    method: 'POST',
    route: '/carts/{user}',
    run: (shop, task) => accessCart(shop, task, 'HSET'),
  },
  listProducts: {
    service: 'inventory',
    method: 'GET',
    route: '/products',
    run: (shop, task) => queryStock(shop, task, 'SELECT products', 8),
  },
  readProduct: {
    service: 'inventory',
    method: 'GET',
    route: '/products/{id}',
    run: (shop, task) => queryStock(shop, task, 'SELECT product', 5),
  },
  reserve: {
    service: 'inventory',
    method: 'POST',
    route: '/reservations',
    run: (shop, task) => queryStock(shop, task, 'UPDATE stock', 7),
  },
  placeOrder: { service: 'checkout', method: 'POST', route: '/orders', run: placeOrder },
  charge: { service: 'payment', method: 'POST', route: '/charges', run: charge },
  quote: { service: 'shipping', method: 'GET', route: '/quotes', run: (_shop, task) => task.simulateWork(6) },
} as const satisfies Record<string, ShopOperation>;

/** Entry operations of customers, weighted by frequency. */
export const WEIGHTED_VISITS: readonly (readonly [weight: number, operation: ShopOperation])[] = [
  [25, SHOP_OPERATIONS.home],
  [30, SHOP_OPERATIONS.product],
  [10, SHOP_OPERATIONS.viewCart],
  [15, SHOP_OPERATIONS.addToCart],
  [20, SHOP_OPERATIONS.checkOut],
];

async function accessCart(shop: Shop, task: RequestTask, command: string): Promise<void> {
  const user = Math.floor(task.random.uniform() * 10_000);
  await task.simulateWork(2);
  await shop.queryDatabase(task, { system: 'redis', peer: 'cart-redis', name: command, meanMs: 1.5 });
  if (shop.conditions.badCartRelease) {
    await task.simulateWork(BAD_CART_DELAY_MS);
    if (task.random.uniform() < BAD_CART_ERROR_RATE) {
      task.log('ERROR', `Cart of user ${user} could not be migrated to the new format`);
      throw new RequestFailure("Cannot read properties of undefined (reading 'items')", 'TypeError');
    }
  }
  task.log('INFO', `Cart of user ${user} has ${1 + (user % 7)} items`);
}

/** Queries the inventory database through a pool, and holds the connection meanwhile. */
async function queryStock(shop: Shop, task: RequestTask, name: string, meanMs: number): Promise<void> {
  await task.simulateWork(2);
  const pool = task.instance.options.pool!;
  try {
    task.at = await pool.acquire(task.at);
  } catch (error) {
    task.at += 1_000;
    task.log('ERROR', `Query failed: ${(error as Error).message}`);
    throw new RequestFailure((error as Error).message, error instanceof PoolTimeoutError ? error.name : 'Error');
  }
  try {
    await shop.queryDatabase(task, { system: 'postgresql', namespace: 'inventory_db', name, meanMs });
    if (shop.conditions.heldConnectionMs > 0) await task.simulateWork(shop.conditions.heldConnectionMs);
  } finally {
    pool.release(task.at);
  }
  task.log('INFO', `${PRODUCTS[Math.floor(task.random.uniform() * PRODUCTS.length)]} looked up`);
}

async function placeOrder(shop: Shop, task: RequestTask): Promise<void> {
  const order = 100_000 + Math.floor(task.random.uniform() * 900_000);
  await task.simulateWork(3);
  await shop.callService(task, SHOP_OPERATIONS.readCart);
  await shop.callService(task, SHOP_OPERATIONS.reserve);
  await shop.callService(task, SHOP_OPERATIONS.quote);
  await shop.callService(task, SHOP_OPERATIONS.charge);
  await shop.queryDatabase(task, {
    system: 'postgresql',
    namespace: 'orders_db',
    name: 'INSERT orders',
    meanMs: 9 + shop.conditions.slowOrdersDbMs,
  });
  task.log('INFO', `Order ${order} placed`, { 'order.id': order });
  await shop.publishMessage(task, 'orders', ship);
  await task.simulateWork(2);
}

async function charge(shop: Shop, task: RequestTask): Promise<void> {
  const isNoisy = task.instance.options.instanceId.endsWith('-2');
  await task.simulateWork(8 * (isNoisy ? shop.conditions.noisyPaymentFactor : 1));
  if (task.random.uniform() < shop.conditions.failingCharges) {
    task.log('ERROR', `Charge of ${(5 + task.random.uniform() * 200).toFixed(2)} EUR failed: signing key rejected`);
    throw new RequestFailure('signing key rejected by the vault', 'KeyRejectedError');
  }
  await shop.callExternalService(task, 'bank.example', 'POST /authorizations', 35);
  task.log('INFO', `Charged ${(5 + task.random.uniform() * 200).toFixed(2)} EUR`);
}

/** Handles a message of the order queue. */
async function ship(shop: Shop, task: RequestTask): Promise<void> {
  await task.simulateWork(8);
  await shop.callExternalService(task, 'carrier.example', 'POST /parcels', 20);
  task.log('INFO', `Parcel ${Math.floor(task.random.uniform() * 1e6)} handed over`);
}

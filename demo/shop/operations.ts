import { Failure, type Task } from './task.js';
import { PoolTimeout } from './connection-pool.js';
import type { Shop } from './shop.js';

export type ServiceName = 'frontend' | 'cart' | 'checkout' | 'payment' | 'inventory' | 'shipping';

export interface Operation {
  readonly service: ServiceName;
  readonly method: string;
  readonly route: string;
  readonly run: (shop: Shop, task: Task) => Promise<void>;
}

const BAD_CART_ERRORS = 0.15;
const BAD_CART_MS = 250;
const PRODUCTS = ['telescope', 'binoculars', 'star map', 'red torch', 'tripod', 'eyepiece'];

/** What the six services do. Times are means in ms. */
export const OPERATIONS = {
  home: { service: 'frontend', method: 'GET', route: '/', run: async (shop, task) => {
    await task.spend(4);
    await shop.call(task, OPERATIONS.listProducts);
    await task.spend(2);
  } },
  product: { service: 'frontend', method: 'GET', route: '/product/{id}', run: async (shop, task) => {
    await task.spend(3);
    await shop.call(task, OPERATIONS.readProduct);
    await task.spend(1);
  } },
  viewCart: { service: 'frontend', method: 'GET', route: '/cart', run: async (shop, task) => {
    await task.spend(3);
    await shop.call(task, OPERATIONS.readCart);
  } },
  addToCart: { service: 'frontend', method: 'POST', route: '/cart', run: async (shop, task) => {
    await task.spend(3);
    await shop.call(task, OPERATIONS.readProduct);
    await shop.call(task, OPERATIONS.changeCart);
  } },
  checkOut: { service: 'frontend', method: 'POST', route: '/checkout', run: async (shop, task) => {
    await task.spend(5);
    await shop.call(task, OPERATIONS.placeOrder);
    await task.spend(2);
  } },
  readCart: { service: 'cart', method: 'GET', route: '/carts/{user}', run: (shop, task) => carts(shop, task, 'HGETALL') },
  changeCart: { service: 'cart', method: 'POST', route: '/carts/{user}', run: (shop, task) => carts(shop, task, 'HSET') },
  listProducts: { service: 'inventory', method: 'GET', route: '/products', run: (shop, task) => stock(shop, task, 'SELECT products', 8) },
  readProduct: { service: 'inventory', method: 'GET', route: '/products/{id}', run: (shop, task) => stock(shop, task, 'SELECT product', 5) },
  reserve: { service: 'inventory', method: 'POST', route: '/reservations', run: (shop, task) => stock(shop, task, 'UPDATE stock', 7) },
  placeOrder: { service: 'checkout', method: 'POST', route: '/orders', run: placeOrder },
  charge: { service: 'payment', method: 'POST', route: '/charges', run: charge },
  quote: { service: 'shipping', method: 'GET', route: '/quotes', run: (_shop, task) => task.spend(6) },
} as const satisfies Record<string, Operation>;

/** What customers do, by how often. */
export const VISITS: readonly (readonly [weight: number, operation: Operation])[] = [
  [25, OPERATIONS.home], [30, OPERATIONS.product], [10, OPERATIONS.viewCart], [15, OPERATIONS.addToCart], [20, OPERATIONS.checkOut],
];

async function carts(shop: Shop, task: Task, command: string): Promise<void> {
  const user = Math.floor(task.random.uniform() * 10_000);
  await task.spend(2);
  await shop.query(task, { system: 'redis', peer: 'cart-redis', name: command, meanMs: 1.5 });
  if (shop.conditions.badCartRelease) {
    await task.spend(BAD_CART_MS);
    if (task.random.uniform() < BAD_CART_ERRORS) {
      task.log('ERROR', `Cart of user ${user} could not be migrated to the new format`);
      throw new Failure("Cannot read properties of undefined (reading 'items')", 'TypeError');
    }
  }
  task.log('INFO', `Cart of user ${user} has ${1 + (user % 7)} items`);
}

/** Inventory asks its database through a pool, and holds the connection until it is done with it. */
async function stock(shop: Shop, task: Task, name: string, meanMs: number): Promise<void> {
  await task.spend(2);
  const pool = task.instance.options.pool!;
  try {
    task.at = await pool.acquire(task.at);
  } catch (error) {
    task.at += 1_000;
    task.log('ERROR', `Query failed: ${(error as Error).message}`);
    throw new Failure((error as Error).message, error instanceof PoolTimeout ? error.name : 'Error');
  }
  try {
    await shop.query(task, { system: 'postgresql', namespace: 'inventory_db', name, meanMs });
    if (shop.conditions.heldConnectionMs > 0) await task.spend(shop.conditions.heldConnectionMs);
  } finally {
    pool.release(task.at);
  }
  task.log('INFO', `${PRODUCTS[Math.floor(task.random.uniform() * PRODUCTS.length)]} looked up`);
}

async function placeOrder(shop: Shop, task: Task): Promise<void> {
  const order = 100_000 + Math.floor(task.random.uniform() * 900_000);
  await task.spend(3);
  await shop.call(task, OPERATIONS.readCart);
  await shop.call(task, OPERATIONS.reserve);
  await shop.call(task, OPERATIONS.quote);
  await shop.call(task, OPERATIONS.charge);
  await shop.query(task, { system: 'postgresql', namespace: 'orders_db', name: 'INSERT orders', meanMs: 9 + shop.conditions.slowOrdersDbMs });
  task.log('INFO', `Order ${order} placed`, { 'order.id': order });
  await shop.publish(task, 'orders', ship);
  await task.spend(2);
}

async function charge(shop: Shop, task: Task): Promise<void> {
  const isNoisy = task.instance.options.instanceId.endsWith('-2');
  await task.spend(8 * (isNoisy ? shop.conditions.noisyPaymentFactor : 1));
  if (task.random.uniform() < shop.conditions.failingCharges) {
    task.log('ERROR', `Charge of ${(5 + task.random.uniform() * 200).toFixed(2)} EUR failed: signing key rejected`);
    throw new Failure('signing key rejected by the vault', 'KeyRejectedError');
  }
  await shop.ask(task, 'bank.example', 'POST /authorizations', 35);
  task.log('INFO', `Charged ${(5 + task.random.uniform() * 200).toFixed(2)} EUR`);
}

/** What shipping does with a message of the queue. */
async function ship(shop: Shop, task: Task): Promise<void> {
  await task.spend(8);
  await shop.ask(task, 'carrier.example', 'POST /parcels', 20);
  task.log('INFO', `Parcel ${Math.floor(task.random.uniform() * 1e6)} handed over`);
}


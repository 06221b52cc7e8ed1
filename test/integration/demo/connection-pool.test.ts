import assert from 'node:assert/strict';
import { currentTimeMs } from '../../../demo/shop/simulation-clock.js';
import { ConnectionPool, PoolTimeoutError } from '../../../demo/shop/connection-pool.js';

describe('connection pool of the demo', () => {
  it('grants free connections at once, and queues further requests', async () => {
    const pool = new ConnectionPool(2, () => 0);
    const now = currentTimeMs();
    assert.deepEqual([await pool.acquire(now), await pool.acquire(now + 1)], [now, now + 1]);
    const waiting = [pool.acquire(now + 2), pool.acquire(now + 3)];
    assert.deepEqual([pool.used, pool.waiting], [2, 2]);
    pool.release(now + 40);
    assert.equal(await waiting[0], now + 40);
    pool.release(now + 50);
    assert.equal(await waiting[1], now + 50);
    pool.release(now + 60);
    pool.release(now + 60);
    assert.deepEqual([pool.used, pool.waiting], [0, 0]);
  });

  it('counts leaked connections as used, and limits waiting', async () => {
    let leaked = 1;
    const pool = new ConnectionPool(2, () => leaked);
    await pool.acquire(currentTimeMs());
    assert.equal(pool.used, 2);
    await assert.rejects(pool.acquire(currentTimeMs()), PoolTimeoutError);
    assert.equal(pool.waiting, 0);
    leaked = 0;
    assert.equal(pool.used, 1);
    await pool.acquire(currentTimeMs());
  });
});

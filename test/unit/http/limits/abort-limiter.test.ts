import assert from 'node:assert/strict';
import { AbortLimiter, ConnectionAborts } from '../../../../src/http/limits/abort-limiter.js';

const LIMITS = {
  windowMs: 10_000,
  perConnection: 4,
  perAddress: 20,
  perConnectionOverLimit: 2,
  flood: 100,
  closures: 3,
};
const ADDRESS = '192.0.2.1';

describe('limiter of aborted requests', () => {
  let nowMs: number;
  let limiter: AbortLimiter;
  beforeEach(() => {
    nowMs = 1_000;
    limiter = new AbortLimiter(() => nowMs, LIMITS);
  });
  const abort = (connection: ConnectionAborts, times: number, livedMs = 0, address = ADDRESS): boolean[] =>
    Array.from({ length: times }, () => limiter.recordAbort(address, connection, livedMs));

  it('closes a connection at the first aborted request beyond the limit of a window', () => {
    const connection = new ConnectionAborts();
    assert.deepEqual(abort(connection, 5), [false, false, false, false, true]);
  });

  it('begins a new window with the first aborted request after the end of the last one', () => {
    const connection = new ConnectionAborts();
    abort(connection, 4);
    nowMs += 9_999;
    assert.deepEqual(abort(connection, 1), [true]);
    nowMs += 1;
    assert.deepEqual(abort(connection, 5), [false, false, false, false, true]);
  });

  it('counts requests that waited for a second or longer by a tenth', () => {
    const connection = new ConnectionAborts();
    assert.ok(abort(connection, 39, 1_000).every((closes) => !closes));
    assert.ok(abort(connection, 3, 1_000).includes(true));
  });

  it('closes connections earlier while their address is over its limit, and leaves those with few aborted requests', () => {
    for (let n = 0; n < 5; n++) abort(new ConnectionAborts(), 4);
    assert.deepEqual(abort(new ConnectionAborts(), 3), [false, false, true]);
    assert.deepEqual(abort(new ConnectionAborts(), 3, 0, '192.0.2.2'), [false, false, false], 'another address');
  });

  it('says that an address with too many closed connections floods, until its window is over', () => {
    for (let n = 0; n < 2; n++) limiter.recordClosure(ADDRESS);
    assert.equal(limiter.isFlooding(ADDRESS), false);
    limiter.recordClosure(ADDRESS);
    assert.equal(limiter.isFlooding(ADDRESS), true);
    assert.equal(limiter.isFlooding('192.0.2.2'), false);
    nowMs += 10_000;
    assert.equal(limiter.isFlooding(ADDRESS), false);
  });

  it('says so of an address that aborts too many requests, each on a connection of its own', () => {
    for (let n = 0; n < 100; n++) abort(new ConnectionAborts(), 1);
    assert.equal(limiter.isFlooding(ADDRESS), false);
    abort(new ConnectionAborts(), 1);
    assert.equal(limiter.isFlooding(ADDRESS), true);
  });

  it('does not say so of an address whose connections broke with many open requests', () => {
    for (let n = 0; n < 60; n++) {
      const connection = new ConnectionAborts();
      for (let stream = 0; stream < 7; stream++) limiter.recordAbort(ADDRESS, connection, 1, true);
    }
    assert.equal(limiter.isFlooding(ADDRESS), false);
  });

  it('closes connections earlier while their address floods', () => {
    limiter.block(ADDRESS);
    assert.deepEqual(abort(new ConnectionAborts(), 3), [false, false, true]);
  });

  it('begins the window again with each further abort or closure of an address that floods', () => {
    limiter.block(ADDRESS);
    for (let n = 0; n < 5; n++) {
      nowMs += 9_999;
      assert.equal(limiter.isFlooding(ADDRESS), true);
      abort(new ConnectionAborts(), 1);
    }
    nowMs += 10_000;
    assert.equal(limiter.isFlooding(ADDRESS), false);
  });

  it('counts the aborted requests of ended connections: a tenth if they were slow or on connections in use', () => {
    limiter.countAborts(ADDRESS, 100, 0, false);
    assert.equal(limiter.isFlooding(ADDRESS), false);
    limiter.countAborts(ADDRESS, 5, 1_000, false);
    limiter.countAborts(ADDRESS, 4, 0, true);
    assert.equal(limiter.isFlooding(ADDRESS), true);
    limiter.countAborts('192.0.2.2', 999, 1_000, false);
    assert.equal(limiter.isFlooding('192.0.2.2'), false);
  });

  it('counts a /64 of IPv6 as one address', () => {
    limiter.block('2001:db8:0:1::1');
    assert.equal(limiter.isFlooding('2001:db8:0:1:ffff::2'), true);
    assert.equal(limiter.isFlooding('2001:db8:0:2::1'), false);
  });

  it('remembers a bounded number of addresses, and forgets the oldest', () => {
    limiter.block('192.0.2.1');
    for (let n = 0; n < 10_000; n++) limiter.recordClosure(`10.0.${n >> 8}.${n & 255}`);
    assert.equal(limiter.isFlooding('192.0.2.1'), false);
  });
});

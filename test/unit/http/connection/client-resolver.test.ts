import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { ClientResolver } from '../../../../src/http/connection/client-resolver.js';

const PROXIES = [
  { address: '10.0.0.0', bits: 8, family: 'ipv4' },
  { address: 'fd00::', bits: 8, family: 'ipv6' },
] as const;

describe('clients behind trusted proxies', () => {
  const clients = new ClientResolver(PROXIES);
  const from = (peer: string, headers: IncomingHttpHeaders) =>
    clients.resolve({ remoteAddress: peer }, headers).address;

  for (const [what, peer, headers, expected] of [
    ['nobody forwards', '10.0.0.1', {}, '10.0.0.1'],
    [
      'a stranger makes up who it is',
      '203.0.113.9',
      { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.1' },
      '203.0.113.9',
    ],
    ['a proxy names its client', '10.0.0.1', { 'x-forwarded-for': '198.51.100.1' }, '198.51.100.1'],
    ['the client wrote a name before that', '10.0.0.1', { 'x-forwarded-for': '1.1.1.1, 198.51.100.1' }, '198.51.100.1'],
    ['two proxies stand in a row', '10.0.0.1', { 'x-forwarded-for': '198.51.100.1, 10.2.2.2' }, '198.51.100.1'],
    ['all are proxies', '10.0.0.1', { 'x-forwarded-for': '10.3.3.3,10.2.2.2' }, '10.3.3.3'],
    ['a proxy hides its client', '10.0.0.1', { 'x-forwarded-for': '1.1.1.1, unknown' }, '10.0.0.1'],
    ['the proxy is reached by IPv6', 'fd00::7', { 'x-forwarded-for': '2001:db8::1' }, '2001:db8::1'],
    ['IPv4 is written as IPv6', '::ffff:10.0.0.1', { 'x-forwarded-for': '198.51.100.1:4711' }, '198.51.100.1'],
    [
      'a proxy speaks RFC 7239',
      '10.0.0.1',
      { forwarded: 'for=1.1.1.1, For="[2001:db8::1]:4711";proto=https' },
      '2001:db8::1',
    ],
    ['both are there', '10.0.0.1', { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=1.1.1.1' }, '198.51.100.1'],
    ['an element names nobody', '10.0.0.1', { forwarded: 'proto=https' }, '10.0.0.1'],
  ] as const) {
    it(`where ${what}`, () => assert.equal(from(peer, headers), expected));
  }

  it('came by https where their own connection or a trusted proxy says so', () => {
    const secure = (remoteAddress: string, encrypted: boolean, headers: IncomingHttpHeaders) =>
      clients.resolve({ remoteAddress, encrypted }, headers).secure;
    assert.equal(secure('203.0.113.9', true, {}), true);
    assert.equal(secure('203.0.113.9', false, { 'x-forwarded-proto': 'https' }), false);
    assert.equal(secure('10.0.0.1', false, { 'x-forwarded-proto': 'https' }), true);
    assert.equal(
      secure('10.0.0.1', false, { 'x-forwarded-proto': 'https, http' }),
      false,
      'the client wrote the first',
    );
    assert.equal(secure('10.0.0.1', true, { 'x-forwarded-proto': 'http' }), false, 'the way to the proxy was not');
    assert.equal(secure('10.0.0.1', false, { forwarded: 'for=1.1.1.1;proto=HTTPS' }), true);
  });

  it('trusts nobody unless configured', () => {
    const { address, secure } = new ClientResolver().resolve(
      { remoteAddress: '127.0.0.1' },
      { 'x-forwarded-for': '1.1.1.1', 'x-forwarded-proto': 'https' },
    );
    assert.deepEqual([address, secure], ['127.0.0.1', false]);
  });

  it('looks at a bounded part of a long chain', () => {
    assert.equal(from('10.0.0.1', { 'x-forwarded-for': `1.1.1.1,${'10.0.0.2,'.repeat(5_000)}` }), '10.0.0.2');
  });
});

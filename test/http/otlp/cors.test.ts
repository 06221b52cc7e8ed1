import assert from 'node:assert/strict';
import { corsHeaders, preflightHeaders } from '../../../src/http/otlp/cors.js';

const allowed = new Set(['https://shop.example']);
const preflight = { 'origin': 'https://shop.example', 'access-control-request-method': 'POST' };

describe('CORS', () => {
  it('names the origin that may read the answer, never *', () => {
    assert.equal(corsHeaders({ origin: 'https://shop.example' }, allowed)['access-control-allow-origin'], 'https://shop.example');
    assert.deepEqual(corsHeaders({ origin: 'https://evil.example' }, allowed), { vary: 'Origin' });
    assert.deepEqual(corsHeaders({}, allowed), { vary: 'Origin' });
    assert.deepEqual(corsHeaders({ origin: 'https://shop.example' }, new Set()), {});
  });

  it('answers a preflight of an allowed origin with the headers that exporters send', () => {
    const headers = preflightHeaders(preflight, allowed);
    assert.equal(headers?.['access-control-allow-headers'], 'api-key, content-type, content-encoding');
    assert.equal(headers?.['access-control-allow-methods'], 'POST');
    assert.ok(Number(headers?.['access-control-max-age']) > 0);
  });

  it('answers no other', () => {
    assert.equal(preflightHeaders({ ...preflight, origin: 'https://evil.example' }, allowed), undefined);
    assert.equal(preflightHeaders({ ...preflight, origin: 'null' }, allowed), undefined);
    assert.equal(preflightHeaders({ origin: 'https://shop.example' }, allowed), undefined);
    assert.equal(preflightHeaders(preflight, new Set()), undefined);
  });
});

import assert from 'node:assert/strict';
import { buildCorsHeaders, buildPreflightHeaders } from '../../../../src/http/otlp/otlp-http-handler.js';

const allowed = new Set(['https://shop.example']);
const preflight = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };

describe('CORS', () => {
  it('names the origin that may read the answer, never *', () => {
    assert.equal(
      buildCorsHeaders({ origin: 'https://shop.example' }, allowed)['access-control-allow-origin'],
      'https://shop.example',
    );
    assert.deepEqual(buildCorsHeaders({ origin: 'https://evil.example' }, allowed), { vary: 'Origin' });
    assert.deepEqual(buildCorsHeaders({}, allowed), { vary: 'Origin' });
    assert.deepEqual(buildCorsHeaders({ origin: 'https://shop.example' }, new Set()), {});
  });

  it('answers a preflight of an allowed origin with the headers that exporters send', () => {
    const headers = buildPreflightHeaders(preflight, allowed);
    assert.equal(headers?.['access-control-allow-headers'], 'api-key, content-type, content-encoding');
    assert.equal(headers?.['access-control-allow-methods'], 'POST');
    assert.ok(Number(headers?.['access-control-max-age']) > 0);
  });

  it('answers no other', () => {
    assert.equal(buildPreflightHeaders({ ...preflight, origin: 'https://evil.example' }, allowed), undefined);
    assert.equal(buildPreflightHeaders({ ...preflight, origin: 'null' }, allowed), undefined);
    assert.equal(buildPreflightHeaders({ origin: 'https://shop.example' }, allowed), undefined);
    assert.equal(buildPreflightHeaders(preflight, new Set()), undefined);
  });
});

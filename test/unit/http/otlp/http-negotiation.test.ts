import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { negotiateRequest, resolveSignal } from '../../../../src/http/otlp/http-negotiation.js';

const protobuf = { 'content-type': 'application/x-protobuf' };

function ask(headers: IncomingHttpHeaders = protobuf, path = '/v1/traces', method = 'POST') {
  return negotiateRequest({ method, path, headers });
}

function kindOf(answer: ReturnType<typeof negotiateRequest>): string {
  return 'kind' in answer ? answer.kind : 'negotiated';
}

describe('resolveSignal and negotiateRequest', () => {
  it('finds the signal behind a prefix, before a slash and before a query', () => {
    assert.equal(resolveSignal('/v1/traces'), 'traces');
    assert.equal(resolveSignal('/v1/logs/'), 'logs');
    assert.equal(resolveSignal('/otlp/eu/v1/metrics?x=/v1/logs'), 'metrics');
    assert.equal(resolveSignal('http://host/v1/traces'), 'traces');
    for (const path of [
      '/',
      '',
      '/v1/trace',
      '/v1/traces/x',
      '/v1/profiles',
      '/?/v1/traces',
      '/xv1/traces',
      '%',
      '/v1//traces',
    ]) {
      assert.equal(resolveSignal(path), undefined, path);
    }
  });

  it('reads media types with parameters and in any case', () => {
    const formats = ['application/json; charset=utf-8', 'Application/JSON', 'application/x-protobuf ;v=1'].map((type) =>
      ask({ 'content-type': type }),
    );
    assert.deepEqual(
      formats.map((each) => 'format' in each && each.format),
      ['json', 'json', 'protobuf'],
    );
  });

  it('knows the content codings, and none twice', () => {
    const encodings = {
      gzip: 'gzip',
      GZIP: 'gzip',
      'x-gzip': 'gzip',
      deflate: 'deflate',
      zlib: 'deflate',
      zstd: 'zstd',
      identity: 'identity',
      '': 'identity',
    };
    for (const [coding, encoding] of Object.entries(encodings)) {
      const answer = ask({ ...protobuf, 'content-encoding': coding });
      assert.equal('encoding' in answer && answer.encoding, encoding, coding);
    }
    for (const coding of ['br', 'gzip, gzip', 'constructor', '__proto__']) {
      assert.equal(kindOf(ask({ ...protobuf, 'content-encoding': coding })), 'unsupported-encoding', coding);
    }
  });

  it('takes the announced length', () => {
    const answer = ask({ ...protobuf, 'content-length': '12' });
    assert.equal('announcedBytes' in answer && answer.announcedBytes, 12);
  });

  it('refuses in this order: path, method, media type, coding', () => {
    assert.equal(kindOf(ask({}, '/', 'GET')), 'not-found');
    assert.equal(kindOf(ask({}, '/v1/traces', 'GET')), 'method-not-allowed');
    assert.equal(kindOf(ask({ 'content-encoding': 'br' })), 'unsupported-media-type');
    assert.equal(kindOf(ask({ 'content-type': 'text/plain' })), 'unsupported-media-type');
    assert.equal(kindOf(ask({ ...protobuf, 'content-encoding': 'br' })), 'unsupported-encoding');
  });

  it('tells who posts to / where to go, and who posts profiles that there is no such place', () => {
    const lost = ask(protobuf, '/');
    assert.ok('message' in lost && lost.message.includes('/v1/traces'), 'names the path');
    assert.deepEqual(ask(protobuf, '/v1development/profiles'), {
      kind: 'not-found',
      message: 'profiles are not supported',
    });
  });
});

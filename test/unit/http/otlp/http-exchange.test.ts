import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { negotiateRequest, readPresentedKey, resolveSignal } from '../../../../src/http/otlp/http-exchange.js';

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
      snappy: 'snappy',
      'x-snappy-framed': 'snappy',
      lz4: 'lz4',
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

  it("takes Zipkin's JSON at its path, and nothing else there", () => {
    const json = { 'content-type': 'application/json' };
    const answer = ask(json, '/api/v2/spans');
    assert.deepEqual('format' in answer && [answer.signal, answer.format], ['traces', 'zipkin']);
    assert.equal(kindOf(ask(protobuf, '/api/v2/spans')), 'unsupported-media-type');
    assert.equal(kindOf(ask(json, '/api/v1/spans')), 'not-found');
  });

  it("takes what Loki's clients push, whose protobuf is compressed whether they say so or not", () => {
    for (const coding of ['', 'snappy']) {
      const answer = ask({ ...protobuf, 'content-encoding': coding }, '/loki/api/v1/push');
      assert.deepEqual('format' in answer && [answer.signal, answer.format, answer.encoding], [
        'logs',
        'loki-protobuf',
        'snappy',
      ]);
    }
    const json = ask({ 'content-type': 'application/json' }, '/loki/api/v1/push');
    assert.deepEqual('format' in json && [json.format, json.encoding], ['loki-json', 'identity']);
  });

  it('takes what Prometheus writes, by the message that its media type names', () => {
    const write = (type: string, coding = 'snappy') =>
      ask({ 'content-type': type, 'content-encoding': coding }, '/api/v1/write');
    for (const [type, format] of [
      ['application/x-protobuf', 'remote-write-1'],
      ['application/x-protobuf;proto=prometheus.WriteRequest', 'remote-write-1'],
      ['application/x-protobuf;proto=io.prometheus.write.v2.Request', 'remote-write-2'],
      ['Application/X-Protobuf; charset=x; proto="io.prometheus.write.v2.Request"', 'remote-write-2'],
    ])
      for (const coding of ['', 'snappy']) {
        const answer = write(type, coding);
        assert.deepEqual('format' in answer && [answer.signal, answer.format, answer.encoding], [
          'metrics',
          format,
          'snappy',
        ]);
      }
    for (const type of ['application/x-protobuf;proto=io.prometheus.write.v3.Request', 'application/json', '']) {
      const answer = write(type);
      assert.equal(kindOf(answer), 'unsupported-media-type');
      assert.ok('message' in answer && answer.message.includes('proto=io.prometheus.write.v2.Request'));
    }
  });

  it('reads the key of Prometheus from either header, and elsewhere from its own only', () => {
    const read = (headers: IncomingHttpHeaders, path = '/api/v1/write?x') => readPresentedKey({ path, headers });
    const basic = `Basic ${Buffer.from('any:hs_1').toString('base64')}`;
    for (const headers of [{ 'api-key': 'hs_1' }, { authorization: 'Bearer hs_1' }, { authorization: basic }]) {
      assert.equal(read(headers), 'hs_1');
      assert.equal(read(headers, '/v1/metrics'), 'api-key' in headers ? 'hs_1' : undefined);
    }
    assert.equal(read({ 'api-key': 'hs_2', authorization: 'Bearer hs_1' }), 'hs_2');
    for (const authorization of ['hs_1', 'Bearer', 'Bearer a, Bearer b', 'Basic aHMx', 'Digest hs_1'])
      assert.equal(read({ authorization }), undefined, authorization);
    assert.equal(read({ 'api-key': 'hs_1, hs_2', authorization: 'Bearer hs_1' }), undefined);
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

  it('informs who posts to / where to go, and who posts profiles that there is no such place', () => {
    const lost = ask(protobuf, '/');
    assert.ok('message' in lost && lost.message.includes('/v1/traces'), 'names the path');
    assert.deepEqual(ask(protobuf, '/v1development/profiles'), {
      kind: 'not-found',
      message: 'profiles are not supported',
    });
  });
});

import assert from 'node:assert/strict';
import { toGrpcResponse } from '../../../../src/http/otlp/grpc-messages.js';
import { toHttpResponse } from '../../../../src/http/otlp/http-exchange.js';
import {
  createOutOfMemoryRefusal,
  createOverloadedRefusal,
  createRefusal,
  createUnavailableRefusal,
  type Refusal,
} from '../../../../src/http/otlp/export-outcome.js';
import { badRequest, retryInfo, statusBytes } from './support/rpc-status.js';

interface Row {
  readonly outcome: Refusal;
  readonly http: number;
  readonly rpc: number;
  readonly detail?: Buffer;
  readonly header?: readonly [name: string, value: string];
}

const TABLE: readonly Row[] = [
  {
    outcome: createRefusal('unauthenticated', 'who?'),
    http: 401,
    rpc: 16,
    header: ['www-authenticate', 'ApiKey realm="otlp"'],
  },
  { outcome: createRefusal('forbidden', 'no'), http: 403, rpc: 7 },
  { outcome: createRefusal('malformed', 'odd'), http: 400, rpc: 3, detail: badRequest('body', 'odd') },
  { outcome: createRefusal('too-large', 'big'), http: 413, rpc: 8 },
  { outcome: createRefusal('not-found', 'where?'), http: 404, rpc: 12 },
  { outcome: createRefusal('method-not-allowed', 'how?'), http: 405, rpc: 12, header: ['allow', 'POST'] },
  {
    outcome: createRefusal('unsupported-media-type', 'what?'),
    http: 415,
    rpc: 12,
    header: ['accept', 'application/x-protobuf, application/json'],
  },
  {
    outcome: createRefusal('unsupported-encoding', 'br?'),
    http: 415,
    rpc: 12,
    header: ['accept-encoding', 'gzip, deflate, zstd, snappy, lz4, identity'],
  },
  {
    outcome: createOverloadedRefusal('full', 1_250),
    http: 429,
    rpc: 8,
    detail: retryInfo(1_250),
    header: ['retry-after', '2'],
  },
  {
    outcome: createOverloadedRefusal('full', 3),
    http: 429,
    rpc: 8,
    detail: retryInfo(3),
    header: ['retry-after', '1'],
  },
  { outcome: createOutOfMemoryRefusal(), http: 429, rpc: 8, detail: retryInfo(1_000), header: ['retry-after', '1'] },
  {
    outcome: createUnavailableRefusal('away'),
    http: 503,
    rpc: 14,
    detail: retryInfo(1_000),
    header: ['retry-after', '1'],
  },
];

/** What OTLP lets a sender repeat; anything else makes it drop the data. */
const RETRYABLE_HTTP = [429, 502, 503, 504];

describe('answers on the wire', () => {
  for (const { outcome, http, rpc, detail, header } of TABLE) {
    const name = 'retryAfterMs' in outcome ? `${outcome.kind}, retry after ${outcome.retryAfterMs} ms` : outcome.kind;

    it(`HTTP, protobuf: ${name} is ${http}`, () => {
      const answer = toHttpResponse(outcome, 'traces', 'protobuf');
      assert.equal(answer.status, http);
      assert.equal(answer.headers['content-type'], 'application/x-protobuf');
      assert.equal(Buffer.from(answer.body).toString('hex'), statusBytes(rpc, outcome.message, detail).toString('hex'));
      if (header !== undefined) assert.equal(answer.headers[header[0]], header[1]);
      assert.equal('retryAfterMs' in outcome, RETRYABLE_HTTP.includes(http));
    });

    it(`HTTP, JSON: ${name} is ${http}`, () => {
      const answer = toHttpResponse(outcome, 'traces', 'json');
      const status = JSON.parse(Buffer.from(answer.body).toString()) as {
        code: number;
        message: string;
        details?: { '@type': string }[];
      };
      assert.equal(answer.headers['content-type'], 'application/json');
      assert.deepEqual([status.code, status.message], [rpc, outcome.message]);
      assert.equal(status.details?.length ?? 0, detail === undefined ? 0 : 1);
    });

    it(`gRPC: ${name} is code ${rpc}`, () => {
      const answer = toGrpcResponse(outcome, 'traces');
      assert.equal(answer.message, undefined, 'trailers only');
      assert.equal(answer.headers['grpc-status'], String(rpc));
      assert.equal(answer.headers['grpc-message'], outcome.message);
      assert.equal(
        answer.headers['grpc-status-details-bin'],
        statusBytes(rpc, outcome.message, detail).toString('base64'),
      );
      assert.equal(answer.headers['grpc-accept-encoding'], 'identity,deflate,gzip,zstd,snappy,lz4');
    });
  }

  it('to Prometheus says what was written, in version 2 whatever the outcome', () => {
    const written = { samples: 3, histograms: 2, exemplars: 1 };
    const headers = (samples: number, histograms: number, exemplars: number) => ({
      'x-prometheus-remote-write-samples-written': String(samples),
      'x-prometheus-remote-write-histograms-written': String(histograms),
      'x-prometheus-remote-write-exemplars-written': String(exemplars),
    });
    const whole = { kind: 'accepted', rejected: 0, message: '', written } as const;
    assert.deepEqual(toHttpResponse(whole, 'metrics', 'remote-write-1'), {
      status: 204,
      headers: {},
      body: new Uint8Array(0),
    });
    const second = toHttpResponse(whole, 'metrics', 'remote-write-2');
    assert.deepEqual([second.status, second.headers], [204, headers(3, 2, 1)]);
    const partly = { ...whole, rejected: 1, message: '1 sample rejected: old' };
    for (const format of ['remote-write-1', 'remote-write-2'] as const) {
      const answer = toHttpResponse(partly, 'metrics', format);
      assert.equal(answer.status, 400);
      assert.match(Buffer.from(answer.body).toString(), /1 sample rejected: old/);
    }
    for (const { outcome, http } of TABLE) {
      const { status, headers: sent } = toHttpResponse(outcome, 'metrics', 'remote-write-2');
      assert.equal(status, http);
      assert.deepEqual({ ...sent, ...headers(0, 0, 0) }, sent);
    }
  });

  it('a full success leaves partial_success unset', () => {
    const outcome = { kind: 'accepted', rejected: 0, message: '' } as const;
    assert.equal(toHttpResponse(outcome, 'logs', 'protobuf').body.byteLength, 0);
    assert.equal(Buffer.from(toHttpResponse(outcome, 'logs', 'json').body).toString(), '{}');
    const grpc = toGrpcResponse(outcome, 'logs');
    assert.deepEqual([...(grpc.message ?? [])], [0, 0, 0, 0, 0]);
    assert.ok(grpc.message !== undefined && grpc.trailers['grpc-status'] === '0');
  });

  it('a partial success is a success that names how many and why', () => {
    const outcome = { kind: 'accepted', rejected: 3, message: 'bad id' } as const;
    const partial = Buffer.from([0x0a, 10, 0x08, 3, 0x12, 6, ...Buffer.from('bad id')]);
    const http = toHttpResponse(outcome, 'traces', 'protobuf');
    assert.equal(http.status, 200);
    assert.deepEqual(Buffer.from(http.body), partial);
    for (const [signal, field] of [
      ['traces', 'rejectedSpans'],
      ['logs', 'rejectedLogRecords'],
      ['metrics', 'rejectedDataPoints'],
    ] as const) {
      const json = JSON.parse(Buffer.from(toHttpResponse(outcome, signal, 'json').body).toString()) as {
        partialSuccess: Record<string, unknown>;
      };
      assert.equal(String(json.partialSuccess[field]), '3');
      assert.equal(json.partialSuccess['errorMessage'], 'bad id');
    }
  });

  it('cuts messages that would not fit', () => {
    const long = 'ä'.repeat(100_000);
    const partly = { kind: 'accepted', rejected: 1, message: long } as const;
    for (const format of ['protobuf', 'json'] as const)
      assert.ok(toHttpResponse(partly, 'traces', format).body.byteLength < 10_000);
    assert.ok(toGrpcResponse(partly, 'traces').message!.byteLength < 10_000);
    assert.ok(toHttpResponse(createRefusal('malformed', long), 'traces', 'json').body.byteLength < 10_000);
    const grpc = toGrpcResponse(createRefusal('malformed', long), 'traces');
    const bytes = Object.values(grpc.headers).reduce<number>((sum, value) => sum + String(value).length, 0);
    assert.ok(bytes < 8_000, `${bytes} bytes of headers`);
  });
});

import assert from 'node:assert/strict';
import http from 'node:http';
import fc from 'fast-check';
import { ExportValidatorPool } from '../../../../src/http/otlp/export-validator-pool.js';
import { createTelemetryGenerator } from '../../../support/telemetry-generator.js';
import { post } from './support/http-client.js';
import { Http2Client } from './support/http2-client.js';
import { startServer, type TestServer } from './support/otlp-server.js';

const RUNS = 500;
const golden = createTelemetryGenerator(3, { startNs: BigInt(Date.now()) * 1_000_000n }).traces(20);

/** What stands at some places is replaced, cut out or doubled. */
const edit = fc.record({ at: fc.nat(golden.byteLength), cut: fc.nat(6), bytes: fc.uint8Array({ maxLength: 6 }) });
const mutated = fc
  .array(edit, { minLength: 1, maxLength: 4 })
  .map((edits) =>
    edits.reduce(
      (body, { at, cut, bytes }) => Buffer.concat([body.subarray(0, at), bytes, body.subarray(at + cut)]),
      golden,
    ),
  );

describe('mutated requests', function () {
  const validator = new ExportValidatorPool({ threads: 1, maxWaiting: 1_000 });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  let running: TestServer;

  before(async () => (running = await startServer({ validator })));
  after(async () => {
    agent.destroy();
    await running.server.close();
    await validator.close();
  });

  it(`are taken or refused for good over HTTP, ${RUNS} of them`, async () => {
    const type = fc.constantFrom('application/x-protobuf', 'application/json');
    const coding = fc.constantFrom('identity', 'identity', 'gzip', 'deflate', 'zstd', 'snappy', 'lz4');
    const path = fc.constantFrom('/v1/traces', '/v1/logs', '/v1/metrics');
    await fc.assert(
      fc.asyncProperty(mutated, type, coding, path, async (body, contentType, contentEncoding, to) => {
        const reply = await post(running.ports.http, {
          agent,
          path: to,
          body,
          headers: { 'content-type': contentType, 'content-encoding': contentEncoding },
        });
        assert.ok([200, 400, 413].includes(reply.status), `${reply.status}`);
        assert.equal(reply.headers['content-type'], contentType);
      }),
      { numRuns: RUNS },
    );
    assert.deepEqual(running.log.lines, []);
  });

  it(`are taken or refused for good over gRPC, ${RUNS} of them`, async () => {
    const client = new Http2Client(running.ports.grpc);
    await fc.assert(
      fc.asyncProperty(mutated, fc.option(fc.uint8Array({ maxLength: 9 })), async (body, frame) => {
        const { code } = await client.call(body, {}, frame ?? undefined);
        assert.ok([0, 3, 8].includes(code), `${code}`);
      }),
      { numRuns: RUNS },
    );
    client.close();
    assert.deepEqual(running.log.lines, []);
  });
});

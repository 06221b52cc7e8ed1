import assert from 'node:assert/strict';
import { Agent, request as httpRequest } from 'node:http';
import { connect, type ClientHttp2Session } from 'node:http2';
import fc from 'fast-check';
import { createTelemetryGenerator } from '../support/telemetry-generator.js';
import { scaleToBudget, SEED } from '../support/faults/budget.js';
import { createOwnedGrids } from '../support/load/owned-grids.js';
import { ServiceProcess } from '../support/service.js';
import { shortest } from '../support/measurement.js';

const REQUESTS = scaleToBudget('MUTATED_REQUESTS', 20_000, 1_000_000);
/** Requests generated at a time, so that those of a long run are not all in memory. */
const ROUND = 20_000;
const STALL_MS = 200;
/** Refusals of one owner are sent at most every 20 ms. */
const OWNERS = Array.from({ length: 32 }, (_, n) => `owner-${n}`);
const SIGNALS = ['traces', 'logs', 'metrics'] as const;
const GRPC_METHODS = {
  traces: 'trace.v1.TraceService',
  logs: 'logs.v1.LogsService',
  metrics: 'metrics.v1.MetricsService',
};
/** Permitted gRPC statuses: OK, INVALID_ARGUMENT, RESOURCE_EXHAUSTED, UNIMPLEMENTED, UNAVAILABLE under load. */
const GRPC_EXPECTED = new Set(['0', '3', '8', '12', '14']);

type Mutation =
  | { readonly kind: 'flip' | 'insert' | 'truncate'; readonly at: number; readonly value: number }
  | { readonly kind: 'length-bomb'; readonly at: number }
  | { readonly kind: 'splice'; readonly at: number; readonly from: number; readonly size: number };

const place = fc.double({ min: 0, max: 0.999, noNaN: true });
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('flip' as const, 'insert' as const, 'truncate' as const),
    at: place,
    value: fc.integer({ min: 0, max: 255 }),
  }),
  fc.record({ kind: fc.constant('length-bomb' as const), at: place }),
  fc.record({ kind: fc.constant('splice' as const), at: place, from: place, size: fc.integer({ min: 1, max: 64 }) }),
);

function mutate(bytes: Buffer, mutations: readonly Mutation[]): Buffer {
  return mutations.reduce((current, each) => {
    const at = Math.floor(each.at * current.length);
    switch (each.kind) {
      case 'flip':
        return Buffer.concat([current.subarray(0, at), Buffer.of(each.value), current.subarray(at + 1)]);
      case 'insert':
        return Buffer.concat([current.subarray(0, at), Buffer.of(each.value), current.subarray(at)]);
      case 'truncate':
        return current.subarray(0, at);
      case 'length-bomb':
        return Buffer.concat([
          current.subarray(0, at),
          Buffer.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f),
          current.subarray(at),
        ]);
      case 'splice': {
        const from = Math.floor(each.from * current.length);
        return Buffer.concat([current.subarray(0, at), current.subarray(from, from + each.size), current.subarray(at)]);
      }
      default:
        return each satisfies never;
    }
  }, bytes);
}

describe(`${REQUESTS} mutated export requests`, function () {
  this.timeout(Math.max(300_000, REQUESTS * 15));
  let service: ServiceProcess;
  let apiKeys: readonly string[];
  let sent = 0;
  let session: ClientHttp2Session;
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });

  before(async () => {
    service = await ServiceProcess.prepare();
    apiKeys = (await createOwnedGrids(service.dataDir, OWNERS)).map(({ apiKey }) => apiKey);
    await service.start();
    session = connect(service.otlpGrpcUrl);
  });
  after(async () => {
    session.destroy();
    agent.destroy();
    await service.dispose();
  });

  const nextKey = (): string => apiKeys[sent++ % apiKeys.length];

  function overHttp(signal: string, type: string, encoding: string | undefined, body: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = {
        'api-key': nextKey(),
        'content-type': type,
        'content-length': body.length,
        ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      };
      const call = httpRequest(
        `${service.otlpHttpUrl}/v1/${signal}`,
        { method: 'POST', agent, headers },
        (response) => {
          response.resume();
          assert.equal(response.headers['content-type'], type, 'the answer is in the encoding of the request');
          response.on('end', () => resolve(response.statusCode ?? 0));
        },
      );
      call.on('error', reject);
      call.end(body);
    });
  }

  function overGrpc(signal: (typeof SIGNALS)[number], body: Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': `/opentelemetry.proto.collector.${GRPC_METHODS[signal]}/Export`,
        'content-type': 'application/grpc',
        te: 'trailers',
        'api-key': nextKey(),
      });
      let status = '';
      stream.on('response', (headers) => (status = String(headers['grpc-status'] ?? status)));
      stream.on('trailers', (trailers) => (status = String(trailers['grpc-status'] ?? status)));
      stream.on('error', reject);
      stream.on('close', () => resolve(status));
      stream.resume();
      stream.end(body);
    });
  }

  /** Longest response time (ms) of `/live` while the requests are sent, which reveals a blocked main thread. */
  async function longestStall(work: Promise<void>): Promise<number> {
    let longest = 0;
    let working = true;
    void work.finally(() => (working = false)).catch(() => undefined);
    while (working) {
      const begin = performance.now();
      await (await fetch(`${service.apiUrl}/live`)).arrayBuffer();
      longest = Math.max(longest, performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await work;
    return longest;
  }

  it(`cause no crash, server error, or stall over ${STALL_MS} ms`, async () => {
    const startNs = BigInt(Date.now()) * 1_000_000n;
    // Each attempt is a millisecond later: an acknowledged request is not appended again, so a stall of the append would not recur.
    const goldenOf = (round: number, tried: number) => {
      const generator = createTelemetryGenerator(11 + round, { startNs: startNs + BigInt(tried) * 1_000_000n });
      return { traces: generator.traces(20), logs: generator.logs(20), metrics: generator.metrics(20) };
    };
    const draw = (round: number) =>
      fc.sample(
        fc.tuple(
          fc.constantFrom(...SIGNALS),
          fc.constantFrom('protobuf', 'json', 'gzip', 'zstd', 'grpc'),
          fc.array(mutation, { minLength: 1, maxLength: 4 }),
        ),
        { numRuns: Math.min(ROUND, REQUESTS - round * ROUND), seed: SEED + round },
      );
    const outcomes = new Map<string, number>();
    const send = async (cases: ReturnType<typeof draw>, golden: ReturnType<typeof goldenOf>) => {
      outcomes.clear();
      let next = 0;
      const lane = async () => {
        for (let item = cases[next++]; item !== undefined; item = cases[next++]) {
          const [signal, form, mutations] = item;
          const body = mutate(golden[signal], mutations);
          const outcome =
            form === 'grpc' ? await grpcOutcome(signal, body, mutations) : await httpOutcome(signal, form, body);
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: 8 }, lane));
    };
    const httpOutcome = async (signal: string, form: string, body: Buffer) => {
      const status = await overHttp(
        signal,
        form === 'json' ? 'application/json' : 'application/x-protobuf',
        form === 'gzip' || form === 'zstd' ? form : undefined,
        body,
      );
      assert.ok(status < 500 || status === 503, `seed ${SEED}: status ${status}`);
      return String(status);
    };
    const grpcOutcome = async (signal: (typeof SIGNALS)[number], body: Buffer, mutations: readonly Mutation[]) => {
      const frame = Buffer.alloc(5);
      frame.writeUInt32BE(mutations.length > 3 ? body.length + 7 : body.length, 1);
      const status = await overGrpc(signal, Buffer.concat([frame, body]));
      assert.ok(GRPC_EXPECTED.has(status), `seed ${SEED}: grpc-status ${status}`);
      return `grpc ${status}`;
    };
    let stall = 0;
    for (let round = 0; round * ROUND < REQUESTS; round++) {
      // Generated before the measurement, since it blocks this process.
      const cases = draw(round);
      // Mutations that block the main thread do so every time they are sent.
      let tried = 0;
      stall = Math.max(stall, await shortest(STALL_MS, () => longestStall(send(cases, goldenOf(round, tried++)))));
      assert.ok(
        (outcomes.get('400') ?? 0) > cases.length / 20 && (outcomes.get('200') ?? 0) > 0,
        JSON.stringify([...outcomes]),
      );
    }
    assert.ok(stall < STALL_MS, `the serving thread stalled for ${stall.toFixed(0)} ms (seed ${SEED})`);
    assert.ok(!service.logLines.some((line) => /uncaught|unhandled/i.test(line)));
  });
});

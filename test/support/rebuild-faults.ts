import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { connectControlSocket, controlSocketPath } from '../../src/operations/control-socket.js';
import type { Progress, RebuildOutcome, ServiceOperations } from '../../src/operations/operations-port.js';
import { ApiClient } from './api-client.js';
import { Random } from './generator/random.js';
import { sendUntilAcknowledged, rootSpans, send } from './sender.js';
import { ServiceProcess } from './service.js';
import { waitUntil } from './wait-until.js';
import { createTelemetryGenerator } from './telemetry-generator.js';

const BATCH = 500;
const SEED = 17;

export interface RebuildFaults {
  readonly spans: number;
  /** Number of kills during one rebuild. */
  readonly kills: number;
}

/** Rebuilds traces of a service that is killed repeatedly, and of one under load. */
export function rebuildUnderFaults({ spans, kills }: RebuildFaults): void {
  describe(`rebuilds of ${spans} spans`, function () {
    this.timeout(120_000 + spans);
    let service: ServiceProcess;
    let apiKey: string;
    let gridId: string;

    before(async () => {
      service = await ServiceProcess.start({
        LOG_LEVEL: 'info',
        RATE_LIMIT_USER_PER_MINUTE: '0',
        RATE_LIMIT_GRID_PER_MINUTE: '0',
      });
      ({ apiKey, gridId } = await service.bootstrap());
      await fill();
    });
    after(() => service.dispose());

    async function fill(): Promise<void> {
      const generator = createTelemetryGenerator(SEED, {
        startNs: BigInt(Date.now() - 600_000) * 1_000_000n,
        perSecond: 5_000,
      });
      for (let sent = 0; sent < spans; sent += BATCH) await post(gzipSync(generator.traces(BATCH)));
    }

    async function post(body: Uint8Array): Promise<void> {
      const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip', 'api-key': apiKey };
      for (let status = 0; status !== 200;) {
        const response = await fetch(`${service.otlpHttpUrl}/v1/traces`, { method: 'POST', headers, body });
        await response.arrayBuffer();
        status = response.status;
        if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 200)); // the machine cannot keep up
      }
    }

    async function control(): Promise<ServiceOperations> {
      const running = await connectControlSocket(controlSocketPath(service.dataDir));
      assert.ok(running);
      return running;
    }

    const reported = (message: string) =>
      service.logLines
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as { message: string; fields: RebuildOutcome })
        .filter((entry) => entry.message === message);

    it(`resume after each of ${kills} kills and give the same result`, async () => {
      const random = new Random(SEED);
      const { digest } = await (await control()).replay('traces', {}, () => undefined);
      const killed = new Promise<void>((resolve) => {
        const onProgress = (progress: Progress): void => {
          if (progress.done > progress.total / 4) resolve();
        };
        void control()
          .then((running) => running.replay('traces', {}, onProgress))
          .catch(() => resolve());
      });
      await killed;
      for (let kill = 0; kill < kills; kill++) {
        await service.signal('SIGKILL');
        await service.start();
        await new Promise((resolve) => setTimeout(resolve, random.below(200)));
      }
      assert.ok(reported('Rebuilding projection').length > 0, 'a kill met the rebuild');
      await waitUntil(
        async () => (await rebuiltAgain()) !== undefined,
        'the rebuild is over, and another one can be had',
        60_000 + spans,
      );
      const verified = await (await control()).verify('traces');
      assert.ok(verified.equal);
      assert.equal(verified.live, digest);
      for (const { fields } of reported('Projection rebuilt'))
        assert.deepEqual([fields.digest, fields.former?.equal], [digest, true]);
    });

    /** Waits for the end of a rebuild: while one is running, another is rejected. */
    async function rebuiltAgain(): Promise<RebuildOutcome | undefined> {
      const running = await control();
      return running
        .replay('traces', {}, () => undefined)
        .catch((error: { code?: string }) => {
          if (error.code === 'conflict') return undefined;
          throw error;
        });
    }

    it('block neither queries nor ingestion, and lose nothing at the swap', async () => {
      const api = new ApiClient(service.apiUrl, { 'api-key': apiKey });
      const range = {
        rangeStart: new Date(Date.now() - 3_600_000).toISOString(),
        rangeEnd: new Date(Date.now() + 600_000).toISOString(),
        pageSize: 1,
      };
      const count = async () => api.post<{ totalCount: number }>(`/apm/traces/${gridId}`, range);
      const before = (await count()).body.totalCount;
      let isOver = false;
      let sent = 0;
      const refused: string[] = [];
      const writer = (async () => {
        for (; !isOver; sent += 10) {
          const request = rootSpans(10);
          await send(service.otlpHttpUrl, apiKey, request);
          if (request.outcome !== 'acknowledged') {
            refused.push(request.outcome);
            await sendUntilAcknowledged(service.otlpHttpUrl, apiKey, request);
          }
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      })();
      const reads: number[] = [];
      const reader = (async () => {
        for (let seen = before; !isOver;) {
          const { status, body } = await count();
          reads.push(status);
          assert.ok(body.totalCount >= seen, `${body.totalCount} after ${seen}`);
          seen = body.totalCount;
        }
      })();
      const rebuilt = await (await control()).replay('traces', {}, () => undefined);
      isOver = true;
      await Promise.all([writer, reader]);
      assert.equal(rebuilt.former?.equal, true);
      assert.deepEqual(refused, []);
      assert.ok(reads.length > 0 && reads.every((status) => status === 200), reads.join());
      await waitUntil(async () => (await count()).body.totalCount === before + sent, 'all that was sent is found');
      assert.ok((await (await control()).verify('traces')).equal);
    });
  });
}

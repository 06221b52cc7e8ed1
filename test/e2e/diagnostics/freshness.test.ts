import assert from 'node:assert/strict';
import { BlackBox } from '../../support/black-box.js';
import { KIND, spanId, spansOf, traceId } from '../../support/otlp-requests.js';
import { waitUntil } from '../../support/wait-until.js';

const TRIES = 8;
/** The specification demands 1 s; a machine shared with other tests gets twice that (ms). */
const LIMIT_MS = 2_000;

interface Named {
  readonly serviceName?: string;
  readonly name?: string;
  readonly requestCount: number;
}

describe('acknowledged telemetry', function () {
  this.timeout(60_000);
  let box: BlackBox;
  let spans = 0;

  before(async () => (box = await BlackBox.start()));
  after(() => box.dispose());

  async function acknowledged(service: string): Promise<void> {
    const end = BigInt(Date.now()) * 1_000_000n;
    const span = {
      traceId: traceId(++spans),
      spanId: spanId(spans),
      name: 'GET /',
      kind: KIND.server,
      start: end - 20_000_000n,
      end,
    };
    assert.equal((await box.send('traces', spansOf(service, span))).status, 200);
  }

  async function counted(path: string, list: string, service: string): Promise<number | undefined> {
    const { body } = await box.api.get<Record<string, Named[]>>(`/apm/diagnostics/${box.gridId}/${path}`);
    return body[list].find(({ serviceName, name }) => (serviceName ?? name) === service)?.requestCount;
  }

  for (const [path, list] of [
    ['health', 'services'],
    ['services', 'services'],
    ['slowest-endpoints', 'endpoints'],
  ] as const) {
    it(`is visible in /${path} immediately under load`, async () => {
      const service = `of ${path}`;
      for (let sent = 1; sent <= TRIES; sent++) {
        await acknowledged(service);
        await acknowledged('noise');
        await waitUntil(
          async () => (await counted(path, list, service)) === sent,
          `${sent} requests in /${path}`,
          LIMIT_MS,
        );
      }
    });
  }
});

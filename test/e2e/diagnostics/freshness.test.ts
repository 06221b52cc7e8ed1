import assert from 'node:assert/strict';
import { BlackBox } from '../../support/black-box.js';
import { KIND, spanId, spansOf, traceId } from '../../support/otlp-requests.js';
import { until } from '../../support/service.js';

const TRIES = 8;
/** Of the contract: within 1 s. A machine that is shared with other tests gets twice that. */
const LIMIT_MS = 2_000;

interface Named {
  readonly serviceName?: string;
  readonly name?: string;
  readonly requestCount: number;
}

describe('what was acknowledged', function () {
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
    it(`shows in /${path} at once, while more comes in`, async () => {
      const service = `of ${path}`;
      for (let sent = 1; sent <= TRIES; sent++) {
        await acknowledged(service);
        await acknowledged('noise');
        await until(
          async () => (await counted(path, list, service)) === sent,
          `${sent} requests in /${path}`,
          LIMIT_MS,
        );
      }
    });
  }
});

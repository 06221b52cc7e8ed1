import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { FAULTS, type Fault, injectFault, removeFault } from '../../demo/faults.js';
import { Shop } from '../../demo/shop/shop.js';
import { BlackBox } from '../support/black-box.js';
import { IS_FULL } from '../support/faults/budget.js';
import { findContradictions, sampleStatuses, type StatusSample } from '../support/status-sampler.js';
import { waitUntil } from '../support/wait-until.js';

const INJECTED = FAULTS.filter(({ name }) => IS_FULL || name === 'error-burst');
/** A fault must be found, and must be over for the diagnosis, within this time. */
const LIMIT_MS = 300_000;
const SECOND_MS = 1_000;
/** Samples between two questions to the assistant, whose prompts are limited. */
const ASSISTANT_EVERY = 10;

/** While faults of the demo's shop begin and end, every view is asked once a second. */
describe('health, map, details, alerts, diagnosis, assistant and MCP', function () {
  this.timeout(INJECTED.length * 3 * LIMIT_MS);
  let box: BlackBox;
  let shop: Shop;
  let running: Promise<void>;
  let instance: string;
  let samples = 0;

  before(async () => {
    box = await BlackBox.start({ RATE_LIMIT_USER_PER_MINUTE: '0', RATE_LIMIT_GRID_PER_MINUTE: '0' });
    const { apiKey, gridId } = box;
    shop = new Shop({ otlpUrl: `http://127.0.0.1:${box.service.ports.otlpHttpPort}`, apiKey }, 1);
    running = shop.run();
    const session = await box.api.post<{ instanceSecondaryId: string }>(`/assistant/sessions/${gridId}`, {});
    instance = session.body.instanceSecondaryId;
  });
  after(async () => {
    await shop.close();
    await running;
    await box.dispose();
  });

  /** Samples once a second until `isDone`, and fails on the first contradiction. */
  async function sampleUntil(isDone: (sample: StatusSample) => boolean, what: string): Promise<void> {
    await waitUntil(
      async () => {
        const sample = await sampleStatuses(box.api, box.gridId);
        assert.deepEqual(findContradictions(sample), [], `sample ${samples}`);
        if (samples++ % ASSISTANT_EVERY === 0) await askAssistant(sample);
        await sleep(SECOND_MS - (Date.now() % SECOND_MS));
        return isDone(sample);
      },
      what,
      LIMIT_MS,
    );
  }

  /** The assistant must name the cause of a critical diagnosis that lasts. */
  async function askAssistant({ critical }: StatusSample): Promise<void> {
    const { status, body } = await box.api.post<{ response: string }>(`/assistant/chat/${instance}`, {
      prompt: 'Is anything broken?',
    });
    assert.equal(status, 200, JSON.stringify(body));
    const { critical: still, overall } = await sampleStatuses(box.api, box.gridId);
    for (const name of critical.filter((each) => still.includes(each)))
      assert.ok(body.response.includes(name), body.response);
    if (critical.length > 0 && overall === 'degraded')
      assert.doesNotMatch(body.response, /^All \d+ services are healthy/);
  }

  const stateOf = ({ views }: StatusSample, { rootCauses }: Fault): (string | undefined)[] =>
    rootCauses.map((name) => views.health.get(name)?.recentStatus);

  it('agree before the first fault, when there is a complete minute to compare with', async () => {
    const since = Date.now();
    await sampleUntil(() => Date.now() > since + 75 * SECOND_MS, 'a minute without faults');
  });

  for (const fault of INJECTED)
    it(`agree from the start of ${fault.name} until it is over`, async () => {
      injectFault(fault, shop);
      await sampleUntil(
        ({ critical, overall }) => overall === 'degraded' && critical.some((name) => fault.rootCauses.includes(name)),
        `${fault.name} is critical`,
      );
      removeFault(fault, shop);
      await sampleUntil(
        (sample) => sample.critical.length === 0 && !stateOf(sample, fault).includes('degraded'),
        `${fault.name} is over`,
      );
    });
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { KIND, logsOf, spansOf } from '../support/otlp-requests.js';
import { flipBodies } from '../support/flipped-bodies.js';
import { waitUntil } from '../support/wait-until.js';
import { assertForEveryone } from './support/page-checks.js';
import { PortalRun } from './support/portal-run.js';

const TRACE = 'dada'.repeat(8);
const SPAN = 'd00d'.repeat(4);

describe('the portal in a browser: damaged records', function () {
  this.timeout(120_000);
  let run: PortalRun;
  let gridId: string;

  before(async function () {
    run = await PortalRun.start(this);
    const { gridId: grid, apiKey } = await run.service.bootstrap();
    gridId = grid;
    const time = BigInt(Date.now() - 60_000) * 1_000_000n;
    const send = async (signal: 'traces' | 'logs', request: object): Promise<void> => {
      const response = await fetch(`${run.service.otlpHttpUrl}/v1/${signal}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'api-key': apiKey },
        body: JSON.stringify(request),
      });
      assert.equal(response.status, 200);
    };
    for (const body of ['the order was placed', 'the order was paid', 'the order was sent'])
      await send('logs', logsOf('shop', { time, severityNumber: 9, body, traceId: TRACE, spanId: SPAN }));
    const span = { traceId: TRACE, name: 'GET /', kind: KIND.server, start: time, end: time + 9_000_000n };
    await send('traces', spansOf('shop', { ...span, spanId: 'beef'.repeat(4), parentSpanId: SPAN }));
    await send('traces', spansOf('shop', { ...span, spanId: SPAN, attributes: [['order.id', '7']] }));
    await waitUntil(async () => {
      const metrics = await (await fetch(`${run.service.apiUrl}/metrics`)).text();
      const total = (name: string): number =>
        [...metrics.matchAll(new RegExp(`^\\w*${name}\\{[^}]*\\} (\\d+)`, 'gm'))].reduce(
          (sum, [, n]) => sum + Number(n),
          0,
        );
      return total('records_projected_total') >= 5;
    }, 'the telemetry is projected');
    flipBodies(join(run.service.dataDir, 'events.db'), ['LogsReceived.v1', 'TracesReceived.v1']);
  });
  after(() => run?.stop());

  it('are marked in lists and details, and the rest is shown', async () => {
    const { page, faults } = await run.signIn('user', `/portal/g/${gridId}/logs`);
    const entries = page.getByRole('list', { name: /^Log entries/ });
    await entries.getByText('the order was placed').waitFor();
    await entries.getByText('the order was sent').waitFor();
    const damaged = entries.getByRole('button', { name: /Damaged/ });
    assert.equal(await damaged.count(), 1);
    await damaged.click();
    await entries
      .getByRole('note')
      .getByText(/cannot be read: the stored data of this record/)
      .waitFor();
    assert.equal(await entries.getByText('Attributes', { exact: true }).count(), 0);
    await assertForEveryone(page, 'logs, a damaged entry unfolded');

    await page.goto(`${run.service.apiUrl}/portal/g/${gridId}/logs?q=${encodeURIComponent('"the order"')}`);
    await entries.getByText('the order was sent').waitFor();
    assert.equal(await damaged.count(), 1, 'the read models know its words');

    await page.goto(`${run.service.apiUrl}/portal/g/${gridId}/traces/${TRACE}?span=${SPAN}`);
    const panel = page.getByRole('complementary', { name: 'Selected span' });
    await panel
      .getByRole('note')
      .getByText(/The tags cannot be read/)
      .waitFor();
    await panel.getByRole('tab', { name: /^Events/ }).click();
    await panel
      .getByRole('note')
      .getByText(/Events cannot be read/)
      .waitFor();
    await panel.getByRole('tab', { name: /^Logs/ }).click();
    await panel.getByText('the order was sent').waitFor();
    await panel.getByRole('listitem').getByText('Damaged').waitFor();
    await assertForEveryone(page, 'a damaged span');
    assert.deepEqual(faults, []);
    await page.close();
  });
});

import assert from 'node:assert/strict';
import { exporters, emitFailedCheckout } from '../support/opentelemetry-application.js';
import { assertForEveryone } from './support/page-checks.js';
import { sharedPortal, type SharedPortal } from './support/shared-portal.js';

describe('the portal in a browser: the first span', function () {
  this.timeout(60_000);
  let portal: SharedPortal;

  before(async function () {
    portal = await sharedPortal(this);
  });

  it('issues a key, waits for data, and shows the first span', async () => {
    const { page, faults } = await portal.run.signIn('member', portal.path('administration?tab=instrument'));
    await page.getByLabel('Name of the new key').fill('first-app');
    await page.getByRole('button', { name: 'Issue key' }).click();
    await page.getByText('Copy the key now. It will not be shown again.').waitFor();
    await page.getByLabel('Service name').fill('first-app');
    const shown = page.getByRole('region', { name: 'Environment variables' });
    await shown.getByText('OTEL_SERVICE_NAME=first-app').waitFor();
    const variables = await shown.innerText();
    const [endpoint, apiKey] = [
      /OTEL_EXPORTER_OTLP_ENDPOINT="?([^\s"]+)/.exec(variables)?.[1],
      /api-key=([^\s"]+)/.exec(variables)?.[1],
    ];
    assert.ok(endpoint !== undefined && apiKey !== undefined, variables);
    await page.getByText('Waiting for the first span with this key').waitFor();
    const traceId = await emitFailedCheckout('first-app', exporters('http/protobuf', endpoint, apiKey, false));
    await page.getByText('First span received').waitFor();
    await assertForEveryone(page, 'the wizard');
    await page.getByRole('link', { name: 'Open trace' }).click();
    await page.waitForURL(`**/traces/${traceId}*`);
    await page.getByText('charge card').first().waitFor();
    assert.deepEqual(faults, []);
    await page.close();
  });

  it('shows the steps of each language, by keyboard too', async () => {
    const { page, faults } = await portal.run.signIn('member', portal.path('administration?tab=instrument'));
    const tabs = page.getByRole('tablist', { name: 'Language' }).getByRole('tab');
    await tabs.first().focus();
    const seen = new Set<string>();
    for (const title of (await tabs.allInnerTexts()).slice(1)) {
      await page.keyboard.press('ArrowRight');
      await page.getByRole('tab', { name: title, exact: true, selected: true }).waitFor();
      seen.add(await page.getByRole('tabpanel', { name: title, exact: true }).innerText());
    }
    assert.equal(seen.size, (await tabs.count()) - 1);
    assert.deepEqual(faults, []);
    await page.close();
  });
});

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { KIND, spansOf, STATUS } from '../support/otlp-requests.js';
import { waitUntil } from '../support/wait-until.js';
import { assertForEveryone } from './support/page-checks.js';
import { withPage } from './support/shared-page.js';
import type { SharedPortal } from './support/shared-portal.js';

const SLOW = 'c1'.repeat(16);
const FAST = 'c2'.repeat(16);

describe('the portal in a browser: two traces', function () {
  this.timeout(120_000);
  let portal: SharedPortal;
  let page: Page;

  withPage('user', (opened) => ({ portal, page } = opened));

  /** A refund that charges for so long (ms), and fails if it has an exception. */
  async function refund(traceId: string, chargeMs: number, exception?: string): Promise<void> {
    const startMs = Date.now() - 120_000;
    const at = (ms: number): bigint => BigInt(startMs + ms) * 1_000_000n;
    const id = (last: number): string => traceId.slice(0, 15) + String(last);
    const failed = exception !== undefined && { status: { code: STATUS.error, message: 'refused' } };
    const attributes = [['exception.type', exception ?? '']] as const;
    await portal.send(
      'traces',
      spansOf(
        'refunds',
        {
          traceId,
          spanId: id(1),
          name: 'POST /refund',
          kind: KIND.server,
          start: at(0),
          end: at(chargeMs + 20),
          ...failed,
        },
        {
          ...{ traceId, spanId: id(2), parentSpanId: id(1), name: 'return money', kind: KIND.internal },
          ...{ start: at(10), end: at(10 + chargeMs), ...failed },
          ...(exception !== undefined && {
            events: [{ name: 'exception', time: at(chargeMs), attributes: [...attributes] }],
          }),
        },
      ),
    );
    const path = `/apm/traces/${portal.gridId}/correlations/${traceId}/spans`;
    await waitUntil(async () => (await portal.owner.get(path)).status === 200, 'the trace can be read');
  }

  before(async () => {
    await refund(FAST, 40);
    await refund(SLOW, 400, 'RefundRefused');
  });

  it('are compared: from the page of one, with another of the same operation', async () => {
    await page.goto(portal.url(`traces/${SLOW}`));
    await page.getByRole('main').getByRole('link', { name: 'Compare', exact: true }).click();
    await page.getByRole('heading', { name: 'Compare with another trace of POST /refund' }).waitFor();
    const traces = page.getByRole('region', { name: 'Traces of POST /refund' });
    const choices = traces.getByRole('cell').getByText(FAST.slice(0, 8));
    await choices.first().waitFor();
    assert.deepEqual(await choices.allTextContents(), [FAST.slice(0, 8)]);
    await assertForEveryone(page, 'the choice of a trace');
    await traces.getByRole('link').first().click();
    await page.waitForURL((url) => url.searchParams.get('with') === FAST);
    await page.getByText('This trace took 360 ms longer than the other one.').waitFor();
    const first = page.getByRole('listitem').filter({ hasText: 'itself' }).first();
    assert.match((await first.textContent()) ?? '', /\+360 ms in refunds return money itself/);
    const rows = page.getByRole('region', { name: 'Spans by path' }).getByRole('row');
    assert.match((await rows.nth(2).textContent()) ?? '', /return money.*400 ms \(40 ms\)\+360 ms/);
    await page.getByRole('link', { name: 'RefundRefused' }).waitFor();
    await page.getByText('only this trace').waitFor();
    await assertForEveryone(page, 'the comparison of two traces');
  });

  it('are compared the other way round', async () => {
    await page.goto(portal.url(`traces/${SLOW}/compare?with=${FAST}`));
    await page.getByRole('link', { name: 'Swap' }).click();
    await page.getByText('This trace took 360 ms less than the other one.').waitFor();
    await page.getByText('only the other trace').waitFor();
  });
});

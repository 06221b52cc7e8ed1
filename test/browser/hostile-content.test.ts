import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { KIND, logsOf, spansOf, STATUS } from '../support/otlp-requests.js';
import { assertFitsPhone, assertForEveryone } from './support/page-checks.js';
import { sharedPortal, type SharedPortal } from './support/shared-portal.js';

const PICTURE = '<img src=x onerror=alert(1)>';
const ADDRESS = 'javascript:alert(1)';
const BACKWARDS = '\u202Egpj.exe\u2066';
const LONG = 'x'.repeat(10_000);
const TRACE = 'dead'.repeat(8);
const SPAN = 'beef'.repeat(4);
/** Called services: one is named like a property of all objects, one has the longest allowed name. */
const CALLED = ['__proto__', 'x'.repeat(1_024)] as const;
/** Signs that the browser has interpreted the content. */
const MADE_OF_IT =
  'document.querySelectorAll(\'img[src=x], [onerror], a[href^="javascript:" i], iframe, object\').length';

const AT = encodeURIComponent;

describe('the portal in a browser: hostile content', function () {
  this.timeout(60_000);
  let portal: SharedPortal;
  let dashboardId: string;

  before(async function () {
    portal = await sharedPortal(this);
    const end = BigInt(Date.now() - 30_000) * 1_000_000n;
    const attributes = [
      [PICTURE, PICTURE],
      ['url.full', ADDRESS],
      ['backwards', BACKWARDS],
      ['long', LONG],
      ['enduser.id', PICTURE],
    ] as const;
    const exception = [
      ['exception.type', PICTURE],
      ['exception.message', ADDRESS],
      ['exception.stacktrace', `${PICTURE}\n${LONG}`],
    ] as const;
    await portal.send(
      'traces',
      spansOf(
        [
          ['service.name', PICTURE],
          ['service.version', ADDRESS],
          ['service.instance.id', BACKWARDS],
        ],
        {
          traceId: TRACE,
          spanId: SPAN,
          name: `${PICTURE} ${ADDRESS} ${BACKWARDS}`,
          kind: KIND.server,
          start: end - 50_000_000n,
          end,
          attributes,
          events: [{ name: 'exception', time: end, attributes: exception }],
          status: { code: STATUS.error, message: `${PICTURE} ${LONG}` },
        },
      ),
    );
    for (const [index, name] of CALLED.entries()) {
      const call = `beef${String(index).padStart(12, '0')}`;
      await portal.send(
        'traces',
        spansOf(PICTURE, {
          traceId: TRACE,
          spanId: call,
          parentSpanId: SPAN,
          name: 'call',
          kind: KIND.client,
          start: end - 40_000_000n,
          end: end - 10_000_000n,
        }),
      );
      await portal.send(
        'traces',
        spansOf(name, {
          traceId: TRACE,
          spanId: `feed${String(index).padStart(12, '0')}`,
          parentSpanId: call,
          name: PICTURE,
          kind: KIND.server,
          start: end - 30_000_000n,
          end: end - 20_000_000n,
        }),
      );
    }
    await portal.send(
      'logs',
      logsOf(PICTURE, {
        time: end,
        severityNumber: 17,
        body: `${PICTURE} ${ADDRESS} ${BACKWARDS} ${LONG}`,
        traceId: TRACE,
        spanId: SPAN,
        attributes,
      }),
    );
    await portal.settled();
    const { owner, gridId } = portal;
    const made = await owner.post<{ id: string }>(`/admin/grids/${gridId}/dashboards`, {
      title: PICTURE,
      description: ADDRESS,
      charts: [],
    });
    dashboardId = made.body.id;
    for (const { status } of [
      made,
      await owner.post('/admin/grids', { name: `${PICTURE} ${BACKWARDS}` }),
      await owner.put(`/admin/grids/${gridId}/members/${AT(PICTURE)}`, { role: 'User' }),
      await owner.post(`/admin/grids/${gridId}/api-keys`, { name: PICTURE }),
      await owner.post(`/admin/grids/${gridId}/charts`, {
        title: PICTURE,
        chartType: 'line',
        metric: 'request_rate',
        serviceName: PICTURE,
      }),
    ])
      assert.ok(status === 200 || status === 201, String(status));
  });

  /** Opens the pages and asserts that the content that was sent is shown as text. */
  async function assertOnlyText(
    pages: Readonly<Record<string, ((page: Page) => Promise<unknown>) | undefined>>,
    assertShown = assertForEveryone,
  ): Promise<void> {
    const { page, faults } = await portal.run.signIn('owner', portal.path('usage'));
    const outside: string[] = [];
    page.on('dialog', (dialog) => {
      faults.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      const { origin, pathname, protocol } = new URL(request.url());
      if ((protocol.startsWith('http') && origin !== portal.run.service.apiUrl) || pathname.endsWith('/x'))
        outside.push(request.url());
    });
    for (const [path, more] of Object.entries(pages)) {
      await page.goto(portal.url(path));
      await page
        .getByText(PICTURE)
        .or(page.getByTitle(PICTURE))
        .or(page.getByRole('option', { name: PICTURE }))
        .first()
        .waitFor({ state: 'attached' })
        .catch((cause: unknown) => assert.fail(`${path} shows nothing of it: ${String(cause)}`));
      await more?.(page);
      assert.equal(await page.evaluate<number>(MADE_OF_IT), 0, path);
      await assertShown(page, path);
      assert.deepEqual({ faults, outside }, { faults: [], outside: [] }, path);
    }
    await page.close();
  }

  it('stays text on diagnosis pages', () =>
    assertOnlyText({
      overview: undefined,
      [`services/${AT(PICTURE)}`]: undefined,
      [`services/${AT(CALLED[1])}`]: undefined,
      map: undefined,
      'map?show=list': undefined,
    }));

  it('stays text in traces and logs', () =>
    assertOnlyText({
      traces: undefined,
      [`traces/${TRACE}?span=${SPAN}`]: (page) => page.getByText(ADDRESS).first().waitFor(),
      [`traces/${TRACE}?span=${SPAN}&tab=events`]: undefined,
      [`traces/${TRACE}?span=${SPAN}&tab=logs`]: undefined,
      logs: undefined,
      'logs?wrap=1': undefined,
    }));

  it('stays text on the Explore page', () =>
    assertOnlyText({
      'explore?signal=spans&by=service&by=backwards&by=long&select=count': undefined,
      'explore?signal=spans&by=service&select=count&show=top': undefined,
      [`explore?signal=spans&show=records&where=${AT(`traceId = ${TRACE}`)}&column=long&column=service&column=backwards`]:
        (page) =>
          page
            .getByRole('button', { name: /^Details/ })
            .first()
            .click(),
      'explore?signal=logs&show=records': undefined,
      [`explore?signal=spans&show=heatmap&where=${AT(`\`${PICTURE}\` = 1 or service = "${PICTURE}"`)}`]: undefined,
    }));

  it('stays text in dashboards, usage and administration', () =>
    assertOnlyText(
      {
        dashboards: undefined,
        [`dashboards/${dashboardId}`]: undefined,
        [`dashboards/${dashboardId}?edit=1`]: undefined,
        usage: undefined,
        'administration?tab=instrument': undefined,
        'administration?tab=keys': undefined,
        'administration?tab=members': undefined,
        'administration?tab=audit': undefined,
        // Checked with axe in the tests of these pages.
      },
      assertFitsPhone,
    ));

  it('stays text in answers of the assistant', async () => {
    const { page, faults } = await portal.run.signIn('owner', portal.path('assistant'));
    const answers = page.getByRole('button', { name: 'Listen' });
    // The second one is refused, and quoted.
    for (const [at, question] of [`How is ${PICTURE} doing?`, `How is ${PICTURE} doing? ${ADDRESS}`].entries()) {
      await page.getByLabel('Your question').fill(question);
      await page.keyboard.press('Enter');
      await answers.nth(at).waitFor();
    }
    assert.equal(await page.evaluate<number>(MADE_OF_IT), 0);
    await assertForEveryone(page, 'an answer');
    assert.deepEqual(faults, []);
    await page.close();
  });
});

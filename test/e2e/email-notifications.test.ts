import assert from 'node:assert/strict';
import { BlackBox } from '../support/black-box.js';
import { NotifiedGrid, oneRequest } from '../support/faults/notified-grid.js';
import { MailServer, parseMail, type MailPart } from '../support/mail-server.js';
import { signInAutomation } from '../support/sign-in.js';
import { waitUntil } from '../support/wait-until.js';

/** Names in telemetry that would add a header or a tag if they were not escaped. */
const SERVICE = 'shop<img src=x onerror=alert(1)>\r\nBcc: victim@example.org';
const RULE = 'Busy <b>shop</b>';
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

describe('notifications by e-mail, with a real mail server', function () {
  this.timeout(120_000);
  const server = new MailServer();
  let box: BlackBox;
  let grid: NotifiedGrid;
  let parts: readonly MailPart[];

  before(async () => {
    await server.start();
    box = await BlackBox.start({ SMTP_URL: server.url, SMTP_FROM: 'Hindsight <hindsight@shop.example>' });
    grid = new NotifiedGrid(box.gridId, () => signInAutomation(box.service.apiUrl));
  });
  after(async () => {
    await box.dispose();
    await server.stop();
  });

  const textOf = (type: string): string =>
    parts.find(({ headers }) => headers.get('content-type')?.[0].startsWith(type))?.body.toString('utf8') ?? '';
  const acknowledgeUrl = (): string => {
    const [, query] = /\/portal\/acknowledge(\?token=[\w.-]+)/.exec(textOf('text/plain')) ?? [];
    assert.ok(query !== undefined, textOf('text/plain'));
    return `${box.service.apiUrl}/portal/acknowledge${query}`;
  };

  it('arrive after the server had to be asked again, at the recipients and nobody else', async () => {
    server.refusals.push({ code: 451, text: 'try again' });
    await grid.connectEmail(['on-call@shop.example', 'second@shop.example']);
    await box.record('traces', oneRequest(SERVICE));
    await grid.createRule(RULE);
    await waitUntil(() => server.mails.length > 0, 'a mail arrives', 60_000);
    const [{ from, recipients, source }] = server.mails;
    assert.equal(from, 'hindsight@shop.example');
    assert.deepEqual(recipients, ['on-call@shop.example', 'second@shop.example']);
    parts = parseMail(source);
  });

  it('have the headers of one message, whatever telemetry says', () => {
    const [{ headers }] = parts;
    for (const name of ['from', 'to', 'subject', 'message-id', 'date'])
      assert.equal(headers.get(name)?.length, 1, name);
    assert.equal(headers.has('bcc'), false);
    assert.match(headers.get('message-id')![0], /^<[0-9a-f-]{36}@hindsight>$/);
    assert.match(headers.get('subject')![0], /Firing/);
  });

  it('say the same as text and as HTML, with names escaped and the chart inside', () => {
    assert.match(textOf('text/plain'), /Request rate above 0 requests\/s/);
    const html = textOf('text/html');
    assert.ok(!html.includes('<img src=x') && !html.includes('<b>'), html);
    assert.match(html, /shop&lt;img src=x/);
    assert.match(html, /<img src="cid:chart@hindsight"/);
    const image = parts.find(({ headers }) => headers.get('content-id')?.[0] === '<chart@hindsight>');
    assert.equal(image?.headers.get('content-type')?.[0].split(';')[0], 'image/png');
    assert.ok(image?.body.subarray(0, 4).equals(PNG));
    for (const link of ['Diagnosis', 'Charts', 'Alerts', 'Acknowledge', 'Silence'])
      assert.match(textOf('text/plain'), new RegExp(`^${link}: http`, 'm'));
  });

  it('acknowledge by a link that asks first, so that mail servers that open it do not', async () => {
    const question = await fetch(acknowledgeUrl());
    assert.equal(question.status, 200);
    assert.equal(question.headers.get('cache-control'), 'no-store');
    assert.match(await question.text(), /Acknowledge one alert\?/);
    assert.equal((await grid.alerts(RULE))[0].acknowledgedBy, undefined);
    const done = await fetch(acknowledgeUrl(), { method: 'POST' });
    assert.match(await done.text(), /You have acknowledged one alert/);
    await waitUntil(
      async () => (await grid.alerts(RULE))[0].acknowledgedBy === 'channel:Mail',
      'the acknowledgement shows',
    );
  });

  it('acknowledge once, and not by a link that was changed', async () => {
    const again = await fetch(acknowledgeUrl(), { method: 'POST' });
    assert.match(await again.text(), /Nothing is left to acknowledge/);
    const changed = await fetch(
      acknowledgeUrl().replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      { method: 'POST' },
    );
    const other = await fetch(`${box.service.apiUrl}/portal/acknowledge?token=bm8.bm8`);
    assert.deepEqual([changed.status, other.status], [404, 404]);
    assert.equal((await fetch(acknowledgeUrl(), { method: 'PUT' })).status, 405);
  });
});

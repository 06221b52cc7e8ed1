import assert from 'node:assert/strict';
import { HindsightError } from '../../../../src/errors.js';
import { startApi, type TestApi } from '../../../support/api.js';

describe('the page that acknowledges alerts', () => {
  let api: TestApi;
  let open = 2;
  const acknowledged: string[] = [];
  const find = async (token: string) => {
    if (token !== 'valid') throw new HindsightError('not-found', 'This link is invalid.');
    return { gridId: 'grid', open };
  };

  before(async () => {
    const acknowledge = async (token: string) => {
      const found = await find(token);
      acknowledged.push(token);
      open = 0;
      return found;
    };
    api = await startApi({ linkAcknowledgements: { find, acknowledge } });
  });
  after(() => api.stop());

  const call = (method: string, token: string) =>
    fetch(`http://127.0.0.1:${api.port}/portal/acknowledge?token=${token}`, { method });

  it('asks on GET and HEAD, and acknowledges on POST', async () => {
    assert.match(await (await call('GET', 'valid')).text(), /Acknowledge 2 alerts\?/);
    assert.equal((await call('HEAD', 'valid')).status, 200);
    assert.deepEqual(acknowledged, []);
    assert.match(await (await call('POST', 'valid')).text(), /You have acknowledged 2 alerts/);
    assert.deepEqual(acknowledged, ['valid']);
    assert.match(await (await call('GET', 'valid')).text(), /Nothing is left/);
  });

  it('answers 404 to any other link, and shows nothing of it', async () => {
    const reply = await call('POST', '<script>');
    assert.equal(reply.status, 404);
    assert.ok(!(await reply.text()).includes('<script>'));
  });

  it('runs no scripts, is not kept, and its address is neither logged nor sent to other sites', async () => {
    const { headers } = await call('GET', 'valid');
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*form-action 'self'/);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.ok(!JSON.stringify(api.log).includes('valid'));
  });
});

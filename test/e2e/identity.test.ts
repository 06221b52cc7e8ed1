import assert from 'node:assert/strict';
import { ApiClient } from '../support/api-client.js';
import { ServiceProcess } from '../support/service.js';

describe('callers of a running service', function () {
  this.timeout(60_000);
  let service: ServiceProcess;
  let grid: string;

  before(async () => {
    service = await ServiceProcess.start();
    ({ gridId: grid } = await service.bootstrap());
  });
  after(() => service.dispose());

  async function applicationToken(clientId: string): Promise<string> {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: 'dev-secret',
      scope: 'api://iapm-api/.default',
    });
    const response = await fetch(`${service.apiUrl}/auth/dev/oauth2/v2.0/token`, { method: 'POST', body: form });
    assert.equal(response.status, 200);
    return ((await response.json()) as { access_token: string }).access_token;
  }

  const ask = (headers: Record<string, string>) =>
    new ApiClient(service.apiUrl, headers).get(`/apm/traces/${grid}/filters`);

  it('are authorized by the key of the Grid, and by the token of an application that is a member', async () => {
    assert.equal((await ask({ 'api-key': (await service.bootstrap()).apiKey })).status, 200);
    assert.equal(
      (await ask({ authorization: `Bearer ${await applicationToken('hindsight-automation')}` })).status,
      200,
    );
  });

  it('are rejected without the permission, with a wrong key, and without credentials', async () => {
    assert.equal((await ask({ authorization: `Bearer ${await applicationToken('hindsight-bare')}` })).status, 403);
    assert.equal((await ask({ 'api-key': 'hs_aaaaaaaaaaaa_wrongwrongwrongwrong' })).status, 401);
    const nobody = await ask({});
    assert.equal(nobody.status, 401);
    assert.ok(nobody.headers.get('www-authenticate')?.startsWith('Bearer'));
    assert.equal(nobody.headers.get('content-type'), 'application/problem+json');
  });

  it('find the description of a problem at its type URL', async () => {
    const { body } = await ask({});
    const page = await fetch(String(body.type));
    assert.equal(page.status, 200);
  });

  it('leave no key or token in the service log', async () => {
    const { apiKey } = await service.bootstrap();
    assert.ok(service.logLines.length > 0);
    assert.ok(
      !service.logLines.some(
        (line) => line.includes(apiKey) || line.includes('dev-secret') || /eyJ[\w-]{10}/.test(line),
      ),
    );
  });
});

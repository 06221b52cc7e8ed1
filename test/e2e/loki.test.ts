import assert from 'node:assert/strict';
import { BlackBox } from '../support/black-box.js';

describe("clients of Loki's push API", function () {
  this.timeout(60_000);
  let box: BlackBox;
  before(async () => (box = await BlackBox.start()));
  after(() => box.dispose());

  const push = (body: unknown): Promise<number> =>
    fetch(`${box.service.otlpHttpUrl}/loki/api/v1/push`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'api-key': box.apiKey },
      body: JSON.stringify(body),
    }).then(({ status }) => status);

  it('find their lines by service, severity, trace and label, once however often they push', async () => {
    const ns = (ms: number): string => `${ms}000000`;
    const now = Date.now();
    const traceId = '5b8efff798038103d269b633813fc60c';
    const body = {
      streams: [
        {
          stream: { app: 'shop', region: 'eu' },
          values: [
            [ns(now), 'payment failed', { level: 'error', trace_id: traceId }],
            [ns(now - 1), 'payment began'],
          ],
        },
      ],
    };
    for (let n = 0; n < 3; n++) assert.equal(await push(body), 204);
    await box.settled();
    const search = async (filter: object) =>
      (
        await box.api.post<{ totalCount: number }>(`/apm/logs/${box.gridId}`, {
          rangeStart: new Date(now - 60_000).toISOString(),
          rangeEnd: new Date(now + 60_000).toISOString(),
          ...filter,
        })
      ).body.totalCount;
    assert.equal(await search({ serviceName: 'shop' }), 2);
    assert.equal(await search({ serviceName: 'shop', severityLevel: 'Error' }), 1);
    const query = await box.api.post<{ rows: unknown[][] }>(`/apm/query/${box.gridId}`, {
      signal: 'logs',
      where: `region = eu and traceId = ${traceId} and failed`,
      select: [{ fn: 'count' }],
      rangeStart: new Date(now - 60_000).toISOString(),
      rangeEnd: new Date(now + 60_000).toISOString(),
    });
    assert.deepEqual(query.body.rows, [[1]]);
  });

  it('get 400 with the name of the field', async () => {
    assert.equal(await push({ streams: [{ stream: {}, values: [['soon', 'x']] }] }), 400);
  });
});

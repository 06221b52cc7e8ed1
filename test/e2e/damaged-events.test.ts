import assert from 'node:assert/strict';
import { DatabaseSync } from '@photostructure/sqlite';
import { Trial } from '../support/faults/trial.js';

interface Item {
  readonly id: string;
  readonly spanId: string;
  readonly body?: string;
  readonly damaged?: true;
}
interface Page {
  readonly items: readonly Item[];
  readonly totalCount: number;
}

describe('a service whose event log is damaged', function () {
  this.timeout(120_000);
  let trial: Trial;

  beforeEach(async () => {
    trial = await Trial.start();
    for (let n = 0; n < 5; n++) {
      await trial.send('logs', 1);
      await trial.send('traces', 1);
    }
    await trial.settle('before the damage');
  });
  afterEach(() => trial.dispose());

  const search = async (signal: 'logs' | 'traces', more: object = {}): Promise<Page> => {
    const range = { rangeStart: '2020-01-01T00:00:00Z', rangeEnd: '2100-01-01T00:00:00Z', pageSize: 100 };
    const { status, body } = await trial.api.post<Page>(`/apm/${signal}/${trial.gridId}`, { ...range, ...more });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  it('answers everything but the damaged records, and marks these', async () => {
    await trial.service.signal('SIGTERM');
    flipBodies(trial.file('events.db'), ['LogsReceived.v1', 'TracesReceived.v1']);
    await trial.start();
    const { items, totalCount } = await search('logs');
    assert.equal(totalCount, 5);
    assert.equal(items.filter(({ damaged }) => damaged === true).length, 1);
    assert.equal(items.filter(({ body }) => body?.startsWith('record 0 of') === true).length, 4);
    assert.equal((await search('logs', { body: '"record 0"' })).totalCount, 4);
    const spans = (await search('traces')).items;
    assert.equal(spans.length, 5);
    const details = await Promise.all(
      spans.map(({ spanId }) => trial.api.get<Item>(`/apm/traces/${trial.gridId}/details/${spanId}`)),
    );
    assert.ok(details.every(({ status }) => status === 200));
    assert.equal(details.filter(({ body }) => body.damaged === true).length, 1);
  });
});

/** Flips one bit in the middle of the body of the second event of each type, without SQLite noticing. */
function flipBodies(file: string, types: readonly string[]): void {
  const database = new DatabaseSync(file);
  for (const type of types) {
    const { position, body } = database
      .prepare('SELECT position, body FROM events WHERE type = ? ORDER BY position LIMIT 1 OFFSET 1')
      .get(type) as { position: number; body: Uint8Array };
    body[body.length >> 1] ^= 4;
    database.prepare('UPDATE events SET body = ? WHERE position = ?').run(body, position);
  }
  database.close();
}

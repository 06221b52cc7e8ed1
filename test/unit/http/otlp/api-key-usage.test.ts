import assert from 'node:assert/strict';
import { CredentialGuard } from '../../../../src/http/limits/credential-guard.js';
import { waitUntil } from '../../../support/wait-until.js';
import { API_KEY, GRID } from './support/fake-access.js';
import { validateBytes, RecordingUsageListener, InlineValidator } from './support/fakes.js';
import { post } from './support/http-client.js';
import { Http2Client, LOGS_METHOD } from './support/http2-client.js';
import { startServer, type TestServer } from './support/otlp-server.js';

describe('what ingestion reports of keys', () => {
  let uses: RecordingUsageListener;
  let server: TestServer;
  let client: Http2Client;

  beforeEach(async () => {
    uses = new RecordingUsageListener();
    server = await startServer({ keyUses: uses, limits: { requestBytes: 100 } });
    client = new Http2Client(server.ports.grpc);
  });
  afterEach(async () => {
    client.close();
    await server.server.close();
  });

  /** Some is told after the answer. */
  async function notified(...expected: readonly (string | RegExp)[]): Promise<void> {
    await waitUntil(
      () => uses.notified.length >= expected.length,
      `${expected.length} uses are recorded, not ${uses.notified.join()}`,
    );
    assert.equal(uses.notified.length, expected.length, uses.notified.join());
    expected.forEach((each, i) =>
      typeof each === 'string' ? assert.equal(uses.notified[i], each) : assert.match(uses.notified[i], each),
    );
  }

  it('is what was sent, of each signal, with what was rejected and why', async () => {
    await post(server.ports.http, { body: Uint8Array.of(1, 255, 3) });
    await client.call(Uint8Array.of(1), { ':path': LOGS_METHOD });
    await notified('key sent traces 2/1 value 255', 'key sent logs 1/0');
  });

  it('is also what was sent again', async () => {
    for (let times = 0; times < 2; times++) await post(server.ports.http, { body: Uint8Array.of(7) });
    await notified('key sent traces 1/0', 'key sent traces 1/0');
  });

  it('is what was refused for a fault of its sender: too large, of an unknown type or encoding, or sent elsewhere', async () => {
    await post(server.ports.http, { body: new Uint8Array(101) });
    await notified(/^key refused traces too-large/);
    await post(server.ports.http, { headers: { 'content-type': 'text/plain' } });
    await post(server.ports.http, { headers: { 'content-encoding': 'br' } });
    await post(server.ports.http, { path: '/' });
    await notified(
      /too-large/,
      /^key refused traces unsupported-media-type/,
      /^key refused traces unsupported-encoding/,
      /^key refused something not-found: .*\/v1\/traces/,
    );
    await client.call(new Uint8Array(), { 'grpc-encoding': 'br' });
    await notified(/too-large/, /media/, /encoding/, /not-found/, /^key refused traces unsupported-encoding: grpc/);
  });

  it('is that the subscription is inactive', async () => {
    server.access.grids.set(GRID, { gridId: GRID, subscriptionActive: false, retentionDays: 7 });
    await post(server.ports.http, { body: Uint8Array.of(1) });
    await notified(/^key refused traces forbidden: .*inactive/);
  });

  it('is nothing of overload, of a store that is unavailable, and of keys that nobody has', async () => {
    server.load.decision = { admit: false, retryAfterMs: 1_000 };
    assert.equal((await post(server.ports.http, { body: Uint8Array.of(1) })).status, 429);
    server.load.decision = { admit: true, delayAckMs: 0 };
    server.store.before = () => {
      throw new Error('the disk is full');
    };
    assert.equal((await post(server.ports.http, { body: Uint8Array.of(1) })).status, 503);
    assert.equal((await post(server.ports.http, { headers: { 'api-key': `${API_KEY}x` } })).status, 401);
    assert.equal(
      (await post(server.ports.http, { headers: { 'api-key': `${API_KEY}x`, 'content-type': 'text/plain' } })).status,
      415,
    );
    await notified();
  });

  it('is nothing of memory that others have', async () => {
    let validate = (): void => undefined;
    const held = new Promise<void>((resolve) => (validate = resolve));
    const validator = new InlineValidator((request) => held.then(() => validateBytes(request)));
    const busy = await startServer({
      keyUses: uses,
      validator,
      limits: { requestBytes: 100, memoryBytes: 150, memoryWaitMs: 1 },
    });
    try {
      const first = post(busy.ports.http, { body: new Uint8Array(60) });
      await waitUntil(() => validator.asked.length === 1, 'the first is examined');
      assert.equal((await post(busy.ports.http, { body: new Uint8Array(60) })).status, 429);
      validate();
      assert.equal((await first).status, 200);
      await notified('key sent traces 60/0');
    } finally {
      await busy.server.close();
    }
  });

  it('costs no more look-ups of what its head refuses than wrong keys may be tried', async () => {
    const guarded = await startServer({ guard: new CredentialGuard({ failuresPerMinute: 2 }) });
    let lookUps = 0;
    const { access } = guarded;
    const apiKey = access.findApiKey.bind(access);
    access.findApiKey = (presented) => {
      lookUps += 1;
      return apiKey(presented);
    };
    try {
      for (let n = 0; n < 5; n++)
        assert.equal(
          (await post(guarded.ports.http, { headers: { 'api-key': `${API_KEY}${n}`, 'content-type': 'text/plain' } }))
            .status,
          415,
        );
      assert.equal(lookUps, 2);
      const wrong = { body: Uint8Array.of(1), headers: { 'api-key': `${API_KEY}9` } };
      assert.equal((await post(guarded.ports.http, wrong)).status, 429, 'they count as wrong keys');
      assert.equal((await post(guarded.ports.http, { body: Uint8Array.of(1) })).status, 200, 'a valid one is accepted');
    } finally {
      await guarded.server.close();
    }
  });
});

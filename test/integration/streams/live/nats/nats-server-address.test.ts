import assert from 'node:assert/strict';
import { parseNatsUrl } from '../../../../../src/streams/live/nats/nats-server-address.js';
import { SILENT_LOGGER } from '../../../../../src/self-telemetry/logger.js';
import { SharedNatsConnection } from '../../../../../src/streams/live/nats/shared-nats-connection.js';
import { HAS_NATS, NATS_NEEDS, NatsServer } from '../../../../support/nats-server.js';
import { waitUntil } from '../../../../support/wait-until.js';
import { describeIf } from '../../../../support/speech-engines.js';

describe('The address of NATS', () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ['nats://bus', { servers: ['bus:4222'] }],
    ['nats://a:1, nats://b:2', { servers: ['a:1', 'b:2'] }],
    ['nats://[::1]:5', { servers: ['[::1]:5'] }],
    ['nats://us%40er:p%3Aw@bus', { servers: ['bus:4222'], user: 'us@er', pass: 'p:w' }],
    ['nats://secret@bus', { servers: ['bus:4222'], token: 'secret' }],
    ['tls://bus', { servers: ['bus:4222'], tls: {} }],
  ];
  for (const [url, options] of cases) {
    it(`is read from ${url}`, () => assert.deepEqual(parseNatsUrl(url), options));
  }

  for (const url of ['', 'bus:4222', 'http://user:changeit@bus', 'nats://', 'nats://a,', 'nats://user:changeit@']) {
    it(`is refused as ${JSON.stringify(url)}, without repeating it`, () => {
      assert.throws(
        () => parseNatsUrl(url),
        (error: Error) => /must have the form/.test(error.message) && !error.message.includes('changeit'),
      );
    });
  }
});

describeIf(HAS_NATS)(`Credentials for NATS${NATS_NEEDS}`, () => {
  it('open a server that asks for them, and wrong ones are reported without being repeated', async () => {
    const server = await NatsServer.start('--user', 'hindsight', '--pass', 'right one');
    const known = new SharedNatsConnection(`nats://hindsight:right%20one@${server.address}`, 'test', SILENT_LOGGER);
    const unknown = new SharedNatsConnection(`nats://hindsight:changeit@${server.address}`, 'test', SILENT_LOGGER);
    await waitUntil(async () => (await known.check()).ok, 'the right password opens');
    await waitUntil(async () => /uthorization/.test(JSON.stringify(await unknown.check())), 'the wrong one is refused');
    assert.doesNotMatch(JSON.stringify(await unknown.check()), /changeit/);
    await known.close();
    await unknown.close();
    await server.dispose();
  });
});

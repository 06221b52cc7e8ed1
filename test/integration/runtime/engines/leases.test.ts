import assert from 'node:assert/strict';
import { firstValueFrom, filter } from 'rxjs';
import { openLeases } from '../../../../src/runtime/engines/coordination.js';
import { type Logger, SILENT_LOGGER } from '../../../../src/self-telemetry/logger.js';
import { HAS_NATS, NATS_NEEDS, NatsServer } from '../../../support/nats-server.js';
import { waitUntil } from '../../../support/wait-until.js';
import { describeIf } from '../../../support/speech-engines.js';

const SHARES = 4;

describeIf(HAS_NATS)(`leases of a process over NATS${NATS_NEEDS}`, () => {
  let server: NatsServer;

  before(async () => {
    server = await NatsServer.start();
  });
  after(() => server.dispose());

  it('connect when opened, so that joining logs no warning', async () => {
    const logLines: string[] = [];
    const log: Logger = {
      ...SILENT_LOGGER,
      info: (message) => void logLines.push(message),
      warn: (message) => void logLines.push(message),
    };
    const leases = await openLeases(
      { natsUrl: server.url, clusterName: 'opened', natsReplicas: 1, projectorShares: SHARES },
      log,
    );
    await waitUntil(() => Promise.resolve(logLines.length > 0), 'it is connected');
    leases.join();
    await firstValueFrom(leases.held.pipe(filter(({ size }) => size === SHARES)));
    await leases.close();
    assert.deepEqual(logLines, ['Connected to NATS']);
  });
});

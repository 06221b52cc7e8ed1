import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseApiKey } from '../../../src/auth/api-key-secret.js';
import type { BootstrapRecord } from '../../../src/commands/grids/grid-bootstrap.js';
import { gridDecider } from '../../../src/commands/grids/grid-decider.js';
import { createCommandHandler } from '../../../src/commands/handle-command.js';
import type { ServiceParts } from '../../../src/runtime/service-parts.js';
import { SILENT_LOGGER } from '../../../src/self-telemetry/logger.js';
import { FirstGridBootstrap } from '../../../src/runtime/first-grid-bootstrap.js';
import { gridStream } from '../../../src/streams/stream-names.js';
import { Scene } from '../../integration/streams/adapters/eventstoredb/scene.js';

const GRID = '5e5b0a44-3b3c-4f4b-8a55-0f2f6d2c9d10';
const PROCESSES = 4;

describe('first Grid of several processes', () => {
  let scene: Scene;
  let folders: string[];

  beforeEach(async () => {
    scene = await Scene.open();
    folders = await Promise.all(Array.from({ length: PROCESSES }, () => mkdtemp(join(tmpdir(), 'hindsight-first-'))));
  });
  afterEach(async () => {
    await scene.close();
    for (const folder of folders) await rm(folder, { recursive: true });
  });

  /** Parts for creating the first Grid, in a process that owns the administration shard. */
  function createParts(dataDir: string): ServiceParts {
    const eventStore = scene.store();
    return {
      settings: { dataDir, bootstrapGridId: GRID, bootstrapGridName: 'demo', bootstrapOwner: 'owner' },
      eventStore,
      handleGridCommand: createCommandHandler(eventStore, gridDecider),
      progress: { waitForPosition: () => Promise.resolve(true) },
      ownedShards: { hasAdministration: true },
      access: { invalidate: () => undefined },
      log: SILENT_LOGGER,
    } as unknown as ServiceParts;
  }

  it('is created once, and only its creator stores an API key', async () => {
    const notices: string[] = [];
    await Promise.all(
      folders.map((folder) =>
        new FirstGridBootstrap(createParts(folder), (notice) => notices.push(notice)).create('http://127.0.0.1:4318'),
      ),
    );
    const events = await scene.store().readStream(gridStream(GRID));
    assert.deepEqual(
      events.map(({ type }) => type),
      ['GridCreated.v1', 'MemberSet.v1', 'ApiKeyIssued.v2'],
    );
    assert.equal(notices.length, 1);
    const found = await Promise.all(
      folders.map(async (folder) =>
        (await readdir(folder)).length === 0
          ? []
          : [JSON.parse(await readFile(join(folder, 'bootstrap.json'), 'utf8')) as BootstrapRecord],
      ),
    );
    const records = found.flat();
    assert.equal(records.length, 1);
    assert.equal(parseApiKey(records[0].apiKey)?.secretHash, (events[2].data as { secretHash: string }).secretHash);
  });
});

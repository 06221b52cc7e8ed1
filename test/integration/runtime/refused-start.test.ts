import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SalvageFolder } from '../../unit/streams/adapters/sqlite/salvage/salvage-folder.js';

const PROGRAM = fileURLToPath(new URL('../../../../bin/hindsight.js', import.meta.url));
const FREE_PORTS = { HTTP_PORT: '0', OTLP_HTTP_PORT: '0', OTLP_GRPC_PORT: '0' };

describe('a start on a write-ahead log of which SQLite would drop commits', () => {
  let folder: SalvageFolder;
  before(() => (folder = new SalvageFolder()));
  after(() => folder.remove());

  it('ends with status 78 and one line, so that no supervisor tries it again, and changes nothing', async () => {
    const dataDir = folder.createDamagedDataFolder();
    const wal = join(dataDir, 'events.db-wal');
    const bytes = await readFile(wal);
    const { code, out, errors } = await run({ ...process.env, ...FREE_PORTS, DATA_DIR: dataDir });
    assert.match(errors, /^hindsight: DATA_DIR has a damaged event log: .*`hindsight salvage`.*\n$/);
    assert.deepEqual([code, out], [78, '']);
    assert.ok(bytes.equals(await readFile(wal)));
  });
});

describe('a start with the development provider on an interface that others reach', () => {
  let folder: string;
  before(async () => void (folder = await mkdtemp(join(tmpdir(), 'hindsight-refused-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  for (const address of ['0.0.0.0', '::'])
    it(`ends with status 78 and one line: ${address}`, async () => {
      const dataDir = join(folder, 'data');
      const { AUTH_URL: _, NODE_ENV: _production, ...inherited } = process.env;
      const env = { ...inherited, ...FREE_PORTS, DATA_DIR: dataDir, BIND_ADDRESS: address };
      const { code, out, errors } = await run(env);
      assert.equal(code, 78, errors);
      assert.match(errors, /^hindsight: BIND_ADDRESS must be a loopback address, .*AUTH_DEVELOPMENT=everybody\n$/);
      assert.equal(out, '');
      assert.equal(existsSync(dataDir), false, 'nothing was opened');
    });
});

interface Ended {
  readonly code: unknown;
  readonly out: string;
  readonly errors: string;
}

/** Ends the process if it does start. */
function run(env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve) =>
    execFile(process.execPath, [PROGRAM, 'serve'], { env, timeout: 30_000 }, (error, out, errors) =>
      resolve({ code: error?.code ?? 0, out, errors }),
    ),
  );
}

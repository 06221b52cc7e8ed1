import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPackageVersion } from '../../src/config/package-version.js';
import { runCli } from '../support/run-cli.js';
import { ServiceProcess } from '../support/service.js';

describe('a data folder of another version', function () {
  this.timeout(60_000);
  let service: ServiceProcess;
  let file: string;

  beforeEach(async () => {
    service = await ServiceProcess.start();
    file = join(service.dataDir, 'version.json');
    await service.signal('SIGTERM');
  });
  afterEach(() => service.dispose());

  const written = (): unknown => JSON.parse(readFileSync(file, 'utf8'));

  it('is refused by the service and every command, with one line and exit status 78, if its format is newer', async () => {
    writeFileSync(file, '{"format":99,"hindsight":"9.9.9"}');
    const other = `${service.dataDir}-other`;
    for (const words of [['serve'], ['verify'], ['grids', 'list'], ['backup', other], ['salvage', other]]) {
      const { code, stderr } = await runCli(service.dataDir, ...words);
      assert.equal(code, 78, `${words.join(' ')}: ${stderr}`);
      assert.match(stderr, /^hindsight: DATA_DIR .* was written by Hindsight 9\.9\.9 \(format 99\), .*\n$/, words[0]);
    }
    const doctor = await runCli(service.dataDir, 'doctor');
    assert.match(doctor.stdout, /FAULT data folder: DATA_DIR .* was written by Hindsight 9\.9\.9/);
    assert.deepEqual(written(), { format: 99, hindsight: '9.9.9' });
  });

  it('is taken over if it is older, or has no version yet', async () => {
    const current = { format: 1, hindsight: readPackageVersion() };
    assert.deepEqual(written(), current);
    writeFileSync(file, '{"format":1,"hindsight":"0.0.1"}');
    await service.start();
    await service.signal('SIGTERM');
    assert.deepEqual(written(), current);
    assert.ok(service.logLines.some((line) => line.includes('was last written by Hindsight 0.0.1')));
    rmSync(file);
    await service.start();
    await service.signal('SIGTERM');
    assert.deepEqual(written(), current);
  });
});

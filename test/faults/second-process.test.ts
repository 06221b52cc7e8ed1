import assert from 'node:assert/strict';
import { ServiceProcess } from '../support/service.js';

describe('a second process on the same data folder', function () {
  this.timeout(30_000);

  it('is rejected with the reason, and the first continues', async () => {
    const first = await ServiceProcess.start();
    const second = await ServiceProcess.prepare({ DATA_DIR: first.dataDir });
    await assert.rejects(second.start(), /in use by another Hindsight process/);
    assert.equal((await fetch(`${first.apiUrl}/ready`)).status, 200);
    await second.dispose();
    await first.dispose();
  });
});

describe('SIGTERM', function () {
  this.timeout(30_000);

  it('drains and exits 0, even if sent twice', async () => {
    const service = await ServiceProcess.start();
    const [first] = await Promise.all([service.signal('SIGTERM'), service.signal('SIGTERM')]);
    assert.equal(first, 0);
    await service.start();
    assert.equal(await service.signal('SIGINT'), 0);
    await service.dispose();
  });
});

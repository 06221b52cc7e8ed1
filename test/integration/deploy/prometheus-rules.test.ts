import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SERIES = fileURLToPath(new URL('../../../../test/fixtures/prometheus/cluster.yml', import.meta.url));
const HAS_PROMTOOL = spawnSync('promtool', ['--version']).error === undefined;

describe(`Prometheus rules of a cluster${HAS_PROMTOOL ? '' : ' (apt-get install prometheus)'}`, () => {
  it('fire for a shard without owner or with lag, for unreachable engines and for two clusters, and otherwise not', function () {
    if (!HAS_PROMTOOL) this.skip();
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', SERIES], { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  });
});

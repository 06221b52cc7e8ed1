import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { span, spansOf, traceId } from '../support/otlp-requests.js';
import { ServiceProcess } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MAX_BYTES = 150e6;

describe('the npm package', function () {
  this.timeout(600_000);
  let folder: string;
  let service: ServiceProcess | undefined;

  before(async () => (folder = await mkdtemp(join(tmpdir(), 'hindsight-npm-'))));
  after(async () => {
    await service?.dispose();
    await rm(folder, { recursive: true });
  });

  it('installs into an empty folder without compiler and scripts, serves, and draws a chart', async () => {
    const installed = await installPackage(folder);
    assert.ok(
      !installed.program.startsWith(ROOT) && installed.bytes <= MAX_BYTES,
      `${installed.bytes} bytes at ${installed.program}`,
    );
    service = await ServiceProcess.prepare({}, installed.program);
    await service.start();
    const { apiKey, gridId } = await service.bootstrap();
    const get = async (path: string): Promise<Response> =>
      fetch(`${service?.apiUrl}${path}?api-version=2.0`, { headers: { 'api-key': apiKey } });
    const sent = await fetch(`${service.otlpHttpUrl}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'api-key': apiKey },
      body: JSON.stringify(spansOf('shop', span(1, BigInt(Date.now()) * 1_000_000n))),
    });
    assert.equal(sent.status, 200);
    await waitUntil(
      async () =>
        (await (await get(`/apm/traces/${gridId}/correlations/${traceId(1)}/spans`)).text()).includes('"shop"'),
      'the span is found',
    );
    assert.match(await (await get('/portal/')).text(), /<title>/);
    const { charts } = (await (await get(`/apm/charts/${gridId}/charts`)).json()) as { charts: { id: string }[] };
    const chart = await get(`/apm/charts/${gridId}/charts/${charts[0]?.id}/render`);
    assert.equal(chart.headers.get('content-type'), 'image/png');
    assert.ok((await chart.arrayBuffer()).byteLength > 2_000);
    assert.equal(await service.signal('SIGTERM'), 0);
  });
});

/** Packs the checkout as `npm pack` does, and installs the tarball as a newcomer would, but for what npm may run. */
async function installPackage(folder: string): Promise<{ readonly program: string; readonly bytes: number }> {
  await run(process.execPath, [join(ROOT, 'scripts/package/pack.mjs'), '--folder', folder]);
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? assert.fail('there is no tarball');
  const empty = join(folder, 'empty');
  await mkdir(empty);
  const args = ['install', '--prefix', empty, '--ignore-scripts', '--no-audit', '--no-fund', join(folder, tarball)];
  await run('npm', args, { cwd: empty });
  const program = await realpath(join(empty, 'node_modules/.bin/hindsight'));
  return { program, bytes: await countBytes(join(empty, 'node_modules')) };
}

async function countBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

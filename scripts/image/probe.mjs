/**
 * Runs in a container of the image (check.sh): starts the service as the image does and looks at it from inside. Exits 1
 * when something is not as it has to be.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';

process.chdir('/app');
const api = `http://127.0.0.1:${process.env.HTTP_PORT ?? 8080}`;

async function start() {
  const began = performance.now();
  const service = spawn(process.execPath, ['bin/hindsight.js', 'serve'], { stdio: ['ignore', 'ignore', 'inherit'] });
  while (!(await isHealthy())) assert.equal(service.exitCode, null, 'the service ended');
  console.log(`healthy after ${Math.round(performance.now() - began)} ms`);
  return service;
}

async function isHealthy() {
  const [code] = await once(spawn(process.execPath, ['bin/healthcheck.js'], { stdio: 'ignore' }), 'exit');
  return code === 0;
}

function isReadOnly(path) {
  assert.throws(() => writeFileSync(path, ''), /EROFS|EACCES/, `${path} can be written`);
}

async function ask(method, path, { apiKey }, body) {
  const headers = { 'api-key': apiKey, 'x-api-version': '2.0', 'content-type': 'application/json' };
  const response = await fetch(api + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${bytes.subarray(0, 300)}`);
  return bytes;
}

const json = async (...call) => JSON.parse((await ask(...call)).toString());

async function lookAround() {
  assert.equal(process.getuid(), 1000);
  for (const path of ['/app/x', '/etc/x', '/x']) isReadOnly(path);
  const bootstrap = JSON.parse(readFileSync('/data/bootstrap.json', 'utf8'));
  const { dashboards } = await json('GET', `/apm/dashboards/${bootstrap.gridId}/dashboards`, bootstrap);
  const picture = await ask(
    'GET',
    `/apm/dashboards/${bootstrap.gridId}/dashboards/${dashboards[0].id}/render`,
    bootstrap,
  );
  assert.equal(picture.subarray(1, 4).toString(), 'PNG');
  console.log(`a dashboard as a picture: ${picture.byteLength} bytes`);
  const { instanceSecondaryId } = await json('POST', `/assistant/sessions/${bootstrap.gridId}`, bootstrap);
  const sound = await ask('POST', `/assistant/speech/${instanceSecondaryId}/synthesize`, bootstrap, {
    text: 'All is well.',
  });
  assert.ok(sound.byteLength > 1_000);
  console.log(`speech: ${sound.byteLength} bytes`);
}

const service = await start();
try {
  await lookAround();
  console.log(`peak memory: ${/VmHWM:\s+(.*)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))[1]}`);
} finally {
  service.kill('SIGTERM');
}
const [code] = await once(service, 'exit');
assert.equal(code, 0);
console.log('stopped in order');

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { composed, ROOT, variablesOf, type Composed } from './compose-files.js';

/** The first compose, of distributions, knows neither `name` nor `!override`. */
function isNewEnough([program, ...words]: readonly string[]): boolean {
  const { status, stdout } = spawnSync(program, [...words, 'version', '--short'], { encoding: 'utf8' });
  return status === 0 && !/^v?1\./.test(stdout);
}

const COMPOSE = [['docker', 'compose'], ['docker-compose']].find(isNewEnough);
const NEEDS = COMPOSE === undefined ? ' (install the compose plugin of Docker, 2.24 or newer)' : '';

const COMPOSITIONS = [
  ['docker-compose.yml'],
  ['docker-compose.yml', 'deploy/docker-compose.three.yml'],
  ['docker-compose.yml', 'deploy/docker-compose.cluster-tls.yml'],
  ['docker-compose.yml', 'deploy/docker-compose.three.yml', 'deploy/docker-compose.cluster-tls.yml'],
];

/** Reads files as compose does; starts nothing and needs no engine. */
describe(`docker compose${NEEDS}`, function () {
  this.timeout(60_000);
  if (COMPOSE === undefined) {
    it('reads every composition');
    return;
  }
  const [program, ...words] = COMPOSE;
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-compose-'));
  const file = join(folder, 'cluster.env');
  const secrets = spawnSync('sh', [join(ROOT, 'deploy/cluster/new-env.sh')], { encoding: 'utf8' }).stdout;
  writeFileSync(file, secrets.replace('COMPOSE_PROFILES=cluster', 'COMPOSE_PROFILES=cluster,demo'));
  after(() => rmSync(folder, { recursive: true }));

  const config = (options: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(program, [...words, ...options, 'config'], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, TLS_FOLDER: '/etc/tls' },
    });
    assert.equal(status, 0, stderr);
    assert.equal(stderr, '');
    return stdout;
  };
  const wordsOf = ({ services }: Composed) =>
    Object.fromEntries(
      Object.entries(services).map(([name, { environment = {}, command, entrypoint, healthcheck }]) => [
        name,
        JSON.stringify([
          Object.entries(environment)
            .map(([key, value]) => `${key}=${value}`)
            .sort(),
          command,
          entrypoint,
          healthcheck?.test,
        ]),
      ]),
    );

  it('reads the one process, without a word about the cluster', () => {
    assert.deepEqual(Object.keys((parse(config(['--env-file', '/dev/null'])) as Composed).services), ['hindsight']);
  });

  for (const files of COMPOSITIONS) {
    it(`reads ${files.join(' and ')} as these tests do`, () => {
      // It prints what it could read again: dollars doubled.
      const read = parse(
        config(['--env-file', file, ...files.flatMap((each) => ['-f', each])]).replaceAll('$$', '$'),
      ) as Composed;
      assert.equal(read.name, 'hindsight-cluster');
      assert.deepEqual(wordsOf(read), wordsOf(composed(files, { ...variablesOf(secrets), TLS_FOLDER: '/etc/tls' })));
    });
  }
});

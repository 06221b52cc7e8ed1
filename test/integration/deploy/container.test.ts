import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SETTINGS } from '../../../src/config/settings.js';
import { read, ROOT, written } from './compose-files.js';

const KNOWN: ReadonlySet<string> = new Set(Object.values(SETTINGS).map(({ name }) => name));

/** The instructions of the last stage, and of the stages before it, without comments and line continuations. */
function stages(): { readonly before: string[]; readonly last: string[] } {
  const lines = read('Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const at = lines.findLastIndex((line) => line.startsWith('FROM '));
  return { before: lines.slice(0, at), last: lines.slice(at) };
}

describe('the Dockerfile', () => {
  const { before, last } = stages();
  const argument = (name: string): string | undefined =>
    last.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);

  it('begins each stage with the same Node, pinned to a version that the program runs on', () => {
    const [, version] = /^ARG NODE_VERSION=(\S+)$/m.exec(read('Dockerfile')) ?? [];
    assert.match(version ?? '', /^(20\.(1[2-9]|[2-9]\d)|2[2-9]\.\d+)\.\d+$/);
    const bases = [...before, ...last].filter((line) => line.startsWith('FROM '));
    assert.deepEqual([...new Set(bases.map((line) => line.split(' ')[1]))].sort(), [
      'build',
      'node:${NODE_VERSION}-bookworm-slim',
    ]);
  });

  it('has the shop of the demo as a target of its own, which the service is not built upon', () => {
    const lines = [...before, ...last];
    const at = lines.indexOf('FROM build AS demo');
    assert.deepEqual(lines.slice(at + 1, at + 4), [
      'ENV NODE_ENV=production',
      'USER node',
      'ENTRYPOINT ["node", "dist/demo/main.js"]',
    ]);
    assert.ok(lines.every((line) => !/--from=demo|FROM demo/.test(line)));
    assert.ok(last[0].startsWith('FROM node:'));
  });

  it('ships the npm package with what it needs, and nothing of the build', () => {
    assert.ok(before.some((line) => line.includes('node scripts/package/pack.mjs')));
    assert.deepEqual(
      last.filter((line) => line.startsWith('COPY ')),
      ['COPY --from=package /installed/lib/node_modules/@hindsight-apm/hindsight ./'],
    );
    assert.ok(last.every((line) => !/^RUN .*npm /.test(line)));
  });

  it('copies what exists', () => {
    for (const line of last.filter((each) => /^COPY (?!--from)/.test(each))) {
      for (const name of line.split(/\s+/).slice(1, -1)) assert.ok(existsSync(join(ROOT, name)), name);
    }
  });

  it('runs as a user without rights, stops by SIGTERM, says how it is, and starts the program itself', () => {
    assert.equal(argument('USER'), 'node');
    assert.equal(argument('STOPSIGNAL'), 'SIGTERM');
    assert.match(argument('HEALTHCHECK') ?? '', /CMD \["node", "bin\/healthcheck\.js"\]$/);
    assert.equal(argument('ENTRYPOINT'), '["node", "bin/hindsight.js"]');
    assert.equal(argument('CMD'), '["serve"]');
    assert.equal(argument('VOLUME'), '/data');
    assert.ok(
      last.findIndex((line) => line.startsWith('USER')) > last.findIndex((line) => line.startsWith('RUN')),
      'what runs as root comes before',
    );
  });

  it('sets settings that exist', () => {
    const names = [...(argument('ENV') ?? '').matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name);
    assert.ok(names.includes('NODE_ENV') && names.includes('DATA_DIR'));
    assert.deepEqual(
      names.filter((name) => !KNOWN.has(name)),
      [],
    );
  });

  it('keeps data and secrets out of the build', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const name of ['.git', '.env', 'data', 'node_modules', '*.pem', '*.key'])
      assert.ok(ignored.includes(name), name);
  });
});

describe('the one process of docker-compose.yml', () => {
  const files = ['docker-compose.yml', 'deploy/docker-compose.tls.yml'];
  const [plain, withTls] = files.map((file) => written(file).services!.hindsight);

  it('is given settings that exist', () => {
    for (const { environment = {} } of [plain, withTls])
      assert.deepEqual(
        Object.keys(environment).filter((name) => !KNOWN.has(name)),
        [],
      );
  });

  it('is asked for its health, has a read-only root, and keeps its data', () => {
    assert.deepEqual(plain.healthcheck?.test, ['CMD', 'node', 'bin/healthcheck.js']);
    assert.equal(plain.read_only, true);
    assert.ok(
      plain.volumes?.some((volume) => volume.endsWith(':/data')),
      'data outlives the container',
    );
  });

  it('opens no port to the network without TLS', () => {
    assert.ok(plain.ports!.every((port) => port.startsWith('127.0.0.1:')));
    assert.ok(withTls.ports!.length === 3 && 'TLS_CERT_FILE' in withTls.environment!);
  });
});

describe('the rules for Prometheus', () => {
  it('ask for metrics that exist', async () => {
    const { PrometheusMetrics } = await import('../../../src/self-telemetry/prometheus-metrics.js');
    const metrics = new PrometheusMetrics();
    metrics.registerCertificateExpiry(() => 0);
    metrics.registerBacklog(() => 0);
    metrics.registerRecords(() => Promise.resolve([]));
    metrics.registerShards(16, () => 0);
    metrics.registerCluster('hindsight');
    metrics.registerHealth(() => Promise.resolve({}));
    const known = await metrics.toPrometheusText();
    const rules = (
      parse(read('deploy/prometheus-rules.yml')) as {
        groups: { rules: { alert: string; expr: string; labels: object; annotations: { summary: string } }[] }[];
      }
    ).groups.flatMap((group) => group.rules);
    assert.ok(rules.length > 5);
    for (const { alert, expr, annotations } of rules) {
      assert.ok(annotations.summary.length > 10, alert);
      for (const [name] of expr.matchAll(/\b(hindsight|process|nodejs)_[a-z_]+/g))
        assert.ok(
          new RegExp(`^# TYPE ${name.replace(/_(bucket|sum|count)$/, '')} `, 'm').test(known),
          `${alert}: ${name}`,
        );
    }
  });
});

describe('the unit of systemd', () => {
  it('starts the program itself, sets settings that exist, and does not try a wrong setting again', () => {
    const unit = read('deploy/hindsight.service');
    assert.match(unit, /^ExecStart=\/usr\/bin\/node \S+\/bin\/hindsight\.js serve$/m);
    assert.match(unit, /^RestartPreventExitStatus=78$/m);
    const [, environment = ''] = /^Environment=(.*)$/m.exec(unit) ?? [];
    assert.deepEqual(
      [...environment.matchAll(/([A-Z_]+)=/g)].filter(([, name = '']) => !KNOWN.has(name)),
      [],
    );
    for (const line of ['DynamicUser=yes', 'ProtectSystem=strict', 'NoNewPrivileges=yes', 'StateDirectory=hindsight'])
      assert.ok(unit.includes(`\n${line}\n`), line);
  });
});

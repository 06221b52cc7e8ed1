import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { SETTINGS } from '../../src/config.js';

/** Works from dist and from a copy of it, as long as the project is the working directory or above. */
const ROOT = existsSync('Dockerfile') ? process.cwd() : fileURLToPath(new URL('../../..', import.meta.url));
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const KNOWN: ReadonlySet<string> = new Set(Object.values(SETTINGS).map(({ name }) => name));

/** The instructions of the last stage, and of the stages before it, without comments and line continuations. */
function stages(): { readonly before: string[]; readonly last: string[] } {
  const lines = read('Dockerfile').replace(/^#.*\n/gm, '').replace(/\\\n\s*/g, ' ').split('\n').filter((line) => line.trim() !== '');
  const at = lines.findLastIndex((line) => line.startsWith('FROM '));
  return { before: lines.slice(0, at), last: lines.slice(at) };
}

describe('the Dockerfile', () => {
  const { before, last } = stages();
  const argument = (name: string): string | undefined => last.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);

  it('begins each stage with the same Node, pinned to a version that the program runs on', () => {
    const [, version] = /^ARG NODE_VERSION=(\S+)$/m.exec(read('Dockerfile')) ?? [];
    assert.match(version ?? '', /^(20\.(1[2-9]|[2-9]\d)|2[2-9]\.\d+)\.\d+$/);
    const bases = [...before, ...last].filter((line) => line.startsWith('FROM '));
    assert.ok(bases.length >= 2 && bases.every((line) => line.startsWith('FROM node:${NODE_VERSION}-bookworm-slim')));
  });

  it('ships production packages and the built program, and nothing of the build', () => {
    assert.ok(before.some((line) => line.includes('npm ci --omit=dev')));
    const copied = last.filter((line) => line.startsWith('COPY '));
    assert.deepEqual(copied.filter((line) => /--from=build/.test(line)), ['COPY --from=build /app/dist/src ./dist/src']);
    assert.ok(copied.every((line) => !/COPY \. /.test(line)));
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
    assert.ok(last.findIndex((line) => line.startsWith('USER')) > last.findIndex((line) => line.startsWith('RUN')), 'what runs as root comes before');
  });

  it('sets settings that exist', () => {
    const names = [...(argument('ENV') ?? '').matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name);
    assert.ok(names.includes('NODE_ENV') && names.includes('DATA_DIR'));
    assert.deepEqual(names.filter((name) => !KNOWN.has(name)), []);
  });

  it('keeps data and secrets out of the build', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const name of ['.git', '.env', 'data', 'node_modules', '*.pem', '*.key']) assert.ok(ignored.includes(name), name);
  });
});

interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
}

function composed(name: string): Readonly<Record<string, ComposeService>> {
  // `!override` is a word of compose for lists; here it is a list like any other.
  return (parse(read(name), { customTags: [{ tag: '!override', collection: 'seq' as const }] }) as { services: Record<string, ComposeService> }).services;
}

describe('docker-compose.yml', () => {
  for (const file of ['docker-compose.yml', 'deploy/docker-compose.tls.yml']) {
    it(`sets nothing but settings that exist: ${file}`, () => {
      for (const { environment = {} } of Object.values(composed(file))) assert.deepEqual(Object.keys(environment).filter((name) => !KNOWN.has(name)), []);
    });
  }

  it('checks the health of every service, whose root is read-only', () => {
    for (const [name, service] of Object.entries(composed('docker-compose.yml'))) {
      assert.ok((service.healthcheck?.test.length ?? 0) > 1, name);
      assert.equal(service.read_only, true);
      assert.ok(service.volumes?.some((volume) => volume.endsWith(':/data')), 'data outlives the container');
    }
  });

  it('opens no port to the network without TLS', () => {
    for (const { ports = [] } of Object.values(composed('docker-compose.yml'))) assert.ok(ports.every((port) => port.startsWith('127.0.0.1:')));
    for (const { ports = [], environment = {} } of Object.values(composed('deploy/docker-compose.tls.yml'))) assert.ok(ports.length === 0 || 'TLS_CERT_FILE' in environment);
  });
});

describe('the rules for Prometheus', () => {
  it('ask for metrics that exist', async () => {
    const { Metrics } = await import('../../src/metrics/metrics.js');
    const metrics = new Metrics();
    metrics.certificateFrom(() => 0);
    const known = await metrics.text();
    const rules = (parse(read('deploy/prometheus-rules.yml')) as { groups: { rules: { alert: string; expr: string; labels: object; annotations: { summary: string } }[] }[] }).groups.flatMap((group) => group.rules);
    assert.ok(rules.length > 5);
    for (const { alert, expr, annotations } of rules) {
      assert.ok(annotations.summary.length > 10, alert);
      for (const [name] of expr.matchAll(/\b(hindsight|process|nodejs)_[a-z_]+/g)) assert.ok(new RegExp(`^# TYPE ${name.replace(/_(bucket|sum|count)$/, '')} `, 'm').test(known), `${alert}: ${name}`);
    }
  });
});

describe('the unit of systemd', () => {
  it('starts the program itself, sets settings that exist, and does not try a wrong setting again', () => {
    const unit = read('deploy/hindsight.service');
    assert.match(unit, /^ExecStart=\/usr\/bin\/node \S+\/bin\/hindsight\.js serve$/m);
    assert.match(unit, /^RestartPreventExitStatus=78$/m);
    const [, environment = ''] = /^Environment=(.*)$/m.exec(unit) ?? [];
    assert.deepEqual([...environment.matchAll(/([A-Z_]+)=/g)].filter(([, name = '']) => !KNOWN.has(name)), []);
    for (const line of ['DynamicUser=yes', 'ProtectSystem=strict', 'NoNewPrivileges=yes', 'StateDirectory=hindsight']) assert.ok(unit.includes(`\n${line}\n`), line);
  });
});

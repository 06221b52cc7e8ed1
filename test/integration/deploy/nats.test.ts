import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.js';
import { HAS_NATS, NATS_NEEDS } from '../../support/nats-server.js';
import { waitUntil } from '../../support/wait-until.js';
import { composed, read, variablesOf } from './compose-files.js';

/** Begins like a number, and with an `e` in it like a big one: a password as random as any. */
const PASSWORD = '12e5ab9';
const THREE = ['docker-compose.yml', 'deploy/docker-compose.three.yml'];

interface Ports {
  readonly client: number;
  readonly http: number;
  readonly cluster: number;
}

/** Servers of NATS as the containers have them: their configuration and environment, with ports and folders of this machine. */
class Servers {
  private readonly folder = mkdtempSync(join(tmpdir(), 'hindsight-nats-files-'));
  private readonly children: ChildProcess[] = [];
  private readonly ports: Ports[] = [];

  /** Starts `nats-1` and so on of these files, and waits until each says that it is healthy. */
  async start(files: readonly string[]): Promise<readonly Ports[]> {
    const { services } = composed(files, {
      ...variablesOf(read('deploy/cluster.env.example')),
      NATS_PASSWORD: PASSWORD,
    });
    const servers = Object.entries(services).filter(([name]) => /^nats-\d$/.test(name));
    for (const _ of servers)
      this.ports.push({ client: await freePort(), http: await freePort(), cluster: await freePort() });
    for (const [at, [, { command = [], environment = {} }]] of servers.entries()) this.run(at, command, environment);
    await Promise.all(this.ports.map(({ http }) => waitUntil(() => isHealthy(http), 'NATS is healthy', 30_000)));
    return this.ports;
  }

  private run(
    at: number,
    [program, ...words]: readonly string[],
    environment: Readonly<Record<string, string | number>>,
  ): void {
    const own = this.ports[at];
    const [main, routes] = ['hindsight.conf', 'routes.conf'].map((name) => join(this.folder, `${at}-${name}`));
    writeFileSync(
      main,
      read('deploy/cluster/nats.conf')
        .replace('4222', String(own.client))
        .replace('8222', String(own.http))
        .replace('/data', join(this.folder, String(at))),
    );
    writeFileSync(
      routes,
      read('deploy/cluster/nats-routes.conf')
        .replace('6222', String(own.cluster))
        .replace('./hindsight.conf', `./${at}-hindsight.conf`),
    );
    const here = Object.entries(environment).map(([name, value]) => [
      name,
      String(value).replace(/nats-(\d):6222/, (_, number) => `127.0.0.1:${this.ports[Number(number) - 1].cluster}`),
    ]);
    const files = words.map((word) =>
      word.replace('/etc/nats/hindsight.conf', main).replace('/etc/nats/routes.conf', routes),
    );
    this.children.push(
      spawn(program, files, {
        stdio: 'ignore',
        env: { PATH: `${process.env.PATH}:/usr/sbin`, ...Object.fromEntries(here) },
      }),
    );
  }

  async dispose(): Promise<void> {
    for (const child of this.children) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(this.folder, { recursive: true });
  }
}

async function isHealthy(port: number): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.status === 200;
}

/** The answer to a greeting with this password. */
async function greeted(port: number, pass: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'data');
    socket.write(`CONNECT ${JSON.stringify({ user: 'hindsight', pass, verbose: true })}\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return answer.toString().trim();
  } finally {
    socket.destroy();
  }
}

(HAS_NATS ? describe : describe.skip)(`NATS as docker-compose.yml configures it${NATS_NEEDS}`, function () {
  this.timeout(60_000);
  let servers: Servers;
  beforeEach(() => (servers = new Servers()));
  afterEach(() => servers.dispose());

  it('takes the password of the settings, whatever it looks like, and no other', async () => {
    const [{ client }] = await servers.start(['docker-compose.yml']);
    assert.equal(await greeted(client, PASSWORD), '+OK');
    assert.match(await greeted(client, '1200000'), /^-ERR 'Authorization Violation'/);
  });

  it('is one cluster of three with JetStream', async () => {
    const ports = await servers.start(THREE);
    for (const { http } of ports) {
      const { meta_cluster: meta } = (await (await fetch(`http://127.0.0.1:${http}/jsz`)).json()) as {
        meta_cluster: { name: string; cluster_size: number; leader: string };
      };
      assert.deepEqual([meta.name, meta.cluster_size], ['hindsight', 3]);
      assert.match(meta.leader, /^nats-[123]$/);
    }
  });
});

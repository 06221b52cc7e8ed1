import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { mintApiKey } from '../../../src/auth/api-key-secret.js';
import { ApiClient } from '../api-client.js';
import { waitUntil } from '../wait-until.js';
import { Engines, type Composition } from './engines.js';
import { Member } from './member.js';

const PROGRAM = fileURLToPath(new URL('../../../../bin/hindsight.js', import.meta.url));

export type Role = 'ingest' | 'project' | 'api';

/** Number of processes by role, and their engines. `all`: processes with all roles. */
export interface Topology extends Composition {
  readonly ingest?: number;
  readonly project?: number;
  readonly api?: number;
  readonly all?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Verified {
  readonly projection: string;
  readonly equal: boolean;
}

/** Projections that are not sharded. */
const ADMINISTRATIVE = [
  'access',
  'alerts',
  'audit',
  'charts',
  'error-groups',
  'incidents',
  'key-use',
  'notifications',
  'slos',
  'usage',
  'views',
];

/** Sorted names of all projections as reported by verification. */
export function projectionsOf(shards: number): readonly string[] {
  const suffixes = shards === 1 ? [''] : Array.from({ length: shards }, (_, shard) => `/${shard}`);
  return [
    ...ADMINISTRATIVE,
    ...['traces', 'logs', 'metrics'].flatMap((name) => suffixes.map((suffix) => name + suffix)),
  ].sort();
}

/** Tests query more often than users, and with invalid keys. */
const NO_LIMITS = {
  RATE_LIMIT_USER_PER_MINUTE: '0',
  RATE_LIMIT_GRID_PER_MINUTE: '0',
  FAILED_CREDENTIALS_PER_MINUTE: '0',
};

/** Timeout (ms): leases are granted after 7 s, then the access projection starts. Longer on a busy machine. */
const FIRST_KEY_MS = 120_000;

/** A cluster of local processes and the servers that they share. Members are called `ingest-1`, `project-2`, `all-1`. */
export class Cluster {
  private constructor(
    readonly engines: Engines,
    readonly members: readonly Member[],
    readonly gridId: string,
    readonly apiKey: string,
  ) {}

  /** Resolves when every process is ready and accepts the key of the first Grid, which requires the first leases. All processes are configured with the same first Grid and key. */
  static async start(topology: Topology): Promise<Cluster> {
    const engines = await Engines.start(topology);
    const [gridId, apiKey] = [randomUUID(), mintApiKey().text];
    const common = {
      ...NO_LIMITS,
      // All processes share the cores of one machine, often with other tests.
      STORE_TIMEOUT: '10s',
      BOOTSTRAP_GRID_ID: gridId,
      BOOTSTRAP_API_KEY: apiKey,
      ...engines.environment,
      ...topology.environment,
    };
    const members = await Promise.all(
      namesIn(topology).map(([name, roles]) => Member.prepare(name, { ...common, ROLES: roles })),
    );
    const cluster = new Cluster(engines, members, gridId, apiKey);
    try {
      for (const member of members) member.spawn();
      await Promise.all(members.map((member) => member.whenReady()));
      await waitUntil(() => cluster.knows(cluster), 'every process knows the first key', FIRST_KEY_MS).catch(
        (error: Error) => Promise.reject(new Error(`${error.message}\n${cluster.logTails()}`, { cause: error })),
      );
      return cluster;
    } catch (error) {
      await cluster.dispose();
      throw error;
    }
  }

  /** Whether every process accepts the key. */
  async knows({ gridId, apiKey }: { readonly gridId: string; readonly apiKey: string }): Promise<boolean> {
    const headers = { 'api-key': apiKey, 'content-type': 'application/x-protobuf' };
    const requests = [
      ...this.with('ingest').map(({ otlpHttpUrl }) =>
        fetch(`${otlpHttpUrl}/v1/traces`, { method: 'POST', headers, body: new Uint8Array() }),
      ),
      ...this.with('api').map(({ apiUrl }) =>
        fetch(`${apiUrl}/apm/diagnostics/${gridId}/health?api-version=2.0`, { headers }),
      ),
    ];
    return (await Promise.all(requests)).every(({ status }) => status === 200);
  }

  named(name: string): Member {
    const found = this.members.find((member) => member.name === name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  }

  /** The members with a role. */
  with(role: Role): readonly Member[] {
    return this.members.filter(({ name }) => name.startsWith(`${role}-`) || name.startsWith('all-'));
  }

  /** Sends SIGKILL. */
  async kill(name: string): Promise<void> {
    await this.named(name).signal('SIGKILL');
  }

  /** Restarts a member; resolves when it is ready. */
  restart(name: string): Promise<void> {
    return this.named(name).start();
  }

  /** API client of the named process, or of the first one with the API role. */
  api(name?: string): ApiClient {
    return new ApiClient((name === undefined ? this.with('api')[0] : this.named(name)).apiUrl, {
      'api-key': this.apiKey,
    });
  }

  /** The `--json` output of a CLI command that runs next to a member, whatever its exit code. */
  async command<T>(member: Member, ...words: string[]): Promise<T> {
    const { NODE_OPTIONS: _, ...inherited } = process.env;
    const run = promisify(execFile)(process.execPath, [PROGRAM, ...words, '--json'], {
      env: { ...inherited, ...member.settings },
      maxBuffer: 64 * 1024 * 1024,
    });
    const { stdout } = await run.catch((error: { stdout: string; message: string }) =>
      error.stdout === '' ? Promise.reject(new Error(error.message)) : error,
    );
    return JSON.parse(stdout) as T;
  }

  /** Verifies the read models of each projector against a replay. */
  async verify(): Promise<readonly Verified[]> {
    const found: Verified[] = [];
    for (const member of this.with('project')) found.push(...(await this.command<Verified[]>(member, 'verify')));
    return found;
  }

  /** The last lines of all logs, for failed tests. */
  logTails(lines?: number): string {
    return this.members.map((member) => member.logTail(lines)).join('\n\n');
  }

  async dispose(): Promise<void> {
    await Promise.all(this.members.map((member) => member.dispose()));
    await this.engines.dispose();
  }
}

/** Member names with their roles. */
function namesIn({ ingest = 0, project = 0, api = 0, all = 0 }: Topology): (readonly [name: string, roles: string])[] {
  const kinds = [
    ['ingest', ingest, 'ingest'],
    ['project', project, 'project'],
    ['api', api, 'api'],
    ['all', all, 'ingest,project,api'],
  ] as const;
  return kinds.flatMap(([kind, count, roles]) =>
    Array.from({ length: count }, (_, n) => [`${kind}-${n + 1}`, roles] as const),
  );
}

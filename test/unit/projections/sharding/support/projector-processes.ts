import assert from 'node:assert/strict';
import { SILENT_LOGGER } from '../../../../../src/self-telemetry/logger.js';
import { computeDigest } from '../../../../../src/projections/engine/read-model-digest.js';
import {
  ADMINISTRATIVE_GROUPS,
  SHARDED_GROUPS,
  type ProjectionGroup,
} from '../../../../../src/projections/projection-groups.js';
import type { FencingToken } from '../../../../../src/projections/sharding/shard-leases.js';
import { Projector } from '../../../../../src/projections/engine/projector.js';
import { createShardScope, type ShardScope } from '../../../../../src/projections/sharding/shard-scope.js';
import {
  ShardedProjector,
  type ShardedProjectorParts,
} from '../../../../../src/projections/sharding/sharded-projector.js';
import { MemoryReadModelStore } from '../../../../../src/read-models/adapters/memory/read-model-store.js';
import { readActiveVersion } from '../../../../../src/read-models/documents/projection-documents.js';
import { ShardStore } from '../../../../../src/read-models/sharding/shard-store.js';
import type { ReadModelStore } from '../../../../../src/read-models/read-model-store.js';
import type { Position } from '../../../../../src/streams/event-store.js';
import { ShardMap } from '../../../../../src/streams/shard-map.js';
import { ProjectedLog } from '../../engine/support/projected.js';
import { until } from '../../engine/support/until.js';
import { GatedStore } from './gated-store.js';
import { GrantedLeases } from './granted-leases.js';

const EAGER = { everyMs: 0, idleMs: 50 };

/** A process with the role `project`, with simulated leases. */
export interface ProjectorProcess {
  readonly projector: ShardedProjector;
  readonly leases: GrantedLeases;
  readonly store: GatedStore;
  /** What it told of last. */
  reported: readonly number[];
}

/** Projector processes over one log and one store, and the test as the register of their leases. */
export class ProjectorProcesses {
  readonly log = new ProjectedLog();
  readonly shardMap: ShardMap;
  readonly all: ProjectorProcess[] = [];
  private readonly grants = new Map<number, { readonly to: ProjectorProcess; readonly token: FencingToken }>();
  private token = 0;

  constructor(
    count: number,
    readonly store: ReadModelStore = new MemoryReadModelStore(),
    private readonly overrides: Partial<ShardedProjectorParts> = {},
  ) {
    this.shardMap = new ShardMap(count);
  }

  /** Those who hear of their leases. */
  get reachable(): readonly ProjectorProcess[] {
    return this.all.filter(({ leases }) => !leases.isDisconnected);
  }

  async join(): Promise<ProjectorProcess> {
    const [leases, store] = [new GrantedLeases(), new GatedStore(this.store)];
    const { events, feed } = this.log;
    const parts: ShardedProjectorParts = {
      events,
      feed,
      store,
      leases,
      shardMap: this.shardMap,
      log: SILENT_LOGGER,
      pollingIntervals: EAGER,
      graceMs: 0,
      openShardStore: (shard) => new ShardStore(store, shard),
      scratch: () => new MemoryReadModelStore(),
      onOwnedShardsChanged: (shards) => void (joined.reported = shards),
      ...this.overrides,
    };
    const joined: ProjectorProcess = { projector: new ShardedProjector(parts), leases, store, reported: [] };
    this.all.push(joined);
    await joined.projector.start();
    this.divide();
    return joined;
  }

  /** Its writes wait, and it learns nothing any more: others get what it had. */
  stall(member: ProjectorProcess): void {
    member.store.stall();
    member.leases.isDisconnected = true;
    this.divide();
  }

  /** It continues in the midst of what it did; a moment later it hears that it has lost its leases. */
  async resume(member: ProjectorProcess): Promise<void> {
    member.store.resume();
    await new Promise((resolve) => setImmediate(resolve));
    member.leases.isDisconnected = false;
    member.leases.grant(new Map());
    this.divide();
  }

  async kill(member: ProjectorProcess): Promise<void> {
    member.store.kill();
    member.leases.isDisconnected = true;
    this.all.splice(this.all.indexOf(member), 1);
    this.divide();
    await member.projector.stop(); // it holds timers; nothing it does reaches the store any more
  }

  /** Gives everybody who hears equally many shards; what changes hands has a larger token. */
  divide(): void {
    const { reachable } = this;
    for (let shard = 0; shard < this.shardMap.count && reachable.length > 0; shard++)
      this.grant(shard, reachable[shard % reachable.length]);
    this.report();
  }

  private grant(shard: number, to: ProjectorProcess): void {
    if (this.grants.get(shard)?.to !== to) this.grants.set(shard, { to, token: ++this.token });
  }

  private report(): void {
    for (const member of this.reachable)
      member.leases.grant(
        new Map([...this.grants].flatMap(([shard, { to, token }]) => (to === member ? [[shard, token]] : []))),
      );
  }

  /** Waits until everything in the log is in the read models of all shards. */
  async settle(): Promise<void> {
    const head = await this.log.events.head();
    for (let shard = 0; shard < this.shardMap.count; shard++) {
      const { projector } = this.grants.get(shard)!.to;
      await until(() => isAt(projector, shard, head));
    }
  }

  /** Digests of all read models as they are in the store, by the names of their projections. */
  async digests(): Promise<Record<string, string | undefined>> {
    const digests = await digestsIn(this.store, ADMINISTRATIVE_GROUPS, '');
    for (let shard = 0; shard < this.shardMap.count; shard++)
      Object.assign(digests, await digestsIn(new ShardStore(this.store, shard), SHARDED_GROUPS, `/${shard}`));
    return digests;
  }

  /** Those that a projector makes which nobody disturbs. */
  async expectedDigests(): Promise<Record<string, string | undefined>> {
    const digests = await this.undisturbed(ADMINISTRATIVE_GROUPS, '');
    for (let shard = 0; shard < this.shardMap.count; shard++)
      Object.assign(
        digests,
        await this.undisturbed(SHARDED_GROUPS, `/${shard}`, createShardScope(this.shardMap, shard)),
      );
    return digests;
  }

  private async undisturbed(
    groups: readonly ProjectionGroup[],
    suffix: string,
    scope?: ShardScope,
  ): Promise<Record<string, string | undefined>> {
    const store = new MemoryReadModelStore();
    const { events, feed } = this.log;
    const { spanHorizon } = this.overrides; // what a repetition is depends on it
    const projector = new Projector({
      events,
      feed,
      store,
      groups,
      scope,
      spanHorizon,
      log: SILENT_LOGGER,
      pollingIntervals: EAGER,
      scratch: () => new MemoryReadModelStore(),
    });
    await projector.start();
    const head = await events.head();
    for (const name of await projector.projections())
      assert.ok(await projector.waitForPosition(name, head, 10_000), `${name} is late`);
    await projector.stop();
    return digestsIn(store, groups, suffix);
  }

  async stop(): Promise<void> {
    for (const { store } of this.all) store.resume();
    await Promise.all(this.all.map(({ projector }) => projector.stop()));
    await this.log.remove();
  }
}

async function isAt(projector: ShardedProjector, shard: number, head: Position): Promise<boolean> {
  const wanted = [
    `traces/${shard}`,
    ...(shard === 0
      ? [
          'access',
          'alerts',
          'notifications',
          'incidents',
          'charts',
          'views',
          'error-groups',
          'slos',
          'usage',
          'audit',
          'key-use',
        ]
      : []),
  ];
  const reached = await Promise.all(wanted.map((name) => hasReached(projector, name, head)));
  return reached.every((each) => each);
}

/** False also while the shard is starting, or not owned here. */
export function hasReached(projector: ShardedProjector, name: string, position: Position): Promise<boolean> {
  return projector.waitForPosition(name, position, 100).catch(() => false);
}

async function digestsIn(
  store: ReadModelStore,
  groups: readonly ProjectionGroup[],
  suffix: string,
): Promise<Record<string, string | undefined>> {
  const digests: Record<string, string | undefined> = {};
  for (const projection of groups.flatMap(({ projections }) => projections)) {
    const version = await readActiveVersion(store, projection.name);
    digests[projection.name + suffix] =
      version === undefined ? undefined : await computeDigest(projection, version, store);
  }
  return digests;
}

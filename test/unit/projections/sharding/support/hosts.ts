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

/** A process with the role `project`, as far as shares are concerned. */
export interface Host {
  readonly host: ShardedProjector;
  readonly leases: GrantedLeases;
  readonly store: GatedStore;
  /** What it told of last. */
  told: readonly number[];
}

/** Hosts over one log and one store, and the test as the register of their leases. */
export class Hosts {
  readonly log = new ProjectedLog();
  readonly shares: ShardMap;
  readonly all: Host[] = [];
  private readonly grants = new Map<number, { readonly to: Host; readonly token: FencingToken }>();
  private token = 0;

  constructor(
    count: number,
    readonly store: ReadModelStore = new MemoryReadModelStore(),
    private readonly overrides: Partial<ShardedProjectorParts> = {},
  ) {
    this.shares = new ShardMap(count);
  }

  /** Those who hear of their leases. */
  get hearing(): readonly Host[] {
    return this.all.filter(({ leases }) => !leases.isDeaf);
  }

  async join(): Promise<Host> {
    const [leases, store] = [new GrantedLeases(), new GatedStore(this.store)];
    const { events, feed } = this.log;
    const parts: ShardedProjectorParts = {
      events,
      feed,
      store,
      leases,
      shardMap: this.shares,
      log: SILENT_LOGGER,
      pollingIntervals: EAGER,
      graceMs: 0,
      openShardStore: (shard) => new ShardStore(store, shard),
      scratch: () => new MemoryReadModelStore(),
      onOwnedShardsChanged: (shares) => void (joined.told = shares),
      ...this.overrides,
    };
    const joined: Host = { host: new ShardedProjector(parts), leases, store, told: [] };
    this.all.push(joined);
    await joined.host.start();
    this.divide();
    return joined;
  }

  /** Its writes wait, and it learns nothing any more: others get what it had. */
  stall(host: Host): void {
    host.store.stall();
    host.leases.isDeaf = true;
    this.divide();
  }

  /** It goes on in the midst of what it did; a moment later it hears that it has lost its leases. */
  async resume(host: Host): Promise<void> {
    host.store.resume();
    await new Promise((resolve) => setImmediate(resolve));
    host.leases.isDeaf = false;
    host.leases.grant(new Map());
    this.divide();
  }

  async kill(host: Host): Promise<void> {
    host.store.kill();
    host.leases.isDeaf = true;
    this.all.splice(this.all.indexOf(host), 1);
    this.divide();
    await host.host.stop(); // it holds timers; nothing it does reaches the store any more
  }

  /** Gives everybody who hears equally many shares; what changes hands has a larger token. */
  divide(): void {
    const { hearing } = this;
    for (let shard = 0; shard < this.shares.count && hearing.length > 0; shard++)
      this.grant(shard, hearing[shard % hearing.length]);
    this.tell();
  }

  private grant(shard: number, to: Host): void {
    if (this.grants.get(shard)?.to !== to) this.grants.set(shard, { to, token: ++this.token });
  }

  private tell(): void {
    for (const host of this.hearing)
      host.leases.grant(
        new Map([...this.grants].flatMap(([shard, { to, token }]) => (to === host ? [[shard, token]] : []))),
      );
  }

  /** Waits until everything in the log is in the read models of all shares. */
  async settle(): Promise<void> {
    const head = await this.log.events.head();
    for (let shard = 0; shard < this.shares.count; shard++) {
      const { host } = this.grants.get(shard)!.to;
      await until(() => isAt(host, shard, head));
    }
  }

  /** Digests of all read models as they are in the store, by the names of their projections. */
  async digests(): Promise<Record<string, string | undefined>> {
    const digests = await digestsIn(this.store, ADMINISTRATIVE_GROUPS, '');
    for (let shard = 0; shard < this.shares.count; shard++)
      Object.assign(digests, await digestsIn(new ShardStore(this.store, shard), SHARDED_GROUPS, `/${shard}`));
    return digests;
  }

  /** Those that a projector makes which nobody disturbs. */
  async expectedDigests(): Promise<Record<string, string | undefined>> {
    const digests = await this.undisturbed(ADMINISTRATIVE_GROUPS, '');
    for (let shard = 0; shard < this.shares.count; shard++)
      Object.assign(digests, await this.undisturbed(SHARDED_GROUPS, `/${shard}`, createShardScope(this.shares, shard)));
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
    await Promise.all(this.all.map(({ host }) => host.stop()));
    await this.log.remove();
  }
}

async function isAt(host: ShardedProjector, shard: number, head: Position): Promise<boolean> {
  const wanted = [
    `traces/${shard}`,
    ...(shard === 0 ? ['access', 'alerts', 'charts', 'usage', 'audit', 'key-use'] : []),
  ];
  const reached = await Promise.all(wanted.map((name) => hasReached(host, name, head)));
  return reached.every((each) => each);
}

/** False also while the shard is starting, or not owned here. */
export function hasReached(host: ShardedProjector, name: string, position: Position): Promise<boolean> {
  return host.waitForPosition(name, position, 100).catch(() => false);
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

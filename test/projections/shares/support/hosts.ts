import assert from 'node:assert/strict';
import { SILENT } from '../../../../src/log.js';
import { digestOf } from '../../../../src/projections/digest.js';
import { ADMINISTRATIVE_GROUPS, SHARED_GROUPS, type ProjectionGroup } from '../../../../src/projections/groups.js';
import type { FencingToken } from '../../../../src/projections/leases/leases.js';
import { Projector } from '../../../../src/projections/projector.js';
import { shareScope, type ShareScope } from '../../../../src/projections/share-scope.js';
import { ProjectorHost, type HostParts } from '../../../../src/projections/shares/projector-host.js';
import { MemoryReadModelStore } from '../../../../src/read-models/adapters/memory/read-model-store.js';
import { activeVersion } from '../../../../src/read-models/projections.js';
import { ShareStore } from '../../../../src/read-models/shares/share-store.js';
import type { ReadModelStore } from '../../../../src/read-models/store.js';
import type { Position } from '../../../../src/streams/event-store.js';
import { Shares } from '../../../../src/streams/shares.js';
import { ProjectedLog } from '../../support/projected.js';
import { until } from '../../support/until.js';
import { GatedStore } from './gated-store.js';
import { GrantedLeases } from './granted-leases.js';

const EAGER = { everyMs: 0, lookMs: 50 };

/** A process with the role `project`, as far as shares are concerned. */
export interface Host {
  readonly host: ProjectorHost;
  readonly leases: GrantedLeases;
  readonly store: GatedStore;
  /** What it told of last. */
  told: readonly number[];
}

/** Hosts over one log and one store, and the test as the register of their leases. */
export class Hosts {
  readonly log = new ProjectedLog();
  readonly shares: Shares;
  readonly all: Host[] = [];
  private readonly grants = new Map<number, { readonly to: Host; readonly token: FencingToken }>();
  private token = 0;

  constructor(
    count: number,
    readonly store: ReadModelStore = new MemoryReadModelStore(),
    private readonly overrides: Partial<HostParts> = {},
  ) {
    this.shares = new Shares(count);
  }

  /** Those who hear of their leases. */
  get hearing(): readonly Host[] {
    return this.all.filter(({ leases }) => !leases.isDeaf);
  }

  async join(): Promise<Host> {
    const [leases, store] = [new GrantedLeases(), new GatedStore(this.store)];
    const { events, feed } = this.log;
    const parts: HostParts = {
      events, feed, store, leases, shares: this.shares, log: SILENT, pace: EAGER, graceMs: 0,
      storeOf: (share) => new ShareStore(store, share),
      scratch: () => new MemoryReadModelStore(),
      onHeld: (shares) => void (joined.told = shares),
      ...this.overrides,
    };
    const joined: Host = { host: new ProjectorHost(parts), leases, store, told: [] };
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
    for (let share = 0; share < this.shares.count && hearing.length > 0; share++) this.grant(share, hearing[share % hearing.length]);
    this.tell();
  }

  private grant(share: number, to: Host): void {
    if (this.grants.get(share)?.to !== to) this.grants.set(share, { to, token: ++this.token });
  }

  private tell(): void {
    for (const host of this.hearing) host.leases.grant(new Map([...this.grants].flatMap(([share, { to, token }]) => (to === host ? [[share, token]] : []))));
  }

  /** Waits until everything in the log is in the read models of all shares. */
  async settle(): Promise<void> {
    const head = await this.log.events.head();
    for (let share = 0; share < this.shares.count; share++) {
      const { host } = this.grants.get(share)!.to;
      await until(() => isAt(host, share, head));
    }
  }

  /** Digests of all read models as they are in the store, by the names of their projections. */
  async digests(): Promise<Record<string, string | undefined>> {
    const digests = await digestsIn(this.store, ADMINISTRATIVE_GROUPS, '');
    for (let share = 0; share < this.shares.count; share++) Object.assign(digests, await digestsIn(new ShareStore(this.store, share), SHARED_GROUPS, `/${share}`));
    return digests;
  }

  /** Those that a projector makes which nobody disturbs. */
  async expectedDigests(): Promise<Record<string, string | undefined>> {
    const digests = await this.undisturbed(ADMINISTRATIVE_GROUPS, '');
    for (let share = 0; share < this.shares.count; share++) Object.assign(digests, await this.undisturbed(SHARED_GROUPS, `/${share}`, shareScope(this.shares, share)));
    return digests;
  }

  private async undisturbed(groups: readonly ProjectionGroup[], suffix: string, scope?: ShareScope): Promise<Record<string, string | undefined>> {
    const store = new MemoryReadModelStore();
    const { events, feed } = this.log;
    const { spanHorizon } = this.overrides; // what a repetition is depends on it
    const projector = new Projector({ events, feed, store, groups, scope, spanHorizon, log: SILENT, pace: EAGER, scratch: () => new MemoryReadModelStore() });
    await projector.start();
    const head = await events.head();
    for (const name of await projector.projections()) assert.ok(await projector.whenAt(name, head, 10_000), `${name} is late`);
    await projector.stop();
    return digestsIn(store, groups, suffix);
  }

  async stop(): Promise<void> {
    for (const { store } of this.all) store.resume();
    await Promise.all(this.all.map(({ host }) => host.stop()));
    await this.log.remove();
  }
}

async function isAt(host: ProjectorHost, share: number, head: Position): Promise<boolean> {
  const wanted = [`traces/${share}`, ...(share === 0 ? ['access', 'alerts', 'charts', 'usage', 'audit', 'key-use'] : [])];
  const reached = await Promise.all(wanted.map((name) => hasReached(host, name, head)));
  return reached.every((each) => each);
}

/** False also while the share is being started, or not held here. */
export function hasReached(host: ProjectorHost, name: string, position: Position): Promise<boolean> {
  return host.whenAt(name, position, 100).catch(() => false);
}

async function digestsIn(store: ReadModelStore, groups: readonly ProjectionGroup[], suffix: string): Promise<Record<string, string | undefined>> {
  const digests: Record<string, string | undefined> = {};
  for (const projection of groups.flatMap(({ projections }) => projections)) {
    const version = await activeVersion(store, projection.name);
    digests[projection.name + suffix] = version === undefined ? undefined : await digestOf(projection, version, store);
  }
  return digests;
}

import type { Subscription } from 'rxjs';
import type { Health } from '../../component.js';
import { HindsightError } from '../../errors.js';
import type { ReadModelStore } from '../../read-models/read-model-store.js';
import type { Position } from '../../streams/event-store.js';
import { ADMINISTRATIVE_PREFIXES, GRID_PREFIX, RETENTION_PREFIX } from '../../streams/stream-names.js';
import type { ShardMap } from '../../streams/shard-map.js';
import {
  ADMINISTRATIVE_GROUPS,
  PROJECTION_GROUPS,
  type ProjectionGroup,
  SHARDED_GROUPS,
} from '../projection-groups.js';
import type { LeasedShards, ShardLeases } from './shard-leases.js';
import type { DeadLetter } from '../engine/dead-letter-queue.js';
import { Projector } from '../engine/projector.js';
import type {
  CommitReport,
  ProjectorParts,
  RebuildOptions,
  RebuildOutcome,
  RetryOptions,
  RetryOutcome,
  VerificationOutcome,
} from '../engine/projector-types.js';
import type { Progress } from '../engine/projection-replay.js';
import { ALL_GRIDS, createShardScope, type ShardScope } from './shard-scope.js';
import { LeasedShard, type ShardProjector } from './leased-shard.js';
import { FencedStore } from './fenced-store.js';
import { addShardSuffix, mergeRetryOutcomes, withProjectionName } from './shard-outcomes.js';

/** Operations on the projector of this process, whether it is one projector or one per shard. */
export type ProjectorPort = Pick<
  Projector,
  | 'start'
  | 'stop'
  | 'projections'
  | 'position'
  | 'waitForPosition'
  | 'rebuild'
  | 'verify'
  | 'vacuum'
  | 'releaseMemory'
  | 'listDeadLetters'
  | 'retryDeadLetters'
  | 'check'
>;

export interface ShardedProjectorParts extends Omit<ProjectorParts, 'groups' | 'scope' | 'onFenced'> {
  readonly shardMap: ShardMap;
  /** `start` joins them. Their owner MUST close them after `stop` has resolved, not before. */
  readonly leases: ShardLeases;
  /** Opens the part of `store` that belongs to a shard. */
  readonly openShardStore: (shard: number) => ReadModelStore;
  /** Log and feed for a projector that follows these streams; absent: those of all projectors. */
  readonly followStreams?: (prefixes: readonly string[]) => Pick<ProjectorParts, 'events' | 'feed'>;
  /** Called with the owned shards in ascending order: at the start, and after each change. */
  readonly onOwnedShardsChanged?: (shards: readonly number[]) => void;
}

/**
 * How long a checkpoint may lag behind what a run has read (ms): this much of the log is read again after a shard has
 * moved.
 */
const CHECKPOINT_IDLE_INTERVAL_MS = 10_000;

/**
 * Keeps the read models of the shards that this process owns up to date: one projector per shard for its telemetry, and
 * with shard 0 another one for everything that is not sharded. Projections of a shard are called `traces/3`; with a
 * single shard `traces`, as everywhere.
 */
export class ShardedProjector implements ProjectorPort {
  private readonly leasedShards = new Map<number, LeasedShard>();
  /** By shard: settles when its last lease has ended. */
  private readonly ending = new Map<number, Promise<void>>();
  /** By the suffix of the projector. */
  private readonly deadLetterCounts = new Map<string, number>();
  private subscription: Subscription | undefined;
  private isStopped = false;
  private reportedShards: readonly number[] | undefined;

  constructor(private readonly parts: ShardedProjectorParts) {}

  /**
   * Joins the cluster. Resolves at once; shards are assigned when they are free, and `check` names those that are starting.
   */
  start(): Promise<void> {
    const { leases } = this.parts;
    if (this.isStopped) return Promise.resolve();
    this.subscription = leases.held.subscribe((held) => this.applyLeases(held));
    leases.join();
    return Promise.resolve();
  }

  /** Finishes the commits in progress of all shards, and starts none any more. Idempotent. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.subscription?.unsubscribe();
    for (const shard of [...this.leasedShards.keys()]) this.stopShard(shard);
    await Promise.all(this.ending.values());
  }

  /** Names of the projections of all owned shards, including those that are starting. */
  projections(): Promise<string[]> {
    return Promise.resolve(
      this.ownedShards.flatMap(([shard]) => this.listAssignments(shard).flatMap(publicProjectionNames)),
    );
  }

  async position(name: string): Promise<Position | undefined> {
    const [{ projector }, own] = await this.findProjector(name);
    return projector.position(own);
  }

  async waitForPosition(name: string, position: Position, timeoutMs: number): Promise<boolean> {
    const [{ projector }, own] = await this.findProjector(name);
    return projector.waitForPosition(own, position, timeoutMs);
  }

  async rebuild(
    name: string,
    onProgress: (progress: Progress) => void,
    options?: RebuildOptions,
  ): Promise<RebuildOutcome> {
    const [{ projector }, own] = await this.findProjector(name);
    return withProjectionName(
      await projector.rebuild(own, (progress) => onProgress(withProjectionName(progress, name)), options),
      name,
    );
  }

  async verify(name: string): Promise<VerificationOutcome> {
    const [{ projector }, own] = await this.findProjector(name);
    return withProjectionName(await projector.verify(own), name);
  }

  async releaseMemory(): Promise<void> {
    for (const { projector } of this.running) await projector.releaseMemory();
  }

  /** All projectors share one store: any of them can vacuum it. */
  async vacuum(): Promise<number> {
    const [first] = this.running;
    return first === undefined ? 0 : first.projector.vacuum();
  }

  async listDeadLetters(): Promise<DeadLetter[]> {
    const events = await Promise.all(
      this.running.map(async ({ projector, suffix }) =>
        (await projector.listDeadLetters()).map((event) => addShardSuffix(event, suffix)),
      ),
    );
    return events.flat().sort((a, b) => (a.position < b.position ? -1 : 1));
  }

  /** One projector after the other: a rebuild yields to the live runs of its own shard only. */
  async retryDeadLetters(
    { projection, fatal }: RetryOptions,
    onProgress: (progress: Progress) => void,
  ): Promise<RetryOutcome> {
    const target = projection === undefined ? undefined : await this.findProjector(projection);
    const outcomes: RetryOutcome[] = [];
    for (const { projector, suffix } of target === undefined ? this.running : [target[0]]) {
      const report = (progress: Progress): void =>
        onProgress(withProjectionName(progress, progress.projection + suffix));
      const each = await projector.retryDeadLetters(
        { fatal, ...(target === undefined ? {} : { projection: target[1] }) },
        report,
      );
      outcomes.push(addShardSuffix(each, suffix));
    }
    return { ...mergeRetryOutcomes(outcomes), left: this.deadLetterCount };
  }

  /** Healthy while the leases are valid and every owned shard makes progress; degraded while a shard is starting. */
  async check(): Promise<Health> {
    const target = await Promise.all([
      this.parts.leases.check(),
      ...[...this.leasedShards.values()].map((leasedShard) => leasedShard.check()),
    ]);
    const reasons = target.flatMap((health) => (health.ok ? [] : [health.reason]));
    if (reasons.length > 0) return { ok: false, reason: reasons.join('; ') };
    const degraded = target.flatMap((health) => (health.ok && health.degraded !== undefined ? [health.degraded] : []));
    return degraded.length === 0 ? { ok: true } : { ok: true, degraded: degraded.join('; ') };
  }

  /** Owned shards that no later holder has taken over, in ascending order. */
  private get ownedShards(): readonly (readonly [number, LeasedShard])[] {
    return [...this.leasedShards].filter(([, { isSuperseded }]) => !isSuperseded).sort(([a], [b]) => a - b);
  }

  private get running(): readonly ShardProjector[] {
    return [...this.leasedShards.values()].flatMap(({ running }) => running);
  }

  private recordDeadLetterCount(suffix: string, count: number): void {
    if (count === (this.deadLetterCounts.get(suffix) ?? 0)) return;
    this.deadLetterCounts.set(suffix, count);
    this.parts.onDeadLetterCount?.(this.deadLetterCount);
  }

  private get deadLetterCount(): number {
    return [...this.deadLetterCounts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The leases changed. */
  private applyLeases(held: LeasedShards): void {
    for (const [shard, { token }] of this.leasedShards) if (held.get(shard) !== token) this.stopShard(shard);
    for (const [shard, token] of held) if (!this.leasedShards.has(shard)) this.startShard(shard, token);
    this.reportOwnedShards();
  }

  private startShard(shard: number, token: number): void {
    const { log } = this.parts;
    const open = (onFenced: () => void): readonly ShardProjector[] => this.createProjectors(shard, token, onFenced);
    const after = this.ending.get(shard) ?? Promise.resolve();
    this.leasedShards.set(
      shard,
      new LeasedShard({ shard, token, openProjectors: open, after, log, onSuperseded: () => this.reportOwnedShards() }),
    );
  }

  private stopShard(shard: number): void {
    const leasedShard = this.leasedShards.get(shard)!;
    this.leasedShards.delete(shard);
    this.ending.set(shard, leasedShard.stop());
    this.recordDeadLetterCount(`/${shard}`, 0);
    if (shard === 0) this.recordDeadLetterCount('', 0);
  }

  private reportOwnedShards(): void {
    const held = this.ownedShards.map(([shard]) => shard);
    if (held.join() === this.reportedShards?.join()) return;
    this.reportedShards = held;
    this.parts.onOwnedShardsChanged?.(held);
  }

  private createProjectors(shard: number, token: number, onFenced: () => void): readonly ShardProjector[] {
    const { leases, idleCheckpointIntervalMs = CHECKPOINT_IDLE_INTERVAL_MS, onProjected, followStreams } = this.parts;
    return this.listAssignments(shard).map((assignment) => {
      const { suffix, groups, scope } = assignment;
      const store = new FencedStore(assignment.store, token, () => leases.fencingToken(shard));
      const { events, feed } = followStreams?.(streamPrefixes(assignment)) ?? this.parts;
      const report = (projected: CommitReport): void =>
        onProjected?.(scope === undefined ? projected : { ...projected, shard });
      const onDeadLetterCount = (count: number): void => this.recordDeadLetterCount(suffix, count);
      return {
        suffix,
        store,
        projector: new Projector({
          ...this.parts,
          events,
          feed,
          groups,
          scope,
          store,
          idleCheckpointIntervalMs,
          onProjected: report,
          onDeadLetterCount,
          onFenced,
        }),
      };
    });
  }

  /**
   * Projectors of a shard. The groups that are not sharded belong to shard 0 and come first, because commands wait for
   * them.
   */
  private listAssignments(shard: number): readonly ProjectorAssignment[] {
    const { shardMap, store, openShardStore } = this.parts;
    if (shardMap.count === 1) return [{ suffix: '', groups: PROJECTION_GROUPS, store }];
    const own: ProjectorAssignment = {
      suffix: `/${shard}`,
      groups: SHARDED_GROUPS,
      scope: createShardScope(shardMap, shard),
      store: openShardStore(shard),
    };
    return shard === 0 ? [{ suffix: '', groups: ADMINISTRATIVE_GROUPS, store }, own] : [own];
  }

  /** The projector of a projection, and the name of the projection within it. */
  private async findProjector(name: string): Promise<[ShardProjector, string]> {
    for (const [shard, { running }] of this.ownedShards) {
      const assignment = this.listAssignments(shard).find((each) => publicProjectionNames(each).includes(name));
      if (assignment === undefined) continue;
      const target = running.find(({ suffix }) => suffix === assignment.suffix);
      if (target === undefined) throw new HindsightError('unavailable', `Shard ${shard} is starting; try again`);
      return [target, name.slice(0, name.length - assignment.suffix.length)];
    }
    throw new HindsightError(
      'not-found',
      `there is no projection ${name} here: this process keeps ${(await this.projections()).join(', ') || 'none'}`,
    );
  }
}

/** Read models of one projector. */
interface ProjectorAssignment {
  /** Suffix of its public projection names. */
  readonly suffix: string;
  readonly groups: readonly ProjectionGroup[];
  readonly scope?: ShardScope;
  readonly store: ReadModelStore;
}

/** Prefixes of the streams that a projector of these groups follows. */
function streamPrefixes({ groups, scope = ALL_GRIDS }: ProjectorAssignment): readonly string[] {
  const telemetry = groups.some((group) => SHARDED_GROUPS.includes(group))
    ? [...scope.prefixes, RETENTION_PREFIX, GRID_PREFIX]
    : [];
  const administrative = groups.some((group) => ADMINISTRATIVE_GROUPS.includes(group)) ? ADMINISTRATIVE_PREFIXES : [];
  return [...new Set([...telemetry, ...administrative])];
}

function publicProjectionNames({ groups, suffix }: ProjectorAssignment): string[] {
  return groups.flatMap(({ projections }) => projections.map(({ name }) => name + suffix));
}

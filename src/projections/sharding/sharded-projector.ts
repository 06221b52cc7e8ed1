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
import {
  type Projected,
  Projector,
  type ProjectorParts,
  type Rebuilt,
  type Retried,
  type RetryOptions,
  type Verified,
} from '../engine/projector.js';
import type { Progress } from '../engine/projection-replay.js';
import { ALL_GRIDS, createShardScope, type ShardScope } from './shard-scope.js';
import { LeasedShard, type ShardProjector } from './leased-shard.js';
import { FencedStore } from './fenced-store.js';
import type { DryRunOutcome, RebuildOutcome, RetryOutcome } from '../engine/projector-types.js';

/** What operators and the service ask of whoever keeps the read models current, be it one projector or one a share. */
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
  | 'listDeadLetters'
  | 'retryDeadLetters'
  | 'check'
>;

export interface ShardedProjectorParts extends Omit<ProjectorParts, 'groups' | 'scope' | 'onFenced'> {
  readonly shares: ShardMap;
  /** Joined by `start`. Their owner MUST close them when `stop` has ended, and not before. */
  readonly leases: ShardLeases;
  /** A share's own part of `store`. */
  readonly openShardStore: (share: number) => ReadModelStore;
  /** How a projector that follows these streams reads the log, and hears of it; absent: as everybody does. */
  readonly followStreams?: (prefixes: readonly string[]) => Pick<ProjectorParts, 'events' | 'feed'>;
  /** Told which shares are held, in order: at the start, and after each change. */
  readonly onOwnedShardsChanged?: (shares: readonly number[]) => void;
}

/** How long a checkpoint may stay behind what a run has looked at (ms): so much of the log is read again where a share moves. */
const CHECKPOINT_IDLE_INTERVAL_MS = 10_000;

/**
 * Keeps the read models of the shares current that this process holds: a projector for each share, over its telemetry, and with share 0
 * one over all that is kept once. Projections of a share are called `traces/3`; of a single share `traces`, as everywhere.
 */
export class ShardedProjector implements ProjectorPort {
  private readonly leasedShards = new Map<number, LeasedShard>();
  /** The last holding of a share that went, until it has ended. */
  private readonly ending = new Map<number, Promise<void>>();
  /** By the suffix of who counted. */
  private readonly deadLetterCounts = new Map<string, number>();
  private subscription: Subscription | undefined;
  private isStopped = false;
  private reportedShards: readonly number[] | undefined;

  constructor(private readonly parts: ShardedProjectorParts) {}

  /** Takes a seat among those who hold shares. Resolves at once; shares come when they are free, and `check` tells which are being started. */
  start(): Promise<void> {
    const { leases } = this.parts;
    if (this.isStopped) return Promise.resolve();
    this.subscription = leases.held.subscribe((held) => this.applyLeases(held));
    leases.join();
    return Promise.resolve();
  }

  /** Finishes the commits under way of all shares, and starts none any more. Legal twice. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.subscription?.unsubscribe();
    for (const share of [...this.leasedShards.keys()]) this.stopShard(share);
    await Promise.all(this.ending.values());
  }

  /** Names of the projections of all shares that this process holds, those among them that are being started. */
  projections(): Promise<string[]> {
    return Promise.resolve(
      this.ownedShards.flatMap(([share]) => this.listAssignments(share).flatMap(publicProjectionNames)),
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

  async rebuild(name: string, onProgress: (progress: Progress) => void): Promise<Rebuilt> {
    const [{ projector }, own] = await this.findProjector(name);
    return withProjectionName(
      await projector.rebuild(own, (progress) => onProgress(withProjectionName(progress, name))),
      name,
    );
  }

  async verify(name: string): Promise<Verified> {
    const [{ projector }, own] = await this.findProjector(name);
    return withProjectionName(await projector.verify(own), name);
  }

  /** The store is one, whoever asks it. */
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

  /** One after the other: what is rebuilt in one share gives way to that share alone. */
  async retryDeadLetters(
    { projection, fatal }: RetryOptions,
    onProgress: (progress: Progress) => void,
  ): Promise<Retried> {
    const found = projection === undefined ? undefined : await this.findProjector(projection);
    const retried: Retried[] = [];
    for (const { projector, suffix } of found === undefined ? this.running : [found[0]]) {
      const report = (progress: Progress): void =>
        onProgress(withProjectionName(progress, progress.projection + suffix));
      const each = await projector.retryDeadLetters(
        { fatal, ...(found === undefined ? {} : { projection: found[1] }) },
        report,
      );
      retried.push(addShardSuffix(each, suffix));
    }
    return { ...mergeRetryOutcomes(retried), left: this.deadLetterCount };
  }

  /** Ok when the leases are kept and every held share gets on; degraded while one is being started. */
  async check(): Promise<Health> {
    const found = await Promise.all([
      this.parts.leases.check(),
      ...[...this.leasedShards.values()].map((holding) => holding.check()),
    ]);
    const reasons = found.flatMap((health) => (health.ok ? [] : [health.reason]));
    if (reasons.length > 0) return { ok: false, reason: reasons.join('; ') };
    const degraded = found.flatMap((health) => (health.ok && health.degraded !== undefined ? [health.degraded] : []));
    return degraded.length === 0 ? { ok: true } : { ok: true, degraded: degraded.join('; ') };
  }

  /** Held, and not known to be a later holder's, in order. */
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
    for (const [share, { token }] of this.leasedShards) if (held.get(share) !== token) this.stopShard(share);
    for (const [share, token] of held) if (!this.leasedShards.has(share)) this.startShard(share, token);
    this.reportOwnedShards();
  }

  private startShard(share: number, token: number): void {
    const { log } = this.parts;
    const open = (onFenced: () => void): readonly ShardProjector[] => this.createProjectors(share, token, onFenced);
    const after = this.ending.get(share) ?? Promise.resolve();
    this.leasedShards.set(
      share,
      new LeasedShard({ share, token, openProjectors: open, after, log, onSuperseded: () => this.reportOwnedShards() }),
    );
  }

  private stopShard(share: number): void {
    const holding = this.leasedShards.get(share)!;
    this.leasedShards.delete(share);
    this.ending.set(share, holding.stop());
    this.recordDeadLetterCount(`/${share}`, 0);
    if (share === 0) this.recordDeadLetterCount('', 0);
  }

  private reportOwnedShards(): void {
    const held = this.ownedShards.map(([share]) => share);
    if (held.join() === this.reportedShards?.join()) return;
    this.reportedShards = held;
    this.parts.onOwnedShardsChanged?.(held);
  }

  private createProjectors(share: number, token: number, onFenced: () => void): readonly ShardProjector[] {
    const { leases, markEveryMs = CHECKPOINT_IDLE_INTERVAL_MS, onProjected, followStreams: follow } = this.parts;
    return this.listAssignments(share).map((desk) => {
      const { suffix, groups, scope } = desk;
      const store = new FencedStore(desk.store, token, () => leases.fencingToken(share));
      const { events, feed } = follow?.(streamPrefixes(desk)) ?? this.parts;
      const report = (projected: Projected): void =>
        onProjected?.(scope === undefined ? projected : { ...projected, share });
      const onParked = (count: number): void => this.recordDeadLetterCount(suffix, count);
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
          markEveryMs,
          onProjected: report,
          onDeadLetterCount: onParked,
          onFenced,
        }),
      };
    });
  }

  /** What a share brings. What is kept once goes with share 0, and first: commands wait for it. */
  private listAssignments(share: number): readonly ProjectorAssignment[] {
    const { shares, store, openShardStore: storeOf } = this.parts;
    if (shares.count === 1) return [{ suffix: '', groups: PROJECTION_GROUPS, store }];
    const own: ProjectorAssignment = {
      suffix: `/${share}`,
      groups: SHARDED_GROUPS,
      scope: createShardScope(shares, share),
      store: storeOf(share),
    };
    return share === 0 ? [{ suffix: '', groups: ADMINISTRATIVE_GROUPS, store }, own] : [own];
  }

  /** The projector of a projection, and how it calls it. */
  private async findProjector(name: string): Promise<[ShardProjector, string]> {
    for (const [share, { running }] of this.ownedShards) {
      const desk = this.listAssignments(share).find((each) => publicProjectionNames(each).includes(name));
      if (desk === undefined) continue;
      const found = running.find(({ suffix }) => suffix === desk.suffix);
      if (found === undefined) throw new HindsightError('unavailable', `share ${share} is being started; try again`);
      return [found, name.slice(0, name.length - desk.suffix.length)];
    }
    throw new HindsightError(
      'not-found',
      `there is no projection ${name} here: this process keeps ${(await this.projections()).join(', ') || 'none'}`,
    );
  }
}

/** Read models over which one projector works. */
interface ProjectorAssignment {
  /** Behind the names of its projections. */
  readonly suffix: string;
  readonly groups: readonly ProjectionGroup[];
  readonly scope?: ShardScope;
  readonly store: ReadModelStore;
}

/** Streams that a projector of these groups follows, and no others. */
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

type NamedOutcome = DeadLetter | RebuildOutcome | DryRunOutcome;

/** The same of a projection that is called otherwise from outside. */
export function withProjectionName<T extends { readonly projection: string }>(answer: T, projection: string): T {
  return { ...answer, projection };
}

/** An answer of a share's projector, with projections and groups called as from outside. */
export function addShardSuffix<T extends NamedOutcome | RetryOutcome>(answer: T, suffix: string): T {
  if (suffix === '') return answer;
  if ('tried' in answer)
    return {
      ...answer,
      tried: answer.tried.map((each) => addShardSuffix(each, suffix)),
      rebuilt: answer.rebuilt.map((each) => addShardSuffix(each, suffix)),
    };
  const lacking = 'lacking' in answer ? { lacking: answer.lacking.map((name) => name + suffix) } : {};
  return { ...answer, ...lacking, projection: answer.projection + suffix };
}

/** Answers of several projectors as one. */
export function mergeRetryOutcomes(answers: readonly RetryOutcome[]): Omit<RetryOutcome, 'left'> {
  return { tried: answers.flatMap(({ tried }) => tried), rebuilt: answers.flatMap(({ rebuilt }) => rebuilt) };
}

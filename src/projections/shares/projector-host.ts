import type { Subscription } from 'rxjs';
import type { Health } from '../../component.js';
import { HindsightError } from '../../errors.js';
import type { ReadModelStore } from '../../read-models/store.js';
import type { Position } from '../../streams/event-store.js';
import { ADMINISTRATIVE_PREFIXES, GRID_PREFIX, RETENTION_PREFIX } from '../../streams/stream-names.js';
import type { Shares } from '../../streams/shares.js';
import { ADMINISTRATIVE_GROUPS, GROUPS, SHARED_GROUPS, type ProjectionGroup } from '../groups.js';
import type { HeldShares, Leases } from '../leases/leases.js';
import type { ParkedEvent } from '../parked-events.js';
import { Projector, type Projected, type ProjectorParts, type Rebuilt, type Retried, type RetryOptions, type Verified } from '../projector.js';
import type { Progress } from '../replay.js';
import { ALL_GRIDS, shareScope, type ShareScope } from '../share-scope.js';
import { Holding, type ShareProjector } from './holding.js';
import { merged, renamed, withSuffix } from './share-answers.js';
import { TenuredStore } from './tenured-store.js';

/** What operators and the service ask of whoever keeps the read models current, be it one projector or one a share. */
export type ProjectorFace = Pick<
  Projector,
  'start' | 'stop' | 'projections' | 'position' | 'whenAt' | 'rebuild' | 'verify' | 'vacuum' | 'parked' | 'retryParked' | 'check'
>;

export interface HostParts extends Omit<ProjectorParts, 'groups' | 'scope' | 'onFenced'> {
  readonly shares: Shares;
  /** Joined by `start`. Their owner MUST close them when `stop` has ended, and not before. */
  readonly leases: Leases;
  /** A share's own part of `store`. */
  readonly storeOf: (share: number) => ReadModelStore;
  /** How a projector that follows these streams reads the log, and hears of it; absent: as everybody does. */
  readonly follow?: (prefixes: readonly string[]) => Pick<ProjectorParts, 'events' | 'feed'>;
  /** Told which shares are held, in order: at the start, and after each change. */
  readonly onHeld?: (shares: readonly number[]) => void;
}

/** How long a checkpoint may stay behind what a run has looked at (ms): so much of the log is read again where a share moves. */
const MARK_EVERY_MS = 10_000;

/**
 * Keeps the read models of the shares current that this process holds: a projector for each share, over its telemetry, and with share 0
 * one over all that is kept once. Projections of a share are called `traces/3`; of a single share `traces`, as everywhere.
 */
export class ProjectorHost implements ProjectorFace {
  private readonly holdings = new Map<number, Holding>();
  /** The last holding of a share that went, until it has ended. */
  private readonly ending = new Map<number, Promise<void>>();
  /** By the suffix of who counted. */
  private readonly parkedCounts = new Map<string, number>();
  private listening: Subscription | undefined;
  private isStopped = false;
  private told: readonly number[] | undefined;

  constructor(private readonly parts: HostParts) {}

  /** Takes a seat among those who hold shares. Resolves at once; shares come when they are free, and `check` tells which are being started. */
  start(): Promise<void> {
    const { leases } = this.parts;
    if (this.isStopped) return Promise.resolve();
    this.listening = leases.held.subscribe((held) => this.follow(held));
    leases.join();
    return Promise.resolve();
  }

  /** Finishes the commits under way of all shares, and starts none any more. Legal twice. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.listening?.unsubscribe();
    for (const share of [...this.holdings.keys()]) this.end(share);
    await Promise.all(this.ending.values());
  }

  /** Names of the projections of all shares that this process holds, those among them that are being started. */
  projections(): Promise<string[]> {
    return Promise.resolve(this.kept.flatMap(([share]) => this.deskOf(share).flatMap(namesOf)));
  }

  async position(name: string): Promise<Position | undefined> {
    const [{ projector }, own] = await this.find(name);
    return projector.position(own);
  }

  async whenAt(name: string, position: Position, timeoutMs: number): Promise<boolean> {
    const [{ projector }, own] = await this.find(name);
    return projector.whenAt(own, position, timeoutMs);
  }

  async rebuild(name: string, onProgress: (progress: Progress) => void): Promise<Rebuilt> {
    const [{ projector }, own] = await this.find(name);
    return renamed(await projector.rebuild(own, (progress) => onProgress(renamed(progress, name))), name);
  }

  async verify(name: string): Promise<Verified> {
    const [{ projector }, own] = await this.find(name);
    return renamed(await projector.verify(own), name);
  }

  /** The store is one, whoever asks it. */
  async vacuum(): Promise<number> {
    const [first] = this.running;
    return first === undefined ? 0 : first.projector.vacuum();
  }

  async parked(): Promise<ParkedEvent[]> {
    const events = await Promise.all(this.running.map(async ({ projector, suffix }) => (await projector.parked()).map((event) => withSuffix(event, suffix))));
    return events.flat().sort((a, b) => (a.position < b.position ? -1 : 1));
  }

  /** One after the other: what is rebuilt in one share gives way to that share alone. */
  async retryParked({ projection, fatal }: RetryOptions, onProgress: (progress: Progress) => void): Promise<Retried> {
    const found = projection === undefined ? undefined : await this.find(projection);
    const retried: Retried[] = [];
    for (const { projector, suffix } of found === undefined ? this.running : [found[0]]) {
      const report = (progress: Progress): void => onProgress(renamed(progress, progress.projection + suffix));
      const each = await projector.retryParked({ fatal, ...(found === undefined ? {} : { projection: found[1] }) }, report);
      retried.push(withSuffix(each, suffix));
    }
    return { ...merged(retried), left: this.parkedCount };
  }

  /** Ok when the leases are kept and every held share gets on; degraded while one is being started. */
  async check(): Promise<Health> {
    const found = await Promise.all([this.parts.leases.check(), ...[...this.holdings.values()].map((holding) => holding.check())]);
    const reasons = found.flatMap((health) => (health.ok ? [] : [health.reason]));
    if (reasons.length > 0) return { ok: false, reason: reasons.join('; ') };
    const degraded = found.flatMap((health) => (health.ok && health.degraded !== undefined ? [health.degraded] : []));
    return degraded.length === 0 ? { ok: true } : { ok: true, degraded: degraded.join('; ') };
  }

  /** Held, and not known to be a later holder's, in order. */
  private get kept(): readonly (readonly [number, Holding])[] {
    return [...this.holdings].filter(([, { isSuperseded }]) => !isSuperseded).sort(([a], [b]) => a - b);
  }

  private get running(): readonly ShareProjector[] {
    return [...this.holdings.values()].flatMap(({ running }) => running);
  }

  private countParked(suffix: string, count: number): void {
    if (count === (this.parkedCounts.get(suffix) ?? 0)) return;
    this.parkedCounts.set(suffix, count);
    this.parts.onParked?.(this.parkedCount);
  }

  private get parkedCount(): number {
    return [...this.parkedCounts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The leases changed. */
  private follow(held: HeldShares): void {
    for (const [share, { token }] of this.holdings) if (held.get(share) !== token) this.end(share);
    for (const [share, token] of held) if (!this.holdings.has(share)) this.begin(share, token);
    this.tellHeld();
  }

  private begin(share: number, token: number): void {
    const { log } = this.parts;
    const open = (onFenced: () => void): readonly ShareProjector[] => this.projectorsOf(share, token, onFenced);
    const after = this.ending.get(share) ?? Promise.resolve();
    this.holdings.set(share, new Holding({ share, token, open, after, log, onSuperseded: () => this.tellHeld() }));
  }

  private end(share: number): void {
    const holding = this.holdings.get(share)!;
    this.holdings.delete(share);
    this.ending.set(share, holding.stop());
    this.countParked(`/${share}`, 0);
    if (share === 0) this.countParked('', 0);
  }

  private tellHeld(): void {
    const held = this.kept.map(([share]) => share);
    if (held.join() === this.told?.join()) return;
    this.told = held;
    this.parts.onHeld?.(held);
  }

  private projectorsOf(share: number, token: number, onFenced: () => void): readonly ShareProjector[] {
    const { leases, markEveryMs = MARK_EVERY_MS, onProjected, follow } = this.parts;
    return this.deskOf(share).map((desk) => {
      const { suffix, groups, scope } = desk;
      const store = new TenuredStore(desk.store, token, () => leases.tokenOf(share));
      const { events, feed } = follow?.(prefixesOf(desk)) ?? this.parts;
      const report = (projected: Projected): void => onProjected?.(scope === undefined ? projected : { ...projected, share });
      const onParked = (count: number): void => this.countParked(suffix, count);
      return { suffix, store, projector: new Projector({ ...this.parts, events, feed, groups, scope, store, markEveryMs, onProjected: report, onParked, onFenced }) };
    });
  }

  /** What a share brings. What is kept once goes with share 0, and first: commands wait for it. */
  private deskOf(share: number): readonly Desk[] {
    const { shares, store, storeOf } = this.parts;
    if (shares.count === 1) return [{ suffix: '', groups: GROUPS, store }];
    const own: Desk = { suffix: `/${share}`, groups: SHARED_GROUPS, scope: shareScope(shares, share), store: storeOf(share) };
    return share === 0 ? [{ suffix: '', groups: ADMINISTRATIVE_GROUPS, store }, own] : [own];
  }

  /** The projector of a projection, and how it calls it. */
  private async find(name: string): Promise<[ShareProjector, string]> {
    for (const [share, { running }] of this.kept) {
      const desk = this.deskOf(share).find((each) => namesOf(each).includes(name));
      if (desk === undefined) continue;
      const found = running.find(({ suffix }) => suffix === desk.suffix);
      if (found === undefined) throw new HindsightError('unavailable', `share ${share} is being started; try again`);
      return [found, name.slice(0, name.length - desk.suffix.length)];
    }
    throw new HindsightError('not-found', `there is no projection ${name} here: this process keeps ${(await this.projections()).join(', ') || 'none'}`);
  }
}

/** Read models over which one projector works. */
interface Desk {
  /** Behind the names of its projections. */
  readonly suffix: string;
  readonly groups: readonly ProjectionGroup[];
  readonly scope?: ShareScope;
  readonly store: ReadModelStore;
}

/** Streams that a projector of these groups follows, and no others. */
function prefixesOf({ groups, scope = ALL_GRIDS }: Desk): readonly string[] {
  const telemetry = groups.some((group) => SHARED_GROUPS.includes(group)) ? [...scope.prefixes, RETENTION_PREFIX, GRID_PREFIX] : [];
  const administrative = groups.some((group) => ADMINISTRATIVE_GROUPS.includes(group)) ? ADMINISTRATIVE_PREFIXES : [];
  return [...new Set([...telemetry, ...administrative])];
}

function namesOf({ groups, suffix }: Desk): string[] {
  return groups.flatMap(({ projections }) => projections.map(({ name }) => name + suffix));
}

import { asyncScheduler, filter } from 'rxjs';
import type { Health } from '../component.js';
import { HindsightError } from '../errors.js';
import { PARKED_EVENTS } from '../read-models/parked-events.js';
import type { Position } from '../streams/event-store.js';
import { NO_ATTEMPTS, type Attempts } from './attempts.js';
import { draftDigest, finishDigest, readAhead } from './digest.js';
import { whenAllIdle } from './giving-way.js';
import { GROUPS, type ProjectionGroup, type RunSources } from './groups.js';
import { LiveGroup } from './live-group.js';
import { fatalEvents, listParked, type ParkedEvent } from './parked-events.js';
import { projectedOf } from './projected.js';
import type { Projection } from './projection.js';
import type { Digest, ProjectorParts, Rebuilt, Retried, RetryOptions, Verified } from './projector-parts.js';
import { reasonOf } from './reason.js';
import { Rebuild } from './rebuild.js';
import { Removals } from './removals.js';
import { lackingNow, tryParked } from './retry.js';
import type { Progress, ReplaySources } from './replay.js';
import type { Commit, RunOutcome } from './runner.js';
import type { Hold } from './telemetry/blocks-projection.js';
import { replayedDigest } from './verification.js';
import { declare, standingOf } from './versions.js';

export type { Projected } from './projected.js';
export type { Digest, ProjectorParts, Rebuilt, Retried, RetryOptions, Tried, Verified } from './projector-parts.js';

/** Rows of a commit of a rebuild or verification: what it keeps the thread for at a time. */
const ROWS_ASIDE = 8_192;

/** How long (ms) a rebuild or verification gives way before each commit. */
const WAY_MS = 1_000;

/** Retention takes blocks away at most once an hour. */
const DIGEST_ATTEMPTS = 3;

/** Keeps all read models current. Lives in any thread: arguments and results are plain data. */
export class Projector {
  private readonly hold: Hold = { readers: 0 };
  private readonly lives: readonly LiveGroup[];
  private readonly rebuilds = new Map<string, Rebuild>();
  private readonly verifications = new Set<Promise<unknown>>();
  private readonly removals: Removals;
  private readonly stopping = new AbortController();
  /** Groups that another projector has taken over. */
  private readonly fenced = new Set<string>();
  /** Why the last rebuild of a projection failed, until one succeeds. */
  private readonly failedRebuilds = new Map<string, string>();
  private parkedCount = 0;

  constructor(private readonly parts: ProjectorParts) {
    const { groups = GROUPS, events, store, feed, log, scheduler, pace, patienceMs, graceMs, markEveryMs, spanHorizon, scope } = parts;
    this.removals = new Removals({ store, log, signal: this.stopping.signal, graceMs, scheduler });
    const hints = feed.hints.pipe(filter(({ topic }) => topic === 'appended'));
    const sources = { events, store, hold: this.hold, spanHorizon, scope };
    const onCommit = (group: ProjectionGroup, commit: Commit): void => this.announce(group, commit);
    const onEnd = (group: ProjectionGroup, outcome: RunOutcome): void => this.noteEnd(group, outcome);
    this.lives = groups.map((group) => new LiveGroup(group, { events, store, log, hints, scheduler, pace, markEveryMs, patienceMs, sources, onCommit, onEnd, attempts: this.attempts }));
  }

  /** Starts to follow the log. What another release wrote is rebuilt in the background. */
  async start(): Promise<void> {
    await this.countParked();
    for (const live of this.lives) await this.startGroup(live);
  }

  /** Names of all projections. */
  projections(): Promise<string[]> {
    return Promise.resolve(this.lives.flatMap(({ group }) => group.projections.map(({ name }) => name)));
  }

  /** Position of the projection's last commit. */
  position(name: string): Promise<Position | undefined> {
    return Promise.resolve(this.find(name).live.position);
  }

  /** True once everything up to `position` that concerns the projection is committed; false when that takes longer. */
  whenAt(name: string, position: Position, timeoutMs: number): Promise<boolean> {
    return this.find(name).live.whenAt(position, timeoutMs);
  }

  /**
   * Builds the projection anew beside the live one and swaps; queries and projections go on. What differs from what was in
   * use before is told, and keeps nobody from the swap: who rebuilds may do so because the old one is wrong.
   * @param retried events that are folded although they have ended the process
   */
  async rebuild(name: string, onProgress: (progress: Progress) => void, retried: ReadonlySet<Position> = new Set()): Promise<Rebuilt> {
    const { live, projection } = this.find(name);
    const { signal } = this.stopping;
    signal.throwIfAborted();
    if (this.rebuilds.has(name)) throw new HindsightError('conflict', `${name} is being rebuilt already`);
    const fatal = new Set<Position>();
    const rebuild = new Rebuild(projection, live.group, { live, sources: this.aside, onProgress, signal, fatal });
    this.rebuilds.set(name, rebuild);
    const { store, scheduler = asyncScheduler } = this.parts;
    const began = scheduler.now();
    try {
      for (const position of await fatalEvents(live.group, store)) if (!retried.has(position)) fatal.add(position);
      await this.removals.done(projection);
      const { events, position, parked, proof } = await rebuild.complete();
      this.removals.afterGrace(projection);
      this.failedRebuilds.delete(name);
      await this.countParked();
      const rebuilt: Rebuilt = { projection: name, events, seconds: (scheduler.now() - began) / 1000, position, parked, ...proof };
      if (proof?.former?.equal === false) this.parts.log.warn('a rebuilt projection differs from what was in use', { ...rebuilt });
      return rebuilt;
    } catch (error) {
      if (!signal.aborted) this.failedRebuilds.set(name, reasonOf(error));
      throw error;
    } finally {
      this.rebuilds.delete(name);
    }
  }

  /** Events that were passed by because they could not be projected; they await an operator. */
  parked(): Promise<ParkedEvent[]> {
    return listParked(this.parts.groups ?? GROUPS, this.parts.store);
  }

  /**
   * Tries parked events again, and rebuilds what lacks one that folds now: later events are folded already, and the order
   * of the log matters.
   */
  async retryParked({ projection, fatal = false }: RetryOptions, onProgress: (progress: Progress) => void): Promise<Retried> {
    if (projection !== undefined) this.find(projection);
    const concerned = (await this.parked()).filter(({ lacking }) => projection === undefined || lacking.includes(projection));
    const tried = await tryParked(concerned, fatal, this.parts);
    const retried = new Set(fatal ? concerned.map((event) => event.position) : []);
    const rebuilt: Rebuilt[] = [];
    for (const name of lackingNow(concerned, tried, projection)) rebuilt.push(await this.rebuild(name, onProgress, retried));
    return { tried, rebuilt, left: this.parkedCount };
  }

  /** Hash over the content of the live read model, which goes on meanwhile. Rejects with `unavailable` while the stores fail. */
  async digest(name: string): Promise<Digest> {
    const { live, projection } = this.find(name);
    const { store } = this.parts;
    const { signal } = this.stopping;
    signal.throwIfAborted();
    const ahead = await readAhead(projection, this.liveVersion(live, name), store, { signal });
    const draft = async () => ({ position: live.position, content: await draftDigest(projection, this.liveVersion(live, name), store, ahead) });
    this.hold.readers++;
    try {
      for (let attempt = 1; ; attempt++) {
        const { position, content } = await live.between(draft);
        const digest = await finishDigest(content, store, { signal });
        if (digest !== undefined) return { projection: name, position, digest };
        if (attempt === DIGEST_ATTEMPTS) throw new HindsightError('unavailable', `${name} changed while it was read; try again`);
      }
    } finally {
      this.hold.readers--;
    }
  }

  /** Compares the live read model with a fresh replay of the log. */
  async verify(name: string): Promise<Verified> {
    const verification = this.compare(name);
    this.verifications.add(verification);
    try {
      return await verification;
    } finally {
      this.verifications.delete(verification);
    }
  }

  /** Gives space that retention freed back to the file system; answers how many bytes. */
  vacuum(): Promise<number> {
    return this.parts.store.vacuum();
  }

  /** Whether all projections get on, and no rebuild has failed. */
  check(): Promise<Health> {
    const reasons = [
      ...[...this.fenced].map((group) => `another projector has taken over ${group}`),
      ...[...this.lives, ...this.rebuilds.values()].flatMap(({ failure }) => failure ?? []),
      ...[...this.failedRebuilds].map(([name, reason]) => `the last rebuild of ${name} failed: ${reason}`),
    ];
    if (reasons.length > 0) return Promise.resolve({ ok: false, reason: reasons.join('; ') });
    return Promise.resolve(this.parkedCount === 0 ? { ok: true } : { ok: true, degraded: `${this.parkedCount} events could not be projected: see \`hindsight parked\`` });
  }

  /** Finishes the commits under way. Rebuilds go on after the next start, verifications end. Legal twice. */
  async stop(): Promise<void> {
    this.stopping.abort(new HindsightError('unavailable', 'the projector is stopping'));
    await Promise.all([...this.rebuilds.values()].map((rebuild) => rebuild.stop()));
    await Promise.all([Promise.allSettled(this.verifications), ...this.lives.map((live) => live.stop())]);
  }

  /** What runs beside the live ones work with. */
  private get aside(): RunSources & ReplaySources {
    const { events, store, log, scheduler, spanHorizon, scope } = this.parts;
    const giveWay = (): Promise<void> => whenAllIdle(this.lives, WAY_MS, scheduler);
    return { events, store, log, spanHorizon, scope, hold: this.hold, rowsACommit: ROWS_ASIDE, giveWay, attempts: this.attempts };
  }

  private get attempts(): Attempts {
    return this.parts.attempts ?? NO_ATTEMPTS;
  }

  private async countParked(): Promise<void> {
    this.parkedCount = await this.parts.store.count(PARKED_EVENTS);
    this.parts.onParked?.(this.parkedCount);
  }

  private async startGroup(live: LiveGroup): Promise<void> {
    const { store } = this.parts;
    const { projections } = live.group;
    for (const projection of projections) this.removals.atOnce(projection);
    let standings = await Promise.all(projections.map((projection) => standingOf(projection, store)));
    if (standings.every(({ kind }) => kind === 'absent')) {
      await declare(projections, store);
      standings = await Promise.all(projections.map((projection) => standingOf(projection, store)));
    }
    const current = standings.flatMap((standing, i) => (standing.kind === 'current' ? [[projections[i].name, standing.active] as const] : []));
    live.start(new Map(current));
    standings.forEach((standing, i) => {
      if (standing.kind !== 'current' || standing.building !== undefined) this.rebuildInBackground(projections[i]);
    });
  }

  private rebuildInBackground({ name }: Projection): void {
    const { log } = this.parts;
    log.info('projection is being rebuilt', { projection: name });
    this.rebuild(name, () => undefined).then(
      (rebuilt) => log.info('projection was rebuilt', { ...rebuilt }),
      (error: unknown) => {
        if (!this.stopping.signal.aborted) log.error('rebuild of a projection failed', { projection: name, error });
      },
    );
  }

  private async compare(name: string): Promise<Verified> {
    const { live: { group }, projection } = this.find(name);
    const { digest: live, position } = await this.digest(name);
    const fatal = await fatalEvents(group, this.parts.store);
    const replayed = await replayedDigest(projection, group, position, { ...this.aside, fatal, scratch: this.parts.scratch, signal: this.stopping.signal });
    return { projection: name, position, live, replayed, equal: live === replayed };
  }

  private announce(group: ProjectionGroup, commit: Commit): void {
    const { feed, onProjected, scheduler = asyncScheduler } = this.parts;
    for (const { name } of group.projections) feed.announce({ topic: 'projected', projection: name, position: commit.position });
    onProjected?.(projectedOf(group.name, commit, scheduler.now()));
    if (commit.parked > 0) this.countParked().catch((error: unknown) => this.parts.log.warn('parked events could not be counted', { error }));
  }

  private noteEnd(group: ProjectionGroup, outcome: RunOutcome): void {
    if (outcome.kind !== 'fenced') return;
    this.fenced.add(group.name);
    this.parts.onFenced?.();
  }

  private liveVersion(live: LiveGroup, name: string): number {
    const version = live.versionOf(name);
    if (version === undefined) throw new HindsightError('unavailable', `${name} is being rebuilt`);
    return version;
  }

  private find(name: string): { live: LiveGroup; projection: Projection } {
    for (const live of this.lives) {
      const projection = live.group.projections.find((candidate) => candidate.name === name);
      if (projection !== undefined) return { live, projection };
    }
    throw new HindsightError('not-found', `there is no projection ${name}`);
  }
}

export function createProjector(parts: ProjectorParts): Projector {
  return new Projector(parts);
}

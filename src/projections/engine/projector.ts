import { asyncScheduler, filter } from 'rxjs';
import type { Health } from '../../component.js';
import { HindsightError } from '../../errors.js';
import { LIVE_DEAD_LETTERS } from '../../read-models/documents/dead-letter-documents.js';
import type { Position } from '../../streams/event-store.js';
import { NO_POISON_EVENT_JOURNAL, type PoisonEventJournal } from './crash-loop-guard.js';
import { draftDigest, finishDigest, readAhead } from './read-model-digest.js';
import { waitUntilAllIdle } from './idle-tasks.js';
import { PROJECTION_GROUPS, type ProjectionGroup, type RunSources } from '../projection-groups.js';
import { LiveProjectionGroup } from './live-projection-group.js';
import { findFatalPositions, listDeadLetters, type DeadLetter } from './dead-letter-queue.js';
import {
  type ProjectionDigest,
  type ProjectorParts,
  type RebuildOutcome,
  type RetryOptions,
  type RetryOutcome,
  toCommitReport,
  type VerificationOutcome,
} from './projector-types.js';
import type { Projection } from '../projection.js';
import { summarizeError } from './projection-failures.js';
import { Rebuild } from './projection-rebuild.js';
import { declareFirstVersions, ObsoleteVersionRemover, readVersionStatus } from './projection-versions.js';
import { findProjectionsToRebuild, dryRunDeadLetters } from './dead-letter-retry.js';
import type { Progress, ReplaySources } from './projection-replay.js';
import type { Commit, RunOutcome } from './projection-runner.js';
import type { CompactionHold } from '../telemetry/blocks/blocks-projection.js';
import { computeReplayedDigest } from './read-model-verification.js';

export type { CommitReport as Projected } from './projector-types.js';
export type {
  ProjectionDigest as Digest,
  ProjectorParts,
  RebuildOutcome as Rebuilt,
  RetryOutcome as Retried,
  RetryOptions,
  DryRunOutcome as Tried,
  VerificationOutcome as Verified,
} from './projector-types.js';

/** Rows of a commit of a rebuild or verification: what it keeps the thread for at a time. */
const BACKGROUND_ROWS_PER_COMMIT = 8_192;

/** How long (ms) a rebuild or verification gives way before each commit. */
const MAX_YIELD_MS = 1_000;

/** Retention takes blocks away at most once an hour. */
const MAX_DIGEST_ATTEMPTS = 3;

/** Keeps all read models current. Lives in any thread: arguments and results are plain data. */
export class Projector {
  private readonly hold: CompactionHold = { readers: 0 };
  private readonly liveGroups: readonly LiveProjectionGroup[];
  private readonly rebuilds = new Map<string, Rebuild>();
  private readonly verifications = new Set<Promise<unknown>>();
  private readonly obsoleteVersions: ObsoleteVersionRemover;
  private readonly stopping = new AbortController();
  /** Groups that another projector has taken over. */
  private readonly fenced = new Set<string>();
  /** Why the last rebuild of a projection failed, until one succeeds. */
  private readonly failedRebuilds = new Map<string, string>();
  private deadLetterCount = 0;

  constructor(private readonly parts: ProjectorParts) {
    const {
      groups = PROJECTION_GROUPS,
      events,
      store,
      feed,
      log,
      scheduler,
      pace,
      patienceMs,
      graceMs,
      markEveryMs,
      spanHorizon,
      scope,
    } = parts;
    this.obsoleteVersions = new ObsoleteVersionRemover({
      store,
      log,
      signal: this.stopping.signal,
      graceMs,
      scheduler,
    });
    const hints = feed.hints.pipe(filter(({ topic }) => topic === 'appended'));
    const sources = { events, store, hold: this.hold, spanHorizon, scope };
    const onCommit = (group: ProjectionGroup, commit: Commit): void => this.announceCommit(group, commit);
    const onEnd = (group: ProjectionGroup, outcome: RunOutcome): void => this.handleRunEnd(group, outcome);
    this.liveGroups = groups.map(
      (group) =>
        new LiveProjectionGroup(group, {
          events,
          store,
          log,
          hints,
          scheduler,
          pace,
          markEveryMs,
          patienceMs,
          sources,
          onCommit,
          onEnd,
          journal: this.journal,
        }),
    );
  }

  /** Starts to follow the log. What another release wrote is rebuilt in the background. */
  async start(): Promise<void> {
    await this.refreshDeadLetterCount();
    for (const live of this.liveGroups) await this.startGroup(live);
  }

  /** Names of all projections. */
  projections(): Promise<string[]> {
    return Promise.resolve(this.liveGroups.flatMap(({ group }) => group.projections.map(({ name }) => name)));
  }

  /** Position of the projection's last commit. */
  position(name: string): Promise<Position | undefined> {
    return Promise.resolve(this.findProjection(name).live.position);
  }

  /** True once everything up to `position` that concerns the projection is committed; false when that takes longer. */
  waitForPosition(name: string, position: Position, timeoutMs: number): Promise<boolean> {
    return this.findProjection(name).live.waitForPosition(position, timeoutMs);
  }

  /**
   * Builds the projection anew beside the live one and swaps; queries and projections go on. What differs from what was in
   * use before is told, and keeps nobody from the swap: who rebuilds may do so because the old one is wrong.
   * @param retried events that are folded although they have ended the process
   */
  async rebuild(
    name: string,
    onProgress: (progress: Progress) => void,
    retried: ReadonlySet<Position> = new Set(),
  ): Promise<RebuildOutcome> {
    const { live, projection } = this.findProjection(name);
    const { signal } = this.stopping;
    signal.throwIfAborted();
    if (this.rebuilds.has(name)) throw new HindsightError('conflict', `${name} is being rebuilt already`);
    const fatal = new Set<Position>();
    const rebuild = new Rebuild(projection, live.group, {
      live,
      sources: this.backgroundSources,
      onProgress,
      signal,
      fatal,
    });
    this.rebuilds.set(name, rebuild);
    const { store, scheduler = asyncScheduler } = this.parts;
    const began = scheduler.now();
    try {
      for (const position of await findFatalPositions(live.group, store))
        if (!retried.has(position)) fatal.add(position);
      await this.obsoleteVersions.waitUntilRemoved(projection);
      const { events, position, parked, proof } = await rebuild.complete();
      this.obsoleteVersions.removeAfterGrace(projection);
      this.failedRebuilds.delete(name);
      await this.refreshDeadLetterCount();
      const rebuilt: RebuildOutcome = {
        projection: name,
        events,
        seconds: (scheduler.now() - began) / 1000,
        position,
        parked,
        ...proof,
      };
      if (proof?.former?.equal === false)
        this.parts.log.warn('a rebuilt projection differs from what was in use', { ...rebuilt });
      return rebuilt;
    } catch (error) {
      if (!signal.aborted) this.failedRebuilds.set(name, summarizeError(error));
      throw error;
    } finally {
      this.rebuilds.delete(name);
    }
  }

  /** Events that were passed by because they could not be projected; they await an operator. */
  listDeadLetters(): Promise<DeadLetter[]> {
    return listDeadLetters(this.parts.groups ?? PROJECTION_GROUPS, this.parts.store);
  }

  /**
   * Tries parked events again, and rebuilds what lacks one that folds now: later events are folded already, and the order
   * of the log matters.
   */
  async retryDeadLetters(
    { projection, fatal = false }: RetryOptions,
    onProgress: (progress: Progress) => void,
  ): Promise<RetryOutcome> {
    if (projection !== undefined) this.findProjection(projection);
    const concerned = (await this.listDeadLetters()).filter(
      ({ lacking }) => projection === undefined || lacking.includes(projection),
    );
    const tried = await dryRunDeadLetters(concerned, fatal, this.parts);
    const retried = new Set(fatal ? concerned.map((event) => event.position) : []);
    const rebuilt: RebuildOutcome[] = [];
    for (const name of findProjectionsToRebuild(concerned, tried, projection))
      rebuilt.push(await this.rebuild(name, onProgress, retried));
    return { tried, rebuilt, left: this.deadLetterCount };
  }

  /** Hash over the content of the live read model, which goes on meanwhile. Rejects with `unavailable` while the stores fail. */
  async digest(name: string): Promise<ProjectionDigest> {
    const { live, projection } = this.findProjection(name);
    const { store } = this.parts;
    const { signal } = this.stopping;
    signal.throwIfAborted();
    const ahead = await readAhead(projection, this.liveVersion(live, name), store, { signal });
    const draft = async () => ({
      position: live.position,
      content: await draftDigest(projection, this.liveVersion(live, name), store, ahead),
    });
    this.hold.readers++;
    try {
      for (let attempt = 1; ; attempt++) {
        const { position, content } = await live.runWhenIdle(draft);
        const digest = await finishDigest(content, store, { signal });
        if (digest !== undefined) return { projection: name, position, digest };
        if (attempt === MAX_DIGEST_ATTEMPTS)
          throw new HindsightError('unavailable', `${name} changed while it was read; try again`);
      }
    } finally {
      this.hold.readers--;
    }
  }

  /** Compares the live read model with a fresh replay of the log. */
  async verify(name: string): Promise<VerificationOutcome> {
    const verification = this.compareWithReplay(name);
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
      ...[...this.liveGroups, ...this.rebuilds.values()].flatMap(({ failure }) => failure ?? []),
      ...[...this.failedRebuilds].map(([name, reason]) => `the last rebuild of ${name} failed: ${reason}`),
    ];
    if (reasons.length > 0) return Promise.resolve({ ok: false, reason: reasons.join('; ') });
    return Promise.resolve(
      this.deadLetterCount === 0
        ? { ok: true }
        : { ok: true, degraded: `${this.deadLetterCount} events could not be projected: see \`hindsight parked\`` },
    );
  }

  /** Finishes the commits under way. Rebuilds go on after the next start, verifications end. Legal twice. */
  async stop(): Promise<void> {
    this.stopping.abort(new HindsightError('unavailable', 'the projector is stopping'));
    await Promise.all([...this.rebuilds.values()].map((rebuild) => rebuild.stop()));
    await Promise.all([Promise.allSettled(this.verifications), ...this.liveGroups.map((live) => live.stop())]);
  }

  /** What runs beside the live ones work with. */
  private get backgroundSources(): RunSources & ReplaySources {
    const { events, store, log, scheduler, spanHorizon, scope } = this.parts;
    const giveWay = (): Promise<void> => waitUntilAllIdle(this.liveGroups, MAX_YIELD_MS, scheduler);
    return {
      events,
      store,
      log,
      spanHorizon,
      scope,
      hold: this.hold,
      rowsACommit: BACKGROUND_ROWS_PER_COMMIT,
      yieldToOthers: giveWay,
      journal: this.journal,
    };
  }

  private get journal(): PoisonEventJournal {
    return this.parts.journal ?? NO_POISON_EVENT_JOURNAL;
  }

  private async refreshDeadLetterCount(): Promise<void> {
    this.deadLetterCount = await this.parts.store.count(LIVE_DEAD_LETTERS);
    this.parts.onDeadLetterCount?.(this.deadLetterCount);
  }

  private async startGroup(live: LiveProjectionGroup): Promise<void> {
    const { store } = this.parts;
    const { projections } = live.group;
    for (const projection of projections) this.obsoleteVersions.removeNow(projection);
    let standings = await Promise.all(projections.map((projection) => readVersionStatus(projection, store)));
    if (standings.every(({ kind }) => kind === 'absent')) {
      await declareFirstVersions(projections, store);
      standings = await Promise.all(projections.map((projection) => readVersionStatus(projection, store)));
    }
    const current = standings.flatMap((standing, i) =>
      standing.kind === 'current' ? [[projections[i].name, standing.active] as const] : [],
    );
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

  private async compareWithReplay(name: string): Promise<VerificationOutcome> {
    const {
      live: { group },
      projection,
    } = this.findProjection(name);
    const { digest: live, position } = await this.digest(name);
    const fatal = await findFatalPositions(group, this.parts.store);
    const replayed = await computeReplayedDigest(projection, group, position, {
      ...this.backgroundSources,
      fatal,
      scratch: this.parts.scratch,
      signal: this.stopping.signal,
    });
    return { projection: name, position, live, replayed, equal: live === replayed };
  }

  private announceCommit(group: ProjectionGroup, commit: Commit): void {
    const { feed, onProjected, scheduler = asyncScheduler } = this.parts;
    for (const { name } of group.projections)
      feed.announce({ topic: 'projected', projection: name, position: commit.position });
    onProjected?.(toCommitReport(group.name, commit, scheduler.now()));
    if (commit.parked > 0)
      this.refreshDeadLetterCount().catch((error: unknown) =>
        this.parts.log.warn('parked events could not be counted', { error }),
      );
  }

  private handleRunEnd(group: ProjectionGroup, outcome: RunOutcome): void {
    if (outcome.kind !== 'fenced') return;
    this.fenced.add(group.name);
    this.parts.onFenced?.();
  }

  private liveVersion(live: LiveProjectionGroup, name: string): number {
    const version = live.activeVersion(name);
    if (version === undefined) throw new HindsightError('unavailable', `${name} is being rebuilt`);
    return version;
  }

  private findProjection(name: string): { live: LiveProjectionGroup; projection: Projection } {
    for (const live of this.liveGroups) {
      const projection = live.group.projections.find((candidate) => candidate.name === name);
      if (projection !== undefined) return { live, projection };
    }
    throw new HindsightError('not-found', `there is no projection ${name}`);
  }
}

export function createProjector(parts: ProjectorParts): Projector {
  return new Projector(parts);
}

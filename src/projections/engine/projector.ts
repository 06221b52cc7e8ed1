import { filter } from 'rxjs';
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
  type CommitReport,
  type ProjectionDigest,
  type ProjectorParts,
  type RebuildOptions,
  type RebuildOutcome,
  type RetryOptions,
  type RetryOutcome,
  type VerificationOutcome,
} from './projector-types.js';
import type { Projection } from '../projection.js';
import { RebuildCoordinator } from './rebuild-coordinator.js';
import {
  declareFirstVersions,
  ObsoleteVersionRemover,
  readVersionStatus,
  type VersionStatus,
} from './projection-versions.js';
import { findProjectionsToRebuild, dryRunDeadLetters } from './dead-letter-dry-run.js';
import type { Progress, ReplaySources } from './projection-replay.js';
import type { RunOutcome } from './projection-runner-types.js';
import type { CompactionHold } from '../telemetry/blocks/blocks-projection.js';
import { computeReplayedReadModel, describeReplayDamage } from './read-model-verification.js';

export type { ProjectorParts } from './projector-types.js';

/** Rows per commit of a rebuild or verification: bounds how long it blocks the thread. */
const BACKGROUND_ROWS_PER_COMMIT = 8_192;

/** How long (ms) a rebuild or verification yields to the live runs before each commit. */
const MAX_YIELD_MS = 1_000;

/** Retention removes blocks at most once an hour, so a second attempt nearly always succeeds. */
const MAX_DIGEST_ATTEMPTS = 3;

/** Keeps all read models up to date. Can run in any thread: arguments and results are plain data. */
export class Projector {
  private readonly hold: CompactionHold = { readers: 0 };
  private readonly liveGroups: readonly LiveProjectionGroup[];
  private readonly rebuilds: RebuildCoordinator;
  private readonly verifications = new Set<Promise<unknown>>();
  private readonly obsoleteVersions: ObsoleteVersionRemover;
  private readonly stopping = new AbortController();
  /** Groups that another projector has taken over. */
  private readonly fenced = new Set<string>();
  private deadLetterCount = 0;

  constructor(private readonly parts: ProjectorParts) {
    const {
      groups = PROJECTION_GROUPS,
      events,
      store,
      feed,
      log,
      scheduler,
      pollingIntervals,
      idleTimeoutMs,
      graceMs,
      idleCheckpointIntervalMs,
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
    this.rebuilds = new RebuildCoordinator({
      store,
      log,
      scheduler,
      obsoleteVersions: this.obsoleteVersions,
      signal: this.stopping.signal,
      createSources: () => this.backgroundSources,
      onRebuilt: () => this.refreshDeadLetterCount(),
    });
    const hints = feed.hints.pipe(filter(({ topic }) => topic === 'appended'));
    const sources = { events, store, hold: this.hold, spanHorizon, scope };
    const onCommit = (group: ProjectionGroup, commit: CommitReport): void => this.announceCommit(group, commit);
    const onEnd = (group: ProjectionGroup, outcome: RunOutcome): void => this.handleRunEnd(group, outcome);
    this.liveGroups = groups.map(
      (group) =>
        new LiveProjectionGroup(group, {
          events,
          store,
          log,
          hints,
          scheduler,
          pollingIntervals,
          idleCheckpointIntervalMs,
          idleTimeoutMs,
          sources,
          onCommit,
          onEnd,
          journal: this.journal,
        }),
    );
  }

  /** Starts to follow the log. Projections with another schema are rebuilt in the background. */
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

  /** True once everything up to `position` that concerns the projection is committed; false after `timeoutMs`. */
  waitForPosition(name: string, position: Position, timeoutMs: number): Promise<boolean> {
    return this.findProjection(name).live.waitForPosition(position, timeoutMs);
  }

  /**
   * Rebuilds the projection next to the live one and switches to the new version; queries and projections continue
   * meanwhile. Differences from the former version are logged and do not prevent the switch: the former version may be
   * wrong.
   * Continues a rebuild that the start continued in the background, or discards it if `fresh` is set.
   * Rejects with `conflict` while another call rebuilds the projection, and if it would lose damaged events that the
   * read model in use has, unless `acceptLoss` is set.
   */
  async rebuild(
    name: string,
    onProgress: (progress: Progress) => void,
    options: RebuildOptions = {},
  ): Promise<RebuildOutcome> {
    const { live, projection } = this.findProjection(name);
    return this.rebuilds.rebuild(projection, live, onProgress, options);
  }

  /** Dead letters: events that were skipped because they could not be projected. They await an operator. */
  listDeadLetters(): Promise<DeadLetter[]> {
    return listDeadLetters(this.parts.groups ?? PROJECTION_GROUPS, this.parts.store);
  }

  /**
   * Retries dead letters and rebuilds the projections that miss one that folds now: a later event must not be folded
   * before an earlier one.
   */
  async retryDeadLetters(
    { projection, fatal = false }: RetryOptions,
    onProgress: (progress: Progress) => void,
  ): Promise<RetryOutcome> {
    if (projection !== undefined) this.findProjection(projection);
    const affected = (await this.listDeadLetters()).filter(
      ({ lacking }) => projection === undefined || lacking.includes(projection),
    );
    const outcomes = await dryRunDeadLetters(affected, fatal, this.parts);
    const retried = new Set(fatal ? affected.map((event) => event.position) : []);
    const rebuildOutcomes: RebuildOutcome[] = [];
    for (const name of findProjectionsToRebuild(affected, outcomes, projection))
      rebuildOutcomes.push(await this.rebuild(name, onProgress, { retried }));
    return { tried: outcomes, rebuilt: rebuildOutcomes, left: this.deadLetterCount };
  }

  /**
   * Hash over the content of the live read model, which keeps changing meanwhile. Rejects with `unavailable` while the
   * stores fail.
   */
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
          throw new HindsightError('unavailable', `${name} changed while its digest was computed; try again`);
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

  /** Drops what is in the store and was not needed since the previous call. */
  async releaseMemory(): Promise<void> {
    for (const live of this.liveGroups) await live.releaseMemory();
  }

  /** Returns space that retention freed to the file system; resolves to the number of bytes. */
  vacuum(): Promise<number> {
    return this.parts.store.vacuum();
  }

  /** Healthy while all projections make progress and no rebuild has failed; degraded while there are dead letters. */
  check(): Promise<Health> {
    const reasons = [
      ...[...this.fenced].map((group) => `another projector has taken over ${group}`),
      ...this.liveGroups.flatMap(({ failure }) => failure ?? []),
      ...this.rebuilds.failures,
    ];
    if (reasons.length > 0) return Promise.resolve({ ok: false, reason: reasons.join('; ') });
    return Promise.resolve(
      this.deadLetterCount === 0
        ? { ok: true }
        : {
            ok: true,
            degraded: `${this.deadLetterCount} events could not be projected: see \`hindsight dead-letters\``,
          },
    );
  }

  /**
   * Finishes the commits in progress. Rebuilds continue after the next start, verifications are aborted. Idempotent.
   */
  async stop(): Promise<void> {
    this.stopping.abort(new HindsightError('unavailable', 'The projector is stopping'));
    await this.rebuilds.stop();
    await Promise.all([Promise.allSettled(this.verifications), ...this.liveGroups.map((live) => live.stop())]);
  }

  /** Sources for runs next to the live ones. */
  private get backgroundSources(): RunSources & ReplaySources {
    const { events, store, log, scheduler, spanHorizon, scope } = this.parts;
    const yieldToLiveRuns = (): Promise<void> => waitUntilAllIdle(this.liveGroups, MAX_YIELD_MS, scheduler);
    return {
      events,
      store,
      log,
      spanHorizon,
      scope,
      hold: this.hold,
      maxRowsPerCommit: BACKGROUND_ROWS_PER_COMMIT,
      yieldToOthers: yieldToLiveRuns,
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
    let statuses = await Promise.all(projections.map((projection) => readVersionStatus(projection, store)));
    if (statuses.every(({ kind }) => kind === 'absent')) {
      await declareFirstVersions(projections, store);
      statuses = await Promise.all(projections.map((projection) => readVersionStatus(projection, store)));
    }
    const current = statuses.flatMap((status, i) =>
      status.kind === 'current' ? [[projections[i].name, status.active] as const] : [],
    );
    live.start(new Map(current));
    statuses.forEach((status, i) => {
      if (status.kind !== 'current' || status.building !== undefined)
        this.rebuilds.rebuildInBackground(projections[i], live, { acceptLoss: acceptsLoss(status) });
    });
  }

  private async compareWithReplay(name: string): Promise<VerificationOutcome> {
    const {
      live: { group },
      projection,
    } = this.findProjection(name);
    const { digest: live, position } = await this.digest(name);
    const fatal = await findFatalPositions(group, this.parts.store);
    const { digest: replayed, damaged } = await computeReplayedReadModel(projection, group, position, {
      ...this.backgroundSources,
      fatal,
      scratch: this.parts.scratch,
      signal: this.stopping.signal,
    });
    const damage = describeReplayDamage(damaged, await this.findLackingPositions(name));
    const equal = live === replayed;
    return { projection: name, position, live, replayed, equal, ...(damage !== undefined && { damage }) };
  }

  /** Positions of events that the live read model lacks. */
  private async findLackingPositions(name: string): Promise<ReadonlySet<Position>> {
    const deadLetters = await this.listDeadLetters();
    return new Set(deadLetters.filter(({ lacking }) => lacking.includes(name)).map(({ position }) => position));
  }

  private announceCommit(group: ProjectionGroup, commit: CommitReport): void {
    const { feed, onProjected } = this.parts;
    for (const { name } of group.projections)
      feed.announce({ topic: 'projected', projection: name, position: commit.position });
    onProjected?.(commit);
    if (commit.deadLetters > 0)
      this.refreshDeadLetterCount().catch((error: unknown) =>
        this.parts.log.warn('Cannot count dead letters', { error }),
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

/** An unfinished rebuild keeps the consent of the operator who asked for it. */
function acceptsLoss(status: VersionStatus): boolean {
  return status.kind !== 'absent' && status.building?.acceptLoss === true;
}

import type { ErrorAlertRule } from '../../diagnostics/alerting/alert-rule-model.js';
import { readErrorGroups, type WatchedErrorGroup } from '../../diagnostics/alerting/error-rule-readings.js';
import { MINUTE_MS } from '../../diagnostics/time-windows.js';
import { findErrorEpisodes, type EpisodeStarts } from '../errors/error-episode-search.js';
import type { ErrorGroupChanges } from '../errors/error-group-status.js';
import type { RecordSourceOpener } from '../query/record-source-opener.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { retryOnCompaction } from '../telemetry/block-snapshots.js';
import { EpisodeStartMemory } from './episode-start-memory.js';
import type { RuleMoments, VisitMoment } from './rule-moments.js';

const US_PER_MS = 1_000;

/** What people did about groups of a Grid. */
export type ReadErrorChanges = (gridId: string, groupIds: readonly string[]) => Promise<ErrorGroupChanges>;

/**
 * Reads what rules on new errors compare. What the last evaluation of a rule has found is kept, so that the next one reads
 * all that is stored only for groups that it has not met.
 */
export class ErrorRuleReader {
  /** By Grid, rule and service. */
  private readonly memory = new EpisodeStartMemory();

  constructor(
    private readonly sources: Pick<RecordSourceOpener, 'openExceptions'>,
    private readonly readChanges: ReadErrorChanges,
  ) {}

  /** Calls `visit` with the groups that are news at every whole minute. */
  async forEachMoment(moments: RuleMoments<ErrorAlertRule>, timeSlice: TimeSlice, visit: VisitMoment): Promise<void> {
    const { fromMs, toMs, rule } = moments;
    const groups = await this.findGroups(moments, timeSlice);
    for (let momentMs = fromMs; momentMs <= toMs; momentMs += MINUTE_MS) {
      await timeSlice.yieldIfDue();
      visit(readErrorGroups(groups, { momentMs, windowMinutes: rule.windowMinutes }), momentMs);
    }
  }

  private async findGroups(
    moments: RuleMoments<ErrorAlertRule>,
    timeSlice: TimeSlice,
  ): Promise<readonly WatchedErrorGroup[]> {
    const { gridId, rule, toMs, isBacktest = false } = moments;
    if (isBacktest) return this.search(moments, timeSlice, new Map());
    const key = JSON.stringify([gridId, rule.id, rule.serviceName]);
    const starts = this.memory.open(key);
    try {
      return await this.search(moments, timeSlice, starts);
    } finally {
      // What was found before the time was over need not be found again.
      this.memory.keep(key, starts, toMs);
    }
  }

  private search(
    { gridId, rule, fromMs, toMs }: RuleMoments<ErrorAlertRule>,
    timeSlice: TimeSlice,
    starts: EpisodeStarts,
  ): Promise<readonly WatchedErrorGroup[]> {
    const { serviceName, windowMinutes } = rule;
    const range = { fromUs: (fromMs - windowMinutes * MINUTE_MS) * US_PER_MS, toUs: toMs * US_PER_MS };
    return retryOnCompaction(timeSlice, async () =>
      findErrorEpisodes(
        await this.sources.openExceptions(gridId, timeSlice),
        { range, ...(serviceName !== undefined && { serviceName }) },
        (groupIds) => this.readChanges(gridId, groupIds),
        starts,
      ),
    );
  }
}

import type { ErrorAlertRule } from '../../diagnostics/alerting/alert-rule-model.js';
import { readErrorGroups } from '../../diagnostics/alerting/error-rule-readings.js';
import { MINUTE_MS } from '../../diagnostics/time-windows.js';
import { findErrorEpisodes, type EpisodeStarts } from '../errors/error-episode-search.js';
import type { ErrorGroupChanges } from '../errors/error-group-status.js';
import type { QueryReader } from '../query/query-reader.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { retryOnCompaction } from '../telemetry/block-snapshots.js';
import type { RuleMoments, VisitMoment } from './rule-moments.js';

const US_PER_MS = 1_000;
/** Rules of which it is kept what they have found. */
const MAX_RULES = 1_000;

/** What people did about groups of a Grid. */
export type ReadErrorChanges = (gridId: string, groupIds: readonly string[]) => Promise<ErrorGroupChanges>;

/**
 * Reads what rules on new errors compare. What the last evaluation of a rule has found is kept, so that the next one reads
 * all that is stored only for groups that it has not met.
 */
export class ErrorRuleReader {
  /** By Grid and rule, the one evaluated longest ago first. */
  private readonly starts = new Map<string, EpisodeStarts>();

  constructor(
    private readonly reader: Pick<QueryReader, 'openExceptions'>,
    private readonly readChanges: ReadErrorChanges,
  ) {}

  /** Calls `visit` with the groups that are news at every whole minute. */
  async forEachMoment(
    { gridId, rule, fromMs, toMs }: RuleMoments<ErrorAlertRule>,
    timeSlice: TimeSlice,
    visit: VisitMoment,
  ): Promise<void> {
    const { serviceName, windowMinutes } = rule;
    const range = { fromUs: (fromMs - windowMinutes * MINUTE_MS) * US_PER_MS, toUs: toMs * US_PER_MS };
    const starts = this.openStarts(JSON.stringify([gridId, rule.id, serviceName]));
    const groups = await retryOnCompaction(timeSlice, async () =>
      findErrorEpisodes(
        await this.reader.openExceptions(gridId, timeSlice),
        { range, ...(serviceName !== undefined && { serviceName }) },
        (groupIds) => this.readChanges(gridId, groupIds),
        starts,
      ),
    );
    for (let momentMs = fromMs; momentMs <= toMs; momentMs += MINUTE_MS) {
      await timeSlice.yieldIfDue();
      visit(readErrorGroups(groups, { momentMs, windowMinutes }), momentMs);
    }
  }

  private openStarts(key: string): EpisodeStarts {
    const starts = this.starts.get(key) ?? new Map<string, number>();
    this.starts.delete(key);
    this.starts.set(key, starts);
    for (const oldest of this.starts.keys()) if (this.starts.size > MAX_RULES) this.starts.delete(oldest);
    return starts;
  }
}

import { widenBacktestRange } from '../../diagnostics/alerting/metric-rule-backtest.js';
import {
  firesOnAbsence,
  isErrorRule,
  type Backtest,
  type QueryAlertRule,
  type RecordAlertRule,
  type RuleEvaluation,
} from '../../diagnostics/alerting/alert-rule-model.js';
import { BacktestRecorder } from '../../diagnostics/alerting/backtest-recorder.js';
import {
  EVALUATION_DELAY_MS,
  RecordRuleEvaluator,
  roundRecordValue,
} from '../../diagnostics/alerting/record-rule-evaluator.js';
import { MINUTE_MS, type TimeWindow } from '../../diagnostics/time-windows.js';
import type { AlertQueries } from '../diagnostics/alert-queries.js';
import type { RecordSourceOpener } from '../query/record-source-opener.js';
import { retryOnCompaction } from '../telemetry/block-snapshots.js';
import type { TimeSlice } from '../scheduling/cooperative-scheduler.js';
import { ErrorRuleReader, type ReadErrorChanges } from './error-rule-reader.js';
import type { RuleMoments, VisitMoment } from './rule-moments.js';
import { planRuleQuery, toAlertSubject } from './rule-query.js';
import type { WindowsQuery } from '../query/windowed-aggregates.js';

/** Ends of windows that are read at a time: bounds the minutes that are in memory. */
const MOMENTS_AT_ONCE = 60;

/**
 * A group that has had no records for less than this is still compared, as 0, by rules that look for too few: so a rule
 * notices what falls silent, and forgets it after an hour.
 */
const GROUP_MEMORY_MINUTES = 60;

/** Evaluates alert rules on queries and on error groups; the interface of the thread that reads telemetry. */
export interface RecordRuleQueries {
  /** The groups in breach at a whole minute, the worst first; a group that is not among them is not in breach. */
  evaluateRecordRule(gridId: string, rule: RecordAlertRule, momentMs: number): Promise<readonly RuleEvaluation[]>;
  /** When the rule would have fired at any whole minute of a range, which ends at the last one that live alerting has evaluated at `nowMs`, at most. */
  backtestRecordRule(gridId: string, rule: RecordAlertRule, range: TimeWindow, nowMs: number): Promise<Backtest>;
}

/** Runs work for a Grid in the turns of its owner. */
type RunForGrid = <T>(gridId: string, work: (timeSlice: TimeSlice) => Promise<T>) => Promise<T>;

export function createRecordRuleQueries(
  sources: Pick<RecordSourceOpener, 'openWindows' | 'openExceptions'>,
  alerts: Pick<AlertQueries, 'alertsDuring'>,
  run: { readonly evaluation: RunForGrid; readonly backtest: RunForGrid },
  readErrorChanges: ReadErrorChanges,
): RecordRuleQueries {
  const errorRules = new ErrorRuleReader(sources, readErrorChanges);
  const forEachMoment: ReadMoments = (moments, timeSlice, visit) =>
    isErrorRule(moments.rule)
      ? errorRules.forEachMoment({ ...moments, rule: moments.rule }, timeSlice, visit)
      : forEachQueryMoment(sources, { ...moments, rule: moments.rule }, timeSlice, visit);
  return {
    evaluateRecordRule: (gridId, rule, momentMs) =>
      run.evaluation(gridId, async (timeSlice) => {
        const evaluator = new RecordRuleEvaluator(rule);
        let evaluations: RuleEvaluation[] = [];
        const fromMs = momentMs - rule.forMinutes * MINUTE_MS;
        await forEachMoment({ gridId, rule, fromMs, toMs: momentMs }, timeSlice, (readings, atMs) => {
          evaluations = evaluator.evaluate(readings, atMs);
        });
        return evaluations.map((evaluation) => ({ ...evaluation, value: roundRecordValue(evaluation.value!) }));
      }),
    async backtestRecordRule(gridId, rule, range, nowMs) {
      const widened = widenBacktestRange(range, nowMs - EVALUATION_DELAY_MS);
      const recorder = await run.backtest(gridId, async (timeSlice) => {
        const evaluator = new RecordRuleEvaluator(rule);
        const recorder = new BacktestRecorder(rule, widened, roundRecordValue);
        const fromMs = widened.fromMs - rule.forMinutes * MINUTE_MS;
        await forEachMoment(
          { gridId, rule, fromMs, toMs: widened.toMs, isBacktest: true },
          timeSlice,
          (readings, atMs) => {
            const evaluations = evaluator.evaluate(readings, atMs);
            if (atMs >= widened.fromMs) recorder.observe(evaluations, atMs);
          },
        );
        return recorder;
      });
      return recorder.finish(await alerts.alertsDuring(gridId, range));
    },
  };
}

type ReadMoments = (moments: RuleMoments<RecordAlertRule>, timeSlice: TimeSlice, visit: VisitMoment) => Promise<void>;

/** Calls `visit` with what the query of the rule gives at every whole minute. */
async function forEachQueryMoment(
  sources: Pick<RecordSourceOpener, 'openWindows'>,
  { gridId, rule, fromMs, toMs }: RuleMoments<QueryAlertRule>,
  timeSlice: TimeSlice,
  visit: VisitMoment,
): Promise<void> {
  const { signal, where, groupBy, select } = planRuleQuery(rule);
  const lastMinute = toMs / MINUTE_MS;
  for (let first = fromMs / MINUTE_MS; first <= lastMinute; first += MOMENTS_AT_ONCE) {
    const query: WindowsQuery = {
      ...{ gridId, signal, groupBy, aggregate: select[0], ...(where !== undefined && { where }) },
      firstMinute: first,
      lastMinute: Math.min(lastMinute, first + MOMENTS_AT_ONCE - 1),
      windowMinutes: rule.windowMinutes,
      memoryMinutes: findMemoryMinutes(rule),
    };
    const windows = await retryOnCompaction(timeSlice, () => sources.openWindows(query, timeSlice));
    for (let minute = first; minute <= query.lastMinute; minute++) {
      const readings = await windows.read(minute, { timeSlice });
      visit(
        readings.map(({ group, records, value }) => ({ ...toAlertSubject(rule, groupBy, group), records, value })),
        minute * MINUTE_MS,
      );
    }
  }
}

function findMemoryMinutes(rule: QueryAlertRule): number {
  return firesOnAbsence(rule) && rule.query.groupBy.length > 0 ? GROUP_MEMORY_MINUTES : 0;
}

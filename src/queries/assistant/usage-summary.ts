import { daysBetween, startOfNextDay, utcDay } from '../../accounting/calendar.js';
import { and, eq, range } from '../../read-models/filter.js';
import type { ReadModelReader } from '../../read-models/store.js';
import type { UsageCollections, UsageDayDocument } from '../../read-models/usage.js';
import type { UsageSummary } from './questions.js';

/** ms since 1970, both inclusive. */
interface Range {
  readonly gridId: string;
  readonly fromMs: number;
  readonly toMs: number;
}

type Figure = 'prompts' | 'energy' | 'syntheses' | 'recognitions';

/** What a Grid's assistant was used for on every UTC day that has a moment of the range. */
export async function usageSummary(store: ReadModelReader, { days }: Pick<UsageCollections, 'days'>, { gridId, fromMs, toMs }: Range): Promise<UsageSummary> {
  const inRange = range('day', utcDay(fromMs), utcDay(startOfNextDay(toMs)));
  const used = (await store.find(days, { filter: and(eq('gridId', gridId), inRange) })).map(({ document }) => document);
  const byDay = new Map(used.map((each) => [each.day, each]));
  return {
    totalPrompts: totalOf(used, 'prompts'),
    totalEnergyConsumed: totalOf(used, 'energy'),
    totalSpeechSyntheses: totalOf(used, 'syntheses'),
    totalSpeechRecognitions: totalOf(used, 'recognitions'),
    dailyBreakdown: daysBetween(fromMs, toMs).map((date) => ({ date, prompts: byDay.get(date)?.prompts ?? 0, energy: byDay.get(date)?.energy ?? 0 })),
  };
}

function totalOf(days: readonly UsageDayDocument[], figure: Figure): number {
  return days.reduce((sum, day) => sum + day[figure], 0);
}

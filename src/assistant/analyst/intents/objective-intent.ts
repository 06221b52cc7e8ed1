import { getObjectives } from '../../tools/objective-tools.js';
import {
  formatCount,
  formatList,
  formatName,
  formatPercent,
  joinWithAnd,
  quote,
} from '../answers/answer-formatting.js';
import type { Slots } from '../understanding/slots.js';
import type { Draft, Intent } from './intent.js';

type Objective = Awaited<ReturnType<typeof getObjectives.run>>['data']['slos'][number];

const STATES: Readonly<Record<Objective['status'], string>> = {
  met: 'met',
  burning: 'met, but its budget is used too fast',
  exhausted: 'missed, its budget is used up',
  'no-data': 'without events',
};
/** The window that objectives are ranked by where the question asks which one burns fastest. */
const RANKED_WINDOW = '1h';
const FOLLOW_UPS = ['Which objective burns fastest?', 'How much error budget is left?', 'Is anything broken?'];

export const objectivesIntent: Intent = {
  name: 'objectives',
  // A budget of energy is the assistant's own.
  cues: { objectives: 8, energy: -8 },
  forms: ['Are our objectives met?', 'How much error budget is left?', 'Which objective burns fastest?'],
  async answer(context, slots) {
    const { slos, uncounted } = await context.callTool(getObjectives, {});
    const found = slos.filter((slo) => isRequested(slo, slots));
    const failed = uncounted.filter((slo) => isRequested(slo, slots));
    const named = slots.words === undefined ? '' : ` called ${quote(slots.words)}`;
    const of = `${slots.services.length === 0 ? '' : ` of ${joinWithAnd(slots.services)}`}${named}`;
    if (found.length + failed.length === 0) return createNoneDraft(of, [...slos, ...uncounted]);
    const ranked = slots.isRankedByBurn === true ? rankByBurn(found, slots.isReversed === true) : found;
    const missed = found.filter(({ status }) => status === 'exhausted').length;
    const without = found.filter(({ status }) => status === 'no-data').length;
    const head = `${formatCount(found.length, 'objective')}${of}: ${found.length - missed - without} met, ${missed} missed${without === 0 ? '' : `, ${without} without events`}`;
    const lines = [
      ...ranked.map(describeObjective),
      ...failed.map(({ name, failure }) => `${formatName(name)} could not be counted: ${formatName(failure.code)}`),
    ];
    return { text: `${head}${formatList(lines, slots.limit ?? 10)}`, followUps: FOLLOW_UPS };
  },
};

function isRequested(
  { name, indicator: { serviceName } }: Pick<Objective, 'name' | 'indicator'>,
  { services, excluded = [], words }: Slots,
): boolean {
  return (
    (services.length === 0 || services.includes(serviceName)) &&
    !excluded.includes(serviceName) &&
    (words === undefined || name.toLowerCase().includes(words.toLowerCase()))
  );
}

function createNoneDraft(of: string, others: readonly { readonly name: string }[]): Draft {
  const also =
    others.length === 0
      ? ''
      : ` There ${others.length === 1 ? 'is' : 'are'} ${joinWithAnd(others.map(({ name }) => formatName(name)))}.`;
  return {
    text: `No objective${of} is defined.${also}`,
    followUps: ['Are our objectives met?', 'Is anything broken?'],
  };
}

function rankByBurn(slos: readonly Objective[], isSlowestFirst: boolean): readonly Objective[] {
  const rate = ({ burnRates }: Objective): number => burnRates[RANKED_WINDOW];
  return [...slos].sort((a, b) => (isSlowestFirst ? rate(a) - rate(b) : rate(b) - rate(a)));
}

function describeObjective(slo: Objective): string {
  const { name, status, sli, objective, good, total, windowDays, calendar, errorBudget, burnRates } = slo;
  const window = calendar
    ? `since the calendar window of ${windowDays} days began`
    : `in the last ${formatCount(windowDays, 'day')}`;
  if (sli === null) return `${formatName(name)}: ${STATES[status]} ${window}`;
  const rates = Object.entries(burnRates).map(([over, rate]) => `${rate} over ${over}`);
  return `${formatName(name)}: ${STATES[status]}. ${formatPercent(sli)} of ${formatPercent(objective)} (${good} of ${total} good) ${window}; ${formatPercent(errorBudget.remainingPercent)} of the error budget is left (${errorBudget.remaining} of ${errorBudget.total} events); burn rate ${rates.join(', ')}`;
}

import { getSilences } from '../../tools/silence-tools.js';
import { formatCount, formatList, formatName, joinWithAnd, joinWithOr, quote } from '../answers/answer-formatting.js';
import { formatIsoClock } from '../time/window-resolver.js';
import type { Slots } from '../understanding/slots.js';
import type { Intent } from './intent.js';

type Silence = Awaited<ReturnType<typeof getSilences.run>>['data']['silences'][number];

export const silencesIntent: Intent = {
  name: 'silences',
  cues: { silences: 7 },
  forms: ['Which silences are active?'],
  async answer(context, slots) {
    const { silences } = await context.callTool(getSilences, {});
    const found = silences.filter((silence) => isRequested(silence, slots, context.nowMs));
    const others = silences.length - found.length;
    const beside = others === 0 ? '' : ` (${formatCount(others, 'other')})`;
    const day = slots.isLaterToday === true ? ' for later today' : '';
    const of = `${day}${slots.services.length === 0 ? '' : ` for ${joinWithAnd(slots.services)}`}`;
    const what = ` that ${found.length > 1 ? 'are' : 'is'} ${joinWithOr(listStates(slots))}${of}`;
    const followUps = ['Are there any alerts?', 'How do I silence an alert?', 'Is anything broken?'];
    if (found.length === 0) return { text: `No silence${what}${beside}.`, followUps };
    const lines = found.map((silence) => describeSilence(silence, context.nowMs));
    return {
      text: `${formatCount(found.length, 'silence')}${what}${beside}:${formatList(lines, slots.limit ?? 10)}`,
      followUps,
    };
  },
};

type State = 'active' | 'planned' | 'over';

function listStates({ recordStates = ['unended'] }: Slots): readonly State[] {
  const states = recordStates.flatMap((state): readonly State[] =>
    state === 'unended' ? ['active', 'planned'] : [state === 'open' ? 'active' : state === 'planned' ? state : 'over'],
  );
  return [...new Set(states)];
}

function toState({ startsAt, endsAt }: Pick<Silence, 'startsAt' | 'endsAt'>, nowMs: number): State {
  return Date.parse(endsAt) <= nowMs ? 'over' : Date.parse(startsAt) > nowMs ? 'planned' : 'active';
}

function isRequested(silence: Silence, slots: Slots, nowMs: number): boolean {
  const { services, excluded = [], isLaterToday } = slots;
  if (isLaterToday === true && !isSameDay(Date.parse(silence.startsAt), nowMs)) return false;
  const covers = (service: string): boolean =>
    silence.matchers
      .filter(({ label }) => label === 'service')
      .every(({ operator, value }) => matches(value, service) === (operator === '='));
  return (
    listStates(slots).includes(toState(silence, nowMs)) &&
    (services.length === 0 || services.some(covers)) &&
    !excluded.some(covers)
  );
}

const DAY_MS = 86_400_000;

function isSameDay(ms: number, otherMs: number): boolean {
  return Math.floor(ms / DAY_MS) === Math.floor(otherMs / DAY_MS);
}

/** `*` stands for any text. */
function matches(pattern: string, value: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(value);
}

function describeSilence(silence: Silence, nowMs: number): string {
  const { matchers, reason, startsAt, endsAt, createdBy, createdAt } = silence;
  const alerts = matchers
    .map(({ label, operator, value }) => `${label} ${operator} ${formatName(value)}`)
    .join(' and ');
  return `${alerts}: ${toState(silence, nowMs)}, from ${formatIsoClock(startsAt, nowMs)} until ${formatIsoClock(endsAt, nowMs)}, because ${quote(reason)}; created by ${formatName(createdBy)} at ${formatIsoClock(createdAt, nowMs)}`;
}

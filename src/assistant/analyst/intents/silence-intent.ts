import { getSilences } from '../../tools/silence-tools.js';
import { formatCount, formatList, formatName, joinWithAnd, quote } from '../answers/answer-formatting.js';
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
    const what = `${slots.recordState === 'ended' ? 'silence that has ended' : 'silence that is active or planned'}${slots.services.length === 0 ? '' : ` for ${joinWithAnd(slots.services)}`}`;
    const followUps = ['Are there any alerts?', 'How do I silence an alert?', 'Is anything broken?'];
    if (found.length === 0) return { text: `No ${what}${beside}.`, followUps };
    const lines = found.map((silence) => describeSilence(silence, context.nowMs));
    return { text: `${found.length} ${what}${beside}:${formatList(lines, slots.limit ?? 10)}`, followUps };
  },
};

function isRequested(
  { matchers, endsAt }: Silence,
  { services, excluded = [], recordState = 'open' }: Slots,
  nowMs: number,
): boolean {
  const covers = (service: string): boolean =>
    matchers
      .filter(({ label }) => label === 'service')
      .every(({ operator, value }) => matches(value, service) === (operator === '='));
  return (
    Date.parse(endsAt) > nowMs === (recordState === 'open') &&
    (services.length === 0 || services.some(covers)) &&
    !excluded.some(covers)
  );
}

/** `*` stands for any text. */
function matches(pattern: string, value: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(value);
}

function describeSilence({ matchers, reason, startsAt, endsAt, createdBy, createdAt }: Silence, nowMs: number): string {
  const alerts = matchers
    .map(({ label, operator, value }) => `${label} ${operator} ${formatName(value)}`)
    .join(' and ');
  const state = Date.parse(startsAt) > nowMs ? 'planned' : Date.parse(endsAt) > nowMs ? 'active' : 'over';
  return `${alerts}: ${state}, from ${formatIsoClock(startsAt, nowMs)} until ${formatIsoClock(endsAt, nowMs)}, because ${quote(reason)}; created by ${formatName(createdBy)} at ${formatIsoClock(createdAt, nowMs)}`;
}

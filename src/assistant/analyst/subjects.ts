import type { Inquiry } from './inquiry.js';
import type { Draft, Intent, IntentName } from './intent.js';
import type { Slots } from './slots.js';
import { and, quote } from './wording.js';

/** Searches are of one service: others tell of several side by side. */
const OF_ONE: readonly IntentName[] = ['traces', 'logs'];

/** "Failed payments and orders", "logs of payment and cart": what is said of several is answered for each of them, as far as energy pays for it. */
export async function answerOfEach(inquiry: Inquiry, intent: Intent, slots: Slots): Promise<Draft> {
  const [first, ...others] = subjectsOf(intent, slots);
  const drafts = [await intent.answer(inquiry, first)];
  for (const other of others) if (inquiry.left >= sourcesOf(other)) drafts.push(await intent.answer(inquiry, other));
  if (others.length === 0) return drafts[0];
  const left = others.slice(drafts.length - 1).map(nameOf);
  const unpaid = left.length === 0 ? '' : `\nThe energy that is left does not pay for looking at ${and(left)}.`;
  return { text: `${drafts.map(({ text }) => text).join('\n')}${unpaid}`, followUps: drafts.flatMap(({ followUps }) => followUps.slice(0, 2)) };
}

function subjectsOf({ name }: Intent, slots: Slots): readonly Slots[] {
  const { isBeside, thing, ...plain } = slots;
  const isApart = isBeside === true && thing !== undefined && slots.services.length > 0;
  const named: Slots = isApart ? plain : slots;
  const byName = OF_ONE.includes(name) && named.services.length > 1 && named.edge === undefined && named.thing === undefined ? named.services.map((service) => ({ ...named, services: [service] })) : [named];
  return isApart ? [...byName, { ...plain, services: [], thing }] : byName;
}

/** A thing has to be found before it is searched. */
function sourcesOf({ thing }: Slots): number {
  return thing === undefined ? 1 : 2;
}

function nameOf({ services: [name], thing = '' }: Slots): string {
  return name ?? quote(thing);
}

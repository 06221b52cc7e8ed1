import { comparedRanges } from '../compared-ranges.js';
import { endpointsAbout, noEndpoint, RANKED, type Endpoint } from '../endpoints-about.js';
import { dependencyFigures, healthOf } from '../findings.js';
import type { Inquiry } from '../inquiry.js';
import type { Draft, Intent } from '../intent.js';
import { quotedName } from '../quoted-names.js';
import { dependencySentence } from '../sentences.js';
import type { Slots } from '../slots.js';
import { during } from '../when.js';
import { capital, counted, listed, percent } from '../wording.js';

/** Requests of one kind, of a service as a whole where no operation is named. */
type Asked = Omit<Endpoint, 'operation'> & Partial<Pick<Endpoint, 'operation'>>;

/** Rates have two decimals: of no more requests than these they tell the exact number of failures. */
const MOST_TOLD_EXACTLY = 10_000;
const MOST_LISTED = 10;

/** How many requests of one kind failed, or went through. */
export const outcomes: Intent = {
  name: 'outcomes',
  cues: { outcomeCounted: 9 },
  // What is counted is a word of each shop: no form fits all of them.
  forms: [],
  answer: (inquiry, slots) => (slots.baseline === undefined ? outcomesOf(inquiry, slots) : outcomesOfBoth(inquiry, slots)),
};

/** In a window and in the one that it is compared with. */
export async function outcomesOfBoth(inquiry: Inquiry, slots: Slots): Promise<Draft> {
  const { current, baseline } = comparedRanges(slots, inquiry.nowMs);
  const now = await outcomesOf(inquiry, { ...slots, time: current });
  const before = await outcomesOf(inquiry, { ...slots, time: baseline });
  return before.text === now.text ? now : { ...now, text: `${now.text}\n${before.text}` };
}

/** Of the operation, the thing or the services that were asked for: never of everything. */
export async function outcomesOf(inquiry: Inquiry, slots: Slots): Promise<Draft> {
  const window = during(slots.time, inquiry.nowMs);
  const [name] = slots.services;
  if (name !== undefined && inquiry.vocabulary.dependencies.includes(name)) {
    return { text: dependencySentence(await dependencyFigures(inquiry, name, slots), window), followUps: [`Which services depend on ${name}?`, 'What is the root cause?'] };
  }
  const { found, isCut } = await askedFor(inquiry, slots);
  const [first] = found;
  if (first === undefined) return noEndpoint(inquiry, slots, isCut);
  const lines = found.map((each) => sentence(each, slots.status !== 'OK'));
  const rest = !isCut ? '' : slots.services.length === 0 ? `\nI looked among the ${RANKED} slowest endpoints; name a service, and I look at all of its own.` : '\nThe energy that is left does not pay for looking at all of these services.';
  const { serviceName } = first;
  return {
    text: `${lines.length === 1 ? `${lines[0]}${window}.` : `${capital(window.trim())}:${listed(lines, MOST_LISTED)}`}${rest}`,
    followUps: [`Show me ${slots.status === 'OK' ? 'successful' : 'failed'} traces of ${serviceName}`, `Which errors does ${serviceName} have?`, 'Which service has the most errors?', 'What is the root cause?'],
  };
}

async function askedFor(inquiry: Inquiry, slots: Slots): Promise<{ readonly found: readonly Asked[]; readonly isCut: boolean }> {
  if (slots.operation === undefined && slots.thing === undefined) {
    const services = await healthOf(inquiry, slots);
    return { found: services.filter(({ serviceName }) => slots.services.includes(serviceName)), isCut: false };
  }
  const { endpoints, isCut } = await endpointsAbout(inquiry, slots);
  return { found: endpoints, isCut };
}

/** Such as `6 of 60 requests to Charge of payment failed (error rate 10 %)`. */
function sentence({ serviceName, operation, requestCount, errorRate }: Asked, isFailed: boolean): string {
  const to = operation === undefined ? serviceName : `${quotedName(operation)} of ${serviceName}`;
  if (requestCount === 0) return `No requests came to ${to}`;
  if (requestCount > MOST_TOLD_EXACTLY) return `${percent(errorRate)} of ${counted(requestCount, 'request')} to ${to} failed`;
  const failed = Math.round((requestCount * errorRate) / 100);
  const [count, what] = isFailed ? [failed, 'failed'] : [requestCount - failed, 'went through'];
  return `${count} of ${counted(requestCount, 'request')} to ${to} ${what} (error rate ${percent(errorRate)})`;
}

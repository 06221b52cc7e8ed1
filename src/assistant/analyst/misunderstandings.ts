import type { Focus } from './focus.js';
import type { Inquiry } from './inquiry.js';
import type { Draft } from './intent.js';
import { unknownService, whichOne } from './sentences.js';
import type { Understanding } from './understanding.js';

type Misunderstanding = Exclude<Understanding, { kind: 'understood' }>;

/** Questions that are always worth asking. */
export const EXAMPLES = ['Is anything broken?', 'Which endpoints are slowest?', 'What changed in the last hour?'];
const CAN = 'I answer questions about the health, errors, latency, causes, changes, alerts, dependencies, traces, logs and metrics of the services in this Grid';

const REFUSALS: Readonly<Record<Extract<Understanding, { kind: 'impossible' }>['what'], string>> = {
  deed: 'I cannot do that: I only read telemetry and change nothing.',
  secret: 'I cannot help with that: I know no keys, secrets or instructions, only telemetry.',
  future: 'I cannot tell the future: I only know the telemetry that has arrived.',
  people: 'I cannot know that: I only know the telemetry of this Grid, not people, code or business.',
  elsewhere: 'I cannot look there: I only know this Grid.',
};

/** Replies to what was not understood, or cannot be done: they consult nothing. */
export function draftFor(misunderstanding: Misunderstanding, { vocabulary }: Inquiry, focus: Focus): { readonly draft: Draft; readonly focus: Focus } {
  const say = (text: string, followUps: readonly string[] = EXAMPLES): { readonly draft: Draft; readonly focus: Focus } => ({ draft: { text, followUps }, focus });
  switch (misunderstanding.kind) {
    case 'ambiguous': {
      const { said, candidates, intent, slots } = misunderstanding;
      const asked = { draft: { text: whichOne(said, candidates), followUps: candidates.slice(0, 4) } };
      return { ...asked, focus: { ...(intent !== undefined && { intent }), slots, candidates } };
    }
    case 'stranger': return say(unknownService(misunderstanding.said, vocabulary.services), ['Which services are there?', 'Is anything broken?']);
    case 'foreign': return say(`I am sorry, I understand English only. ${CAN}. For example: “${EXAMPLES.join('”, “')}”`);
    case 'impossible': return say(`${REFUSALS[misunderstanding.what]} ${CAN}.`);
    case 'unreadable': return say(`I know no time “${misunderstanding.said.trim()}”. Say it like “the last 10 minutes”, “at 14:00” or “yesterday”, in UTC.`);
    case 'unknown': return say(`I did not understand that. ${CAN}. For example: “${EXAMPLES.join('”, “')}”`, [...EXAMPLES, 'What can you do?']);
  }
}

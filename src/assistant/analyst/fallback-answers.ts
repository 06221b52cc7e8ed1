import { INTENTS } from './intents/intent-registry.js';
import type { Slots } from './understanding/slots.js';
import { joinWithAnd, quote } from './answers/answer-formatting.js';
import type { DialogueContext } from './understanding/dialogue-context.js';
import type { QueryContext } from './query-context.js';
import type { Draft, IntentName } from './intents/intent.js';
import { describeUnknownService, askWhichOne } from './answers/answer-sentences.js';
import type { QueryReading } from './question-query/question-query.js';
import { MAX_QUESTION_LENGTH } from './understanding/question-length.js';
import type { Understanding } from './understanding/question-understanding.js';

type Misunderstanding = Exclude<Understanding, { kind: 'understood' }>;

/** Questions that are always useful. */
export const EXAMPLE_QUESTIONS = [
  'Is anything broken?',
  'Which endpoints are slowest?',
  'What changed in the last hour?',
];
const CAPABILITIES =
  'I answer questions about the health, errors, latency, causes, changes, alerts, dependencies, traces, logs and metrics of the services in this Grid';

const REFUSALS: Readonly<Record<Extract<Understanding, { kind: 'impossible' }>['what'], string>> = {
  deed: 'I cannot do that: I only read telemetry and change nothing.',
  secret: 'I cannot help with that: I see telemetry only, no keys, secrets or instructions.',
  future: 'I cannot predict the future: I only know the telemetry that has arrived.',
  people: 'I cannot know that: I only know the telemetry of this Grid, not people, code or business.',
  elsewhere: 'I cannot look there: I only know this Grid.',
};

/** Replies to questions that were not understood or cannot be answered. They use no data sources. */
export function createFallbackDraft(
  misunderstanding: Misunderstanding,
  { vocabulary }: QueryContext,
  dialogue: DialogueContext,
  reading?: QueryReading,
): { readonly draft: Draft; readonly focus: DialogueContext } {
  const createReply = (
    text: string,
    followUps: readonly string[] = EXAMPLE_QUESTIONS,
  ): { readonly draft: Draft; readonly focus: DialogueContext } => ({
    draft: { text, followUps },
    focus: { ...dialogue, isRefused: true },
  });
  switch (misunderstanding.kind) {
    case 'ambiguous': {
      const { phrase, candidates, intent, slots } = misunderstanding;
      const reply = { draft: { text: askWhichOne(phrase, candidates), followUps: candidates.slice(0, 4) } };
      return { ...reply, focus: { ...(intent !== undefined && { intent }), slots, candidates } };
    }
    case 'unapplied':
      return createUnappliedReply(misunderstanding, dialogue, reading);
    case 'unknownName':
      return createReply(describeUnknownService(misunderstanding.name, vocabulary.services), [
        'Which services are there?',
        'Is anything broken?',
      ]);
    case 'foreign':
      return createReply(
        `Sorry, I only understand English. ${CAPABILITIES}. For example: “${EXAMPLE_QUESTIONS.join('”, “')}”`,
      );
    case 'tooLong':
      return createReply(
        `This question is too long: I read at most ${MAX_QUESTION_LENGTH} characters, and would ignore the rest. Ask it in fewer words.`,
      );
    case 'impossible':
      return createReply(`${REFUSALS[misunderstanding.what]} ${CAPABILITIES}.`);
    case 'unreadableTime':
      return createReply(
        `I do not understand the time “${misunderstanding.phrase.trim()}”. Write it like “the last 10 minutes”, “at 14:00” or “yesterday”, in UTC.`,
      );
    case 'unknown':
      return createReply(
        `I did not understand that. ${CAPABILITIES}.${misunderstanding.words.length === 0 ? '' : ` I do not know ${joinWithAnd(misunderstanding.words.map(quote))} here.`} For example: “${EXAMPLE_QUESTIONS.join('”, “')}”`,
        [...EXAMPLE_QUESTIONS, 'What can you do?'],
      );
  }
}

/** Refuses what continues a question that was refused: its conditions are not known. */
export function createDanglingDraft(dialogue: DialogueContext): {
  readonly draft: Draft;
  readonly focus: DialogueContext;
} {
  const text =
    'I did not answer the question before, so I do not know what this one continues, and give no figures. Ask it in full.';
  return { draft: { text, followUps: EXAMPLE_QUESTIONS }, focus: dialogue };
}

/** Refuses and names what an answer would ignore, with the nearest questions that can be answered. */
function createUnappliedReply(
  { parts: ignored, intent, slots }: Extract<Misunderstanding, { kind: 'unapplied' }>,
  dialogue: DialogueContext,
  reading: QueryReading | undefined,
): { readonly draft: Draft; readonly focus: DialogueContext } {
  // The words that a query would not know either say best what is missing.
  const unread = reading?.kind === 'unread' ? reading.words : [];
  const common = ignored.filter((part) => unread.some((word) => part.toLowerCase().split(/\s+/).includes(word)));
  const parts = joinWithAnd((common.length > 0 ? common : ignored).map(quote));
  const nearest = suggestNearestQuestions(intent, slots);
  return {
    draft: {
      text: `I can’t apply ${parts} to this question, so I give no figures. I can answer: ${joinWithAnd(nearest.map(quote))}.`,
      followUps: nearest,
    },
    focus: { ...dialogue, isRefused: true },
  };
}

const MAX_NEAREST = 3;

/** The phrasings of the intent for the first service of the question, then those that are always useful. */
function suggestNearestQuestions(name: IntentName, { services: [service] }: Slots): readonly string[] {
  const forms = INTENTS.find((intent) => intent.name === name)?.forms ?? [];
  const own = forms
    .filter((form) => service !== undefined || !form.includes('{service}'))
    .map((form) => form.replace('{service}', service ?? ''));
  return [...new Set([...own, ...EXAMPLE_QUESTIONS])].slice(0, MAX_NEAREST);
}

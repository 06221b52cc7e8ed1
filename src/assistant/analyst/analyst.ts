import type { Answer, Answerer, Prompt } from '../answer.js';
import type { ToolQueries } from '../tool.js';
import { focusOf, type Focus } from './focus.js';
import { createInquiry, OutOfSources, type Inquiry } from './inquiry.js';
import type { Draft, Intent, IntentName } from './intent.js';
import { INTENTS } from './intents/index.js';
import { draftFor } from './misunderstandings.js';
import type { Slots } from './slots.js';
import { resolvedTime } from './spoken-deployments.js';
import { answerOfEach } from './subjects.js';
import { understand, type Understanding } from './understanding.js';
import { vocabularyOf } from './vocabulary.js';
import { isClipped } from './when.js';
import { withoutMarkup } from './wording.js';

const MOST_FOLLOW_UPS = 4;

/**
 * Answers without any outside service: a question is understood by its words, answered by the tools that it needs, and told
 * in sentences whose figures are those of the tools. What it does not understand it says.
 */
export function createAnalyst(queries: ToolQueries): Answerer {
  return {
    async answer(prompt, signal) {
      const { gridId, userId, nowMs, mostSources, text } = prompt;
      signal.throwIfAborted();
      const vocabulary = await vocabularyOf(queries, gridId);
      const focus = focusOf(prompt.turns.at(-1)?.focus);
      const inquiry = createInquiry({ queries, gridId, userId, nowMs }, vocabulary, mostSources, signal);
      const understood = understand(INTENTS, { text, focus, vocabulary, nowMs });
      const { draft, focus: next } = await drafted(inquiry, understood, focus);
      return { response: withoutMarkup(draft.text), sources: inquiry.sources, suggestedFollowUps: followUpsOf(draft, prompt), focus: { ...next } };
    },
  };
}

async function drafted(inquiry: Inquiry, understood: Understanding, focus: Focus): Promise<{ readonly draft: Draft; readonly focus: Focus }> {
  if (understood.kind !== 'understood') return draftFor(understood, inquiry, focus);
  const { intent, slots } = understood;
  try {
    const resolved = await resolvedTime(inquiry, slots);
    if (resolved.draft !== undefined) return { draft: resolved.draft, focus: { intent, slots } };
    const draft = withinReach(await answerOfEach(inquiry, intentOf(intent), resolved.slots), intent, resolved.slots);
    return { draft: { ...draft, text: `${resolved.note ?? ''}${draft.text}` }, focus: focusAfter(intent, { ...resolved.slots, ...draft.about }, focus) };
  } catch (error) {
    if (!(error instanceof OutOfSources)) throw error;
    const text = 'Your energy does not pay for the data sources that this question needs. It comes back with time; ask again later.';
    return { draft: { text, followUps: ['What can you do?', 'What does energy mean?'] }, focus };
  }
}

/** Searches and sums of days go back as far as there is data. */
const UNBOUNDED: readonly IntentName[] = ['traces', 'trace', 'logs', 'usage', 'meaning', 'help', 'greeting', 'thanks'];

function withinReach(draft: Draft, intent: IntentName, { time }: Slots): Draft {
  return !isClipped(time) || UNBOUNDED.includes(intent) ? draft : { ...draft, text: `${draft.text}\nI can look at 7 days at a time: what was before them is left out.` };
}

/** Courtesy changes no subject. */
function focusAfter(intent: IntentName, slots: Slots, focus: Focus): Focus {
  return intentOf(intent).isCourtesy === true || intent === 'help' || intent === 'meaning' || intent === 'usage' ? focus : { intent, slots };
}

function followUpsOf({ followUps }: Draft, { text }: Prompt): Answer['suggestedFollowUps'] {
  const asked = text.trim().toLowerCase();
  return [...new Set(followUps)].filter((followUp) => followUp.toLowerCase() !== asked).slice(0, MOST_FOLLOW_UPS);
}

function intentOf(name: IntentName): Intent {
  return INTENTS.find((intent) => intent.name === name)!;
}

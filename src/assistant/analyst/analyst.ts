import type { Answer, Answerer, Prompt } from '../answerer.js';
import type { ToolContext, ToolQueries } from '../tool.js';
import { type DialogueContext, parseDialogueContext } from './understanding/dialogue-context.js';
import { createQueryContext, type QueryContext, SourceBudgetExhausted, ToolNotPermitted } from './query-context.js';
import type { Draft, Intent, IntentName } from './intents/intent.js';
import { INTENTS } from './intents/intent-registry.js';
import { createDanglingDraft, createFallbackDraft } from './fallback-answers.js';
import { findKeptConditions, isFollowUp, refersToPrevious, refersToRecords } from './understanding/references.js';
import { EMPTY_SLOTS, type Slots } from './understanding/slots.js';
import { type Understanding, understandQuestion } from './understanding/question-understanding.js';
import { type EntityVocabulary, loadVocabulary } from './entities/entity-vocabulary.js';
import { tokenize } from './lexicon/tokenizer.js';
import { answerQuestionQuery } from './question-query/query-answer.js';
import { countLogEntries } from './question-query/log-count.js';
import { readQuery, type QueryReadingInput } from './question-query/query-reading.js';
import { findMetric } from './question-query/metric-reading.js';
import { haveFields } from './question-query/operation-guess.js';
import { findPointValues } from './question-query/point-values.js';
import { findImpossibleParts } from './question-query/query-validity.js';
import {
  continueQuery,
  continuesQuestion,
  isQueryPreferred,
  mayPreferQuery,
} from './question-query/query-selection.js';
import { describeQuerySubject } from './question-query/query-subject.js';
import type { FoundValue, QueryReading, QuestionQuery } from './question-query/question-query.js';
import { findExceptionTypes, mayNameException } from './question-query/exception-words.js';
import { describeFoundValues, findFlags, findValues } from './question-query/value-lookup.js';
import { resolveDeploymentTime } from './time/deployment-time.js';
import { isLongerThanMaxWindow } from './time/window-resolver.js';
import { escapeMarkup, joinWithAnd, quote } from './answers/answer-formatting.js';

const MAX_FOLLOW_UPS = 4;
/** What an answer costs, however many sources it uses (contract §5). */
const ENERGY = 1;
/** Sources of one answer: a bound of its work. */
const MAX_SOURCES = 9;

export interface AnalystOptions {
  readonly maxSources?: number;
}

/**
 * Answers questions without any external service: parses the question, calls the tools it needs, and writes sentences
 * whose figures come from the tools. Says so when it does not understand a question.
 */
export function createAnalyst(queries: ToolQueries, { maxSources = MAX_SOURCES }: AnalystOptions = {}): Answerer {
  return {
    async answer(prompt, signal) {
      const { gridId, userId, mayAdminister, nowMs, text } = prompt;
      signal.throwIfAborted();
      const vocabulary = await loadVocabulary(queries, gridId);
      const dialogue = parseDialogueContext(prompt.turns.at(-1)?.focus);
      const toolContext = { queries, gridId, userId, mayAdminister, nowMs };
      const context = createQueryContext(
        toolContext,
        vocabulary,
        { maxSources, refundedEnergy: prompt.maxSources },
        signal,
      );
      const asked = understandQuestion(INTENTS, { text, focus: dialogue, vocabulary, nowMs });
      const { reading, values } = await readAsQuery(toolContext, vocabulary, text, mayPreferQuery(asked));
      const understood = refuseNamedFields(asked, reading);
      const query = findPossibleQuery(text, reading, dialogue, vocabulary);
      const isDangling =
        dialogue.isRefused === true &&
        (query === undefined || refersToRecords(text)) &&
        isPartOfQuestion(text, understood);
      const { draft, focus } = isDangling
        ? createDanglingDraft(dialogue)
        : query !== undefined && isQueryPreferred(understood, query, vocabulary)
          ? await draftQuery(context, query, dialogue, values)
          : await createDraft(context, understood, dialogue, { reading, text });
      const next =
        query === undefined || focus === dialogue
          ? focus
          : {
              ...focus,
              query: { ...query, ...(draft.firstListed !== undefined && { firstListed: draft.firstListed }) },
            };
      return {
        response: escapeMarkup(draft.text),
        sources: context.sources,
        queries: context.queries,
        energy: ENERGY,
        suggestedFollowUps: selectFollowUps(draft, prompt),
        focus: { ...next },
      };
    },
  };
}

/** These explain services; an attribute that the question names is no part of what they look at. */
const ABOUT_SERVICES: readonly IntentName[] = ['health', 'why', 'onset', 'impact', 'recovery', 'certainty', 'remedy'];

function refuseNamedFields(understood: Understanding, reading: QueryReading): Understanding {
  if (understood.kind !== 'understood' || reading.kind !== 'unread' || !ABOUT_SERVICES.includes(understood.intent))
    return understood;
  const parts = (reading.fields ?? []).filter((field) => field.includes('.') && !field.startsWith('event.'));
  return parts.length === 0 ? understood : { ...understood, kind: 'unapplied', parts: [...new Set(parts)] };
}

/** True if a question says too little without the one before: "since when?", "which of them?". */
function isPartOfQuestion(text: string, understood: Understanding): boolean {
  if (continuesQuestion(text)) return true;
  const words = tokenize(text).length;
  const slots = 'slots' in understood ? understood.slots : EMPTY_SLOTS;
  const intent = 'intent' in understood ? understood.intent : undefined;
  return isFollowUp(text, words) && findKeptConditions(text, words, slots, intent) === 'records';
}

/** The query that the question asks, with the one before where it continues that; undefined if no record can meet it. */
function findPossibleQuery(
  text: string,
  reading: QueryReading,
  dialogue: DialogueContext,
  vocabulary: EntityVocabulary,
): QuestionQuery | undefined {
  if (reading.kind !== 'query') return undefined;
  const before = dialogue.isRefused === true ? undefined : dialogue.query;
  // "How long did they last" is about records that only the intent before knows.
  if (before === undefined && dialogue.intent !== undefined && refersToPrevious(text)) return undefined;
  const isFirst = dialogue.intent === undefined && dialogue.query === undefined && dialogue.isRefused !== true;
  const query =
    isFirst && !continuesQuestion(text) && !refersToPrevious(text)
      ? reading.query
      : continueQuery(text, tokenize(text).length, reading.query, before);
  return query !== undefined && findImpossibleParts(query, vocabulary).length === 0 ? query : undefined;
}

/** Reads the question as a query; words that it does not know may be values of attributes, if it is worth the look-up. */
async function readAsQuery(
  context: ToolContext,
  vocabulary: EntityVocabulary,
  text: string,
  looksUp: boolean,
): Promise<{ readonly reading: QueryReading; readonly values: FoundValues }> {
  const input = { text, vocabulary, nowMs: context.nowMs };
  const none: FoundValues = new Map();
  const reading = readQuery({ ...input, values: none });
  const { values: words = [], fields = [] } = reading.kind === 'query' ? {} : reading;
  if (!looksUp && reading.kind !== 'query') return { reading, values: none };
  if (words.length + fields.length === 0)
    return { reading: await checkGuess(context, { ...input, values: none }, reading), values: none };
  const values = await findValues(context, vocabulary, words);
  const flags = await findFlags(context, fields);
  const metric = findMetric(text, vocabulary)?.metric;
  const pointValues = metric === undefined ? none : await findPointValues(context, metric, words);
  const known = { ...input, values, flags, pointValues };
  const isMore = values.size + flags.size + pointValues.size > 0;
  const found = isMore ? await checkGuess(context, known, readQuery(known)) : reading;
  if (found.kind === 'query' || !mayNameException(words)) return { reading: found, values };
  const exceptions = await findExceptionTypes(context);
  if (exceptions.length === 0) return { reading: found, values };
  return { reading: await checkGuess(context, { ...known, exceptions }, readQuery({ ...known, exceptions })), values };
}

/**
 * Reads the question anew where an operation that one word seems to name has none of the attributes asked for. A
 * dependency, or a service named by a part of its name, whose spans have none of them is not what the question is about.
 */
async function checkGuess(
  context: ToolContext,
  input: QueryReadingInput,
  reading: QueryReading,
): Promise<QueryReading> {
  if (reading.kind !== 'query') return reading;
  const { query, guessed } = reading;
  const keys = input.vocabulary.attributes.traces;
  if (guessed !== undefined)
    return (await haveFields(context, { operations: guessed }, query, keys))
      ? reading
      : readQuery({ ...input, guessesOperations: false });
  if (query.subject === 'logs' || query.subject === 'metrics') return reading;
  const callee = query.conditions.find((each) => each.kind === 'callee')?.name;
  // What is written in full is meant: then there are no such requests.
  const services = query.conditions
    .flatMap((each) => (each.kind === 'in' && each.field === 'service' ? each.values : []))
    .filter((name) => !input.text.toLowerCase().includes(name.toLowerCase()));
  const isMeant =
    (callee === undefined || (await haveFields(context, { callee }, query, keys))) &&
    (services.length === 0 || (await haveFields(context, { services }, query, keys)));
  return isMeant ? reading : { kind: 'unread', words: callee === undefined ? services : [callee], values: [] };
}

type FoundValues = ReadonlyMap<string, FoundValue>;

async function draftQuery(
  context: QueryContext,
  query: QuestionQuery,
  dialogue: DialogueContext,
  values: FoundValues,
): Promise<Drafted> {
  return orRefuse(dialogue, async () => {
    const draft = await answerQuestionQuery(context, query);
    const text = values.size === 0 ? draft.text : `${draft.text}\n${describeFoundValues(values)}`;
    return { draft: { ...draft, text }, focus: { slots: describeQuerySubject(query), query } };
  });
}

async function createDraft(
  context: QueryContext,
  understood: Understanding,
  dialogue: DialogueContext,
  { reading, text }: { readonly reading: QueryReading; readonly text: string },
): Promise<Drafted> {
  if (understood.kind !== 'understood')
    return orRefuse(dialogue, async () => {
      const counted =
        understood.kind === 'unknown' || understood.kind === 'unapplied'
          ? await countLogEntries(context, text)
          : undefined;
      return counted === undefined
        ? createFallbackDraft(understood, context, dialogue, reading)
        : { draft: counted, focus: { ...dialogue, isRefused: true } };
    });
  const { intent, slots } = understood;
  return orRefuse(dialogue, async () => {
    const resolved = await resolveDeploymentTime(context, slots);
    if (resolved.draft !== undefined) return { draft: resolved.draft, focus: { intent, slots } };
    const answered = await answerEachSubject(context, findIntent(intent), resolved.slots);
    const draft = appendExclusionNote(appendClippingNote(answered, intent, resolved.slots), intent, resolved.slots);
    return {
      draft: { ...draft, text: `${resolved.note ?? ''}${draft.text}` },
      focus: updateContext(intent, { ...resolved.slots, ...draft.about }, dialogue),
    };
  });
}

type Drafted = { readonly draft: Draft; readonly focus: DialogueContext };

/** The answer, or why the caller may not have it. */
async function orRefuse(dialogue: DialogueContext, answer: () => Promise<Drafted>): Promise<Drafted> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof ToolNotPermitted)
      return { draft: NOT_PERMITTED_DRAFT, focus: { ...dialogue, isRefused: true } };
    if (!(error instanceof SourceBudgetExhausted)) throw error;
    const text =
      'This question needs more lookups than one answer may make. Ask about fewer services, or a shorter time.';
    return {
      draft: { text, followUps: ['Is anything broken?', 'What can you do?'] },
      focus: { ...dialogue, isRefused: true },
    };
  }
}

const NOT_PERMITTED_DRAFT: Draft = {
  text: 'Only Members and Owners of this Grid can read its alert rules and silences, and not with an API key.',
  followUps: ['Are there any alerts?', 'What can you do?'],
};

/** Intents whose time range is not limited to the maximum diagnostics window. */
const UNBOUNDED_INTENTS: readonly IntentName[] = [
  'traces',
  'trace',
  'logs',
  'usage',
  'objectives',
  'silences',
  'errorGroups',
  'guide',
  'meaning',
  'help',
  'greeting',
  'thanks',
];

function appendClippingNote(draft: Draft, intent: IntentName, { time }: Slots): Draft {
  return !isLongerThanMaxWindow(time) || UNBOUNDED_INTENTS.includes(intent)
    ? draft
    : { ...draft, text: `${draft.text}\nI can look at 7 days at a time: what was before them is left out.` };
}

/** Searches of logs say it in their first line. */
function appendExclusionNote(draft: Draft, intent: IntentName, { excluded }: Slots): Draft {
  return excluded === undefined || intent === 'logs'
    ? draft
    : { ...draft, text: `${draft.text}\nLeft out: ${joinWithAnd(excluded)}.` };
}

/** Courtesies do not change the subject. */
function updateContext(intent: IntentName, slots: Slots, dialogue: DialogueContext): DialogueContext {
  return findIntent(intent).isCourtesy === true ||
    intent === 'help' ||
    intent === 'meaning' ||
    intent === 'usage' ||
    intent === 'guide'
    ? dialogue
    : { intent, slots };
}

function selectFollowUps({ followUps }: Draft, { text }: Prompt): Answer['suggestedFollowUps'] {
  const previous = text.trim().toLowerCase();
  return [...new Set(followUps)].filter((followUp) => followUp.toLowerCase() !== previous).slice(0, MAX_FOLLOW_UPS);
}

function findIntent(name: IntentName): Intent {
  return INTENTS.find((intent) => intent.name === name)!;
}

/** Intents that can only search one service; the others answer for several services at once. */
const SINGLE_SERVICE_INTENTS: readonly IntentName[] = ['traces', 'logs'];

/**
 * Answers questions about several subjects ("failed payments and orders", "logs of payment and cart") one by one, as
 * far as energy permits.
 */
export async function answerEachSubject(context: QueryContext, intent: Intent, slots: Slots): Promise<Draft> {
  const [first, ...others] = splitSubjects(intent, slots);
  const drafts = [await intent.answer(context, first)];
  for (const other of others)
    if (context.sourcesLeft >= requiredSources(other)) drafts.push(await intent.answer(context, other));
  if (others.length === 0) return drafts[0];
  const skipped = others.slice(drafts.length - 1).map(subjectName);
  const energyNote =
    skipped.length === 0 ? '' : `\nLookup limit for one answer reached: I did not check ${joinWithAnd(skipped)}.`;
  return {
    text: `${drafts.map(({ text }) => text).join('\n')}${energyNote}`,
    followUps: drafts.flatMap(({ followUps }) => followUps.slice(0, 2)),
  };
}

function splitSubjects({ name }: Intent, slots: Slots): readonly Slots[] {
  const { isBeside, thing, ...plain } = slots;
  const isApart = isBeside === true && thing !== undefined && slots.services.length > 0;
  const named: Slots = isApart ? plain : slots;
  const byName =
    SINGLE_SERVICE_INTENTS.includes(name) &&
    named.services.length > 1 &&
    named.edge === undefined &&
    named.thing === undefined
      ? named.services.map((service) => ({ ...named, services: [service] }))
      : [named];
  return isApart ? [...byName, { ...plain, services: [], thing }] : byName;
}

/** A business entity must be looked up before it can be searched. */
function requiredSources({ thing }: Slots): number {
  return thing === undefined ? 1 : 2;
}

function subjectName({ services: [name], thing = '' }: Slots): string {
  return name ?? quote(thing);
}

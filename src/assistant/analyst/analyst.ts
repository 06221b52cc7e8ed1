import type { Answer, Answerer, Prompt } from '../answerer.js';
import type { ToolQueries } from '../tool.js';
import { type DialogueContext, parseDialogueContext } from './understanding/dialogue-context.js';
import { createQueryContext, type QueryContext, SourceBudgetExhausted } from './query-context.js';
import type { Draft, Intent, IntentName } from './intents/intent.js';
import { INTENTS } from './intents/intent-registry.js';
import { createFallbackDraft } from './fallback-answers.js';
import type { Slots, TimeReference } from './understanding/slots.js';
import { type Understanding, understandQuestion } from './understanding/question-understanding.js';
import { loadVocabulary } from './entities/entity-vocabulary.js';
import { formatClock, isLongerThanMaxWindow, lastMinutes, toRangeArguments } from './time/window-resolver.js';
import { escapeMarkup, joinWithAnd, quote } from './answers/answer-formatting.js';
import type { Change } from '../../diagnostics/diagnostic-results.js';
import { getDeploymentCorrelation } from '../tools/diagnostic-tools.js';
import type { IsoTimestamped } from '../tools/result-serialization.js';

const MAX_FOLLOW_UPS = 4;

/**
 * Answers without any outside service: a question is understood by its words, answered by the tools that it needs, and told
 * in sentences whose figures are those of the tools. What it does not understand it says.
 */
export function createAnalyst(queries: ToolQueries): Answerer {
  return {
    async answer(prompt, signal) {
      const { gridId, userId, nowMs, mostSources, text } = prompt;
      signal.throwIfAborted();
      const vocabulary = await loadVocabulary(queries, gridId);
      const focus = parseDialogueContext(prompt.turns.at(-1)?.focus);
      const inquiry = createQueryContext({ queries, gridId, userId, nowMs }, vocabulary, mostSources, signal);
      const understood = understandQuestion(INTENTS, { text, focus, vocabulary, nowMs });
      const { draft, focus: next } = await createDraft(inquiry, understood, focus);
      return {
        response: escapeMarkup(draft.text),
        sources: inquiry.sources,
        suggestedFollowUps: selectFollowUps(draft, prompt),
        focus: { ...next },
      };
    },
  };
}

async function createDraft(
  inquiry: QueryContext,
  understood: Understanding,
  focus: DialogueContext,
): Promise<{ readonly draft: Draft; readonly focus: DialogueContext }> {
  if (understood.kind !== 'understood') return createFallbackDraft(understood, inquiry, focus);
  const { intent, slots } = understood;
  try {
    const resolved = await resolveDeploymentTime(inquiry, slots);
    if (resolved.draft !== undefined) return { draft: resolved.draft, focus: { intent, slots } };
    const draft = appendClippingNote(
      await answerEachSubject(inquiry, findIntent(intent), resolved.slots),
      intent,
      resolved.slots,
    );
    return {
      draft: { ...draft, text: `${resolved.note ?? ''}${draft.text}` },
      focus: updateContext(intent, { ...resolved.slots, ...draft.about }, focus),
    };
  } catch (error) {
    if (!(error instanceof SourceBudgetExhausted)) throw error;
    const text =
      'Your energy does not pay for the data sources that this question needs. It comes back with time; ask again later.';
    return { draft: { text, followUps: ['What can you do?', 'What does energy mean?'] }, focus };
  }
}

/** Searches and sums of days go back as far as there is data. */
const UNBOUNDED_INTENTS: readonly IntentName[] = [
  'traces',
  'trace',
  'logs',
  'usage',
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

/** Courtesy changes no subject. */
function updateContext(intent: IntentName, slots: Slots, focus: DialogueContext): DialogueContext {
  return findIntent(intent).isCourtesy === true || intent === 'help' || intent === 'meaning' || intent === 'usage'
    ? focus
    : { intent, slots };
}

function selectFollowUps({ followUps }: Draft, { text }: Prompt): Answer['suggestedFollowUps'] {
  const asked = text.trim().toLowerCase();
  return [...new Set(followUps)].filter((followUp) => followUp.toLowerCase() !== asked).slice(0, MAX_FOLLOW_UPS);
}

function findIntent(name: IntentName): Intent {
  return INTENTS.find((intent) => intent.name === name)!;
}

/** How far back deployments are looked for: as far as diagnostics go. */
const WEEK_MINUTES = 7 * 24 * 60;

const MINUTE_MS = 60_000;

/** "Since the deployment" as a time: the newest deployment of the services in question, else of any, which `note` says. `draft` where there was none. */
export async function resolveDeploymentTime(
  inquiry: QueryContext,
  slots: Slots,
): Promise<{ readonly slots: Slots; readonly draft?: Draft; readonly note?: string }> {
  const { time, services } = slots;
  if (time?.kind !== 'deployment') return { slots };
  const { answer } = await inquiry.callTool(
    getDeploymentCorrelation,
    toRangeArguments(lastMinutes(WEEK_MINUTES, inquiry.nowMs)),
  );
  const deployments = answer.filter(({ type }) => type === 'deployment');
  const own = findNewest(
    deployments.filter(({ serviceName }) => services.length === 0 || services.includes(serviceName)),
  );
  const newest = own ?? findNewest(deployments);
  if (newest === undefined)
    return {
      slots,
      draft: {
        text: 'I know of no deployment in the last 7 days.',
        followUps: ['What changed in the last hour?', 'Is anything broken?'],
      },
    };
  const atMs = Date.parse(newest.detectedAt);
  const note =
    own === undefined
      ? `${joinWithAnd(services)} had no deployment in the last 7 days, so this is about that of ${newest.serviceName} at ${formatClock(atMs, inquiry.nowMs)}.\n`
      : '';
  return { slots: { ...slots, time: toTimeReference(time, atMs, inquiry.nowMs) }, note };
}

/** A stretch after it begins with its minute, as windows of diagnostics do: else it would be a minute longer. */
function toTimeReference(
  { side, lengthMs }: Extract<TimeReference, { kind: 'deployment' }>,
  atMs: number,
  nowMs: number,
): TimeReference {
  if (side === 'before') return { kind: 'moment', atMs, side };
  if (lengthMs === undefined) return { kind: 'range', fromMs: atMs, toMs: nowMs };
  const fromMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
  return { kind: 'range', fromMs, toMs: Math.min(fromMs + lengthMs, nowMs) };
}

function findNewest(changes: readonly IsoTimestamped<Change>[]): IsoTimestamped<Change> | undefined {
  return changes.reduce<IsoTimestamped<Change> | undefined>(
    (newest, change) =>
      newest === undefined || Date.parse(change.detectedAt) > Date.parse(newest.detectedAt) ? change : newest,
    undefined,
  );
}

/** Searches are of one service: others tell of several side by side. */
const SINGLE_SERVICE_INTENTS: readonly IntentName[] = ['traces', 'logs'];

/** "Failed payments and orders", "logs of payment and cart": what is said of several is answered for each of them, as far as energy pays for it. */
export async function answerEachSubject(inquiry: QueryContext, intent: Intent, slots: Slots): Promise<Draft> {
  const [first, ...others] = splitSubjects(intent, slots);
  const drafts = [await intent.answer(inquiry, first)];
  for (const other of others)
    if (inquiry.left >= requiredSources(other)) drafts.push(await intent.answer(inquiry, other));
  if (others.length === 0) return drafts[0];
  const left = others.slice(drafts.length - 1).map(subjectName);
  const unpaid = left.length === 0 ? '' : `\nThe energy that is left does not pay for looking at ${joinWithAnd(left)}.`;
  return {
    text: `${drafts.map(({ text }) => text).join('\n')}${unpaid}`,
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

/** A thing has to be found before it is searched. */
function requiredSources({ thing }: Slots): number {
  return thing === undefined ? 1 : 2;
}

function subjectName({ services: [name], thing = '' }: Slots): string {
  return name ?? quote(thing);
}

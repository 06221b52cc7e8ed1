import { hasCode } from '../../errors.js';
import type { Logger } from '../../self-telemetry/logger.js';
import type { Answer, Answerer, Prompt } from '../answerer.js';
import { createExternalTool, type ExternalTool } from '../external-tool.js';
import { runWithTimeout } from '../abortable-timeout.js';
import { truncateText } from '../json-truncation.js';
import type { Tool, ToolQueries } from '../tool.js';
import { buildConversation, createCorrectionMessage, parseFinalText } from './model-messages.js';
import { ModelError, type LanguageModel, type ChatMessage, type ModelFault, type ToolCall } from './language-model.js';
import { tryParseJson, ToolCallSession } from './tool-call-session.js';
import { findUngroundedFigures } from './figure-grounding.js';

export interface ModelAnswererDependencies {
  readonly model: LanguageModel;
  readonly tools: readonly Tool[];
  readonly queries: ToolQueries;
  /** Answers where the model does not: the built-in analyst. */
  readonly fallback: Answerer;
  /** Questions to go on with where the model names none. */
  readonly suggestions: readonly string[];
  readonly log: Pick<Logger, 'warn'>;
  /** How long the model may take for an answer; the rest of a caller's patience is the fallback's. 40 s unless said otherwise. */
  readonly mostMs?: number;
}

/** Messages of the model in one answer. */
const MAX_STEPS = 8;
/** Calls in one message; others are not heard. */
const MAX_CALLS = 16;
/** Of what the model wrote, characters that it sees again. */
const MAX_REPEATED_LENGTH = 8_192;
const MAX_MS = 40_000;

/** What the caller is told where the model was of no use. */
const FALLBACK_NOTICES: Readonly<Record<ModelFault, string>> = {
  unreachable: 'The language model could not be reached, so the built-in analyst answered.',
  refused: 'The language model could not be used, so the built-in analyst answered.',
  malformed: 'The language model gave no usable answer, so the built-in analyst answered.',
  slow: 'The language model did not answer in time, so the built-in analyst answered.',
  unfounded: 'The language model named figures that no query gave, so the built-in analyst answered.',
};

/**
 * Answers by a language model that calls tools. The model sees what tools answer and changes nothing: its words are checked
 * before anybody reads them, and where they are of no use the fallback answers and says so.
 */
export function createModelAnswerer({ tools, ...parts }: ModelAnswererDependencies): Answerer {
  const offered = tools.map(createExternalTool);
  return {
    async answer(prompt, signal) {
      // A model that may ask nothing could only guess.
      if (prompt.mostSources === 0) return parts.fallback.answer(prompt, signal);
      try {
        return await runWithTimeout(signal, parts.mostMs ?? MAX_MS, (awaited) =>
          answerByModel({ ...parts, offered }, prompt, awaited),
        );
      } catch (error) {
        signal.throwIfAborted();
        const fault = error instanceof ModelError ? error.fault : hasCode(error, 'unavailable') ? 'slow' : 'malformed';
        parts.log.warn('the language model did not answer', { fault, error });
        return appendNotice(await parts.fallback.answer(prompt, signal), FALLBACK_NOTICES[fault]);
      }
    },
  };
}

type AnswerDependencies = Omit<ModelAnswererDependencies, 'tools'> & { readonly offered: readonly ExternalTool[] };

async function answerByModel(parts: AnswerDependencies, prompt: Prompt, signal: AbortSignal): Promise<Answer> {
  const { queries, offered, log, suggestions } = parts;
  const { gridId, userId, nowMs, mostSources, turns } = prompt;
  const use = new ToolCallSession({ tools: offered, context: { queries, gridId, userId, nowMs }, mostSources, log });
  const said = parseFinalText(await converse(parts, prompt, use, signal));
  return {
    response: said.response,
    sources: use.sources,
    suggestedFollowUps: said.followUps.length > 0 ? said.followUps : suggestions,
    // What the analyst understood last is still what a question of few words is about, should he be asked next.
    focus: turns.at(-1)?.focus ?? {},
  };
}

/** The model's answer, once it is one: with words, and without figures of its own. */
async function converse(
  { model, offered }: AnswerDependencies,
  prompt: Prompt,
  use: ToolCallSession,
  signal: AbortSignal,
): Promise<string> {
  const messages = buildConversation(prompt);
  const given = [
    prompt.text,
    new Date(prompt.nowMs).toISOString(),
    ...prompt.turns.flatMap((turn) => [turn.prompt, turn.response]),
  ];
  let mayCorrect = true;
  for (let step = 1; step <= MAX_STEPS; step++) {
    const mayCall = step < MAX_STEPS && !use.isUsedUp;
    const { text, calls } = await model.complete({ messages, tools: offered, mayCall }, signal);
    if (calls.length > 0 && mayCall) {
      await answerCalls(messages, text, calls, use, signal);
      continue;
    }
    const unfounded = findUngroundedFigures(parseFinalText(text).response, [...given, ...use.evidence]);
    if (unfounded.length === 0) return requireResponse(text);
    if (!mayCorrect) throw new ModelError('unfounded', 'The model named figures that no query gave, twice');
    mayCorrect = false;
    messages.push(
      { role: 'assistant', text: truncateText(text, MAX_REPEATED_LENGTH), calls: [] },
      createCorrectionMessage(unfounded),
    );
  }
  throw new ModelError('malformed', `The model came to no end in ${MAX_STEPS} steps`);
}

function requireResponse(text: string): string {
  if (parseFinalText(text).response === '') throw new ModelError('malformed', 'The model said nothing');
  return text;
}

/** One after the other: what is left for the later ones depends on the earlier. */
async function answerCalls(
  messages: ChatMessage[],
  text: string,
  calls: readonly ToolCall[],
  use: ToolCallSession,
  signal: AbortSignal,
): Promise<void> {
  const heard = calls.slice(0, MAX_CALLS).map((call, at) => ({ call, id: `call_${messages.length}_${at}` }));
  messages.push({
    role: 'assistant',
    text: truncateText(text, MAX_REPEATED_LENGTH),
    calls: heard.map(({ call, id }) => sanitizeToolCall(call, id)),
  });
  for (const { call, id } of heard) {
    signal.throwIfAborted();
    messages.push({ role: 'tool', callId: id, text: await use.call(call) });
  }
}

/** As endpoints take calls back: many refuse ids and names of other forms, and arguments that are no JSON. */
function sanitizeToolCall({ name, arguments: given }: ToolCall, id: string): ToolCall {
  const isJson = given.length <= MAX_REPEATED_LENGTH && tryParseJson(given) !== undefined && given.trim() !== '';
  return { id, name: /^[\w-]{1,64}$/.test(name) ? name : 'unknown', arguments: isJson ? given : '{}' };
}

function appendNotice(answer: Answer, excuse: string): Answer {
  return { ...answer, response: `${answer.response}\n\n${excuse}` };
}

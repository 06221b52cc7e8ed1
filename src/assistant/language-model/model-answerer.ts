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
  /** Answers if the model cannot: the built-in analyst. */
  readonly fallback: Answerer;
  /** Follow-up questions to use if the model suggests none. */
  readonly suggestions: readonly string[];
  readonly log: Pick<Logger, 'warn'>;
  /**
   * Time limit of the model per answer in ms; the rest of the caller's time limit is left to the fallback. Default 40
   * s.
   */
  readonly timeoutMs?: number;
}

/** Maximum number of model messages per answer. */
const MAX_STEPS = 8;
/** Maximum number of calls per message; further ones are ignored. */
const MAX_CALLS = 16;
/** Maximum number of characters of the model's own output that are sent back to it. */
const MAX_REPEATED_LENGTH = 8_192;
const MAX_MS = 40_000;

/** Notices to users when the fallback answers. */
const FALLBACK_NOTICES: Readonly<Record<ModelFault, string>> = {
  unreachable: 'The language model could not be reached, so the built-in analyst answered.',
  refused: 'The language model could not be used, so the built-in analyst answered.',
  malformed: 'The language model gave no usable answer, so the built-in analyst answered.',
  slow: 'The language model did not answer in time, so the built-in analyst answered.',
  unfounded: 'The language model stated figures that no query returned, so the built-in analyst answered.',
};

/**
 * Answers with a language model that calls read-only tools. The model's output is checked before users see it; if it
 * is unusable, the fallback answers and says so.
 */
export function createModelAnswerer({ tools, ...dependencies }: ModelAnswererDependencies): Answerer {
  const externalTools = tools.map(createExternalTool);
  return {
    async answer(prompt, signal) {
      // Without data sources the model could only guess.
      if (prompt.maxSources === 0) return dependencies.fallback.answer(prompt, signal);
      try {
        return await runWithTimeout(signal, dependencies.timeoutMs ?? MAX_MS, (workSignal) =>
          answerByModel({ ...dependencies, externalTools }, prompt, workSignal),
        );
      } catch (error) {
        signal.throwIfAborted();
        const fault = error instanceof ModelError ? error.fault : hasCode(error, 'unavailable') ? 'slow' : 'malformed';
        dependencies.log.warn('The language model gave no usable answer; the built-in analyst answers instead', {
          fault,
          error,
        });
        return appendNotice(await dependencies.fallback.answer(prompt, signal), FALLBACK_NOTICES[fault]);
      }
    },
  };
}

type AnswerDependencies = Omit<ModelAnswererDependencies, 'tools'> & {
  readonly externalTools: readonly ExternalTool[];
};

async function answerByModel(dependencies: AnswerDependencies, prompt: Prompt, signal: AbortSignal): Promise<Answer> {
  const { queries, externalTools, log, suggestions } = dependencies;
  const { gridId, userId, mayAdminister, nowMs, maxSources, turns } = prompt;
  const session = new ToolCallSession({
    tools: externalTools,
    context: { queries, gridId, userId, mayAdminister, nowMs },
    maxSources,
    log,
  });
  const final = parseFinalText(await converse(dependencies, prompt, session, signal));
  return {
    response: final.response,
    sources: session.sources,
    queries: session.queries,
    energy: 1 + session.sources.length,
    suggestedFollowUps: final.followUps.length > 0 ? final.followUps : suggestions,
    // Keeps the context of the analyst's last answer, in case it answers a short follow-up question.
    focus: turns.at(-1)?.focus ?? {},
  };
}

/** Runs the dialogue until the model gives an answer that has text and only supported figures. */
async function converse(
  { model, externalTools }: AnswerDependencies,
  prompt: Prompt,
  session: ToolCallSession,
  signal: AbortSignal,
): Promise<string> {
  const messages = buildConversation(prompt);
  const promptEvidence = [
    prompt.text,
    new Date(prompt.nowMs).toISOString(),
    ...prompt.turns.flatMap((turn) => [turn.prompt, turn.response]),
  ];
  let mayCorrect = true;
  for (let step = 1; step <= MAX_STEPS; step++) {
    const mayCall = step < MAX_STEPS && !session.isUsedUp;
    const { text, calls } = await model.complete({ messages, tools: externalTools, mayCall }, signal);
    if (calls.length > 0 && mayCall) {
      await answerCalls(messages, text, calls, session, signal);
      continue;
    }
    const unfounded = findUngroundedFigures(parseFinalText(text).response, [...promptEvidence, ...session.evidence]);
    if (unfounded.length === 0) return requireResponse(text);
    if (!mayCorrect) throw new ModelError('unfounded', 'The model stated figures that no query returned, twice');
    mayCorrect = false;
    messages.push(
      { role: 'assistant', text: truncateText(text, MAX_REPEATED_LENGTH), calls: [] },
      createCorrectionMessage(unfounded),
    );
  }
  throw new ModelError('malformed', `The model did not finish within ${MAX_STEPS} steps`);
}

function requireResponse(text: string): string {
  if (parseFinalText(text).response === '') throw new ModelError('malformed', 'The model returned no text');
  return text;
}

/** Sequential, because the remaining budget of later calls depends on earlier ones. */
async function answerCalls(
  messages: ChatMessage[],
  text: string,
  calls: readonly ToolCall[],
  session: ToolCallSession,
  signal: AbortSignal,
): Promise<void> {
  const acceptedCalls = calls.slice(0, MAX_CALLS).map((call, at) => ({ call, id: `call_${messages.length}_${at}` }));
  messages.push({
    role: 'assistant',
    text: truncateText(text, MAX_REPEATED_LENGTH),
    calls: acceptedCalls.map(({ call, id }) => sanitizeToolCall(call, id)),
  });
  for (const { call, id } of acceptedCalls) {
    signal.throwIfAborted();
    messages.push({ role: 'tool', callId: id, text: await session.call(call) });
  }
}

/**
 * Normalizes calls before sending them back: many endpoints reject unusual ids and names, and arguments that are not
 * JSON.
 */
function sanitizeToolCall({ name, arguments: json }: ToolCall, id: string): ToolCall {
  const isJson = json.length <= MAX_REPEATED_LENGTH && tryParseJson(json) !== undefined && json.trim() !== '';
  return { id, name: /^[\w-]{1,64}$/.test(name) ? name : 'unknown', arguments: isJson ? json : '{}' };
}

function appendNotice(answer: Answer, notice: string): Answer {
  return { ...answer, response: `${answer.response}\n\n${notice}` };
}

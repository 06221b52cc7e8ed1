import type { AssistantCommands } from '../commands/assistant-commands.js';
import type { TelemetryQueries } from '../queries/answers.js';
import type { UsageQueries } from '../queries/assistant/questions.js';
import type { Logger } from '../log.js';
import type { Answerer } from './answer.js';
import type { Assistant, Reply, Seat } from './assistant.js';
import { withinTime } from './patience.js';
import { refundedOnFailure } from './refund.js';
import { createSpeechUse } from './speech-use.js';
import type { Speech } from './speech/speech.js';

export interface AssistantParts {
  readonly commands: AssistantCommands;
  readonly usage: Pick<UsageQueries, 'limits' | 'speechSecondsThisMonth'>;
  /** Knows the names that people may speak of. */
  readonly telemetry: Pick<TelemetryQueries, 'traceFilterOptions'>;
  readonly answerer: Answerer;
  readonly speech: Speech;
  /** Told what went wrong; never what was asked or answered. */
  readonly log: Pick<Logger, 'warn'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How long an answer may take; below the two minutes after which what it reserved lapses. 90 s unless said otherwise. */
  readonly mostMs?: number;
}

const MOST_MS = 90_000;

/** Puts accounts around answers and speech: nothing is charged for what is refused, fails, or is not waited for. */
export function createAssistant(parts: AssistantParts): Assistant {
  return {
    chat: (seat, prompt, conversationId, signal) => chat(parts, seat, { text: prompt, conversationId }, signal),
    ...createSpeechUse({ mostMs: MOST_MS, ...parts }),
  };
}

interface Asked {
  readonly text: string;
  readonly conversationId: string | undefined;
}

async function chat(parts: AssistantParts, seat: Seat, asked: Asked, signal: AbortSignal | undefined): Promise<Reply> {
  const { commands, usage, log } = parts;
  const { userId, gridId } = seat;
  const { dailyPromptLimit } = await usage.limits(gridId);
  const { promptId, energy } = await commands.reservePrompt(userId, gridId, dailyPromptLimit);
  return refundedOnFailure(log, () => commands.refundPrompt(userId, promptId), async () => {
    const { answer, conversationId, nowMs } = await answerTo(parts, seat, asked, energy - 1, signal);
    const { response, focus, sources, suggestedFollowUps } = answer;
    const energyConsumed = Math.min(1 + sources.length, energy);
    // In this order: what is settled cannot be refunded, so nothing that may fail comes after it.
    await commands.recordTurn(userId, gridId, conversationId, { prompt: asked.text, response, focus, at: nowMs });
    await commands.settlePrompt(userId, promptId, energyConsumed);
    return { response, conversationId, sources, suggestedFollowUps, energyConsumed };
  });
}

/** The answer as long as somebody waits for it; what follows is accounts, and done to its end. */
function answerTo({ commands, answerer, now, mostMs = MOST_MS }: AssistantParts, seat: Seat, { text, conversationId }: Asked, mostSources: number, signal: AbortSignal | undefined) {
  const { userId, gridId, instanceId } = seat;
  return withinTime(signal, mostMs, async (awaited) => {
    await commands.useSession(userId, gridId, instanceId);
    const conversation = await commands.recall(userId, gridId, conversationId);
    const nowMs = now();
    const answer = await answerer.answer({ text, gridId, userId, turns: conversation.turns, nowMs, mostSources }, awaited);
    return { answer, conversationId: conversation.conversationId, nowMs };
  });
}

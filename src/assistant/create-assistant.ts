import type { AssistantCommands } from '../commands/assistant/assistant-commands.js';
import type { TelemetryQueries } from '../queries/telemetry/telemetry-query-types.js';
import type { UsageQueries } from '../queries/usage/usage-query-types.js';
import type { Logger } from '../self-telemetry/logger.js';
import type { Answerer } from './answerer.js';
import type { Assistant, AssistantCaller, AssistantReply } from './assistant.js';
import { runWithTimeout } from './abortable-timeout.js';
import type { PcmAudio, SpeechEngines } from './speech/speech-engines.js';
import { startOfNextMonth } from '../accounting/utc-calendar.js';
import { HindsightError } from '../errors.js';
import { transcribe } from './speech/transcription.js';

export interface AssistantDependencies {
  readonly commands: AssistantCommands;
  readonly usage: Pick<UsageQueries, 'limits' | 'speechSecondsThisMonth'>;
  /** Knows the names that people may speak of. */
  readonly telemetry: Pick<TelemetryQueries, 'traceFilterOptions'>;
  readonly answerer: Answerer;
  readonly speech: SpeechEngines;
  /** Told what went wrong; never what was asked or answered. */
  readonly log: Pick<Logger, 'warn'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** How long an answer may take; below the two minutes after which what it reserved lapses. 90 s unless said otherwise. */
  readonly mostMs?: number;
}

const MAX_ANSWER_MS = 90_000;

/** Puts accounts around answers and speech: nothing is charged for what is refused, fails, or is not waited for. */
export function createAssistant(parts: AssistantDependencies): Assistant {
  return {
    chat: (seat, prompt, conversationId, signal) => chat(parts, seat, { text: prompt, conversationId }, signal),
    ...createMeteredSpeech({ mostMs: MAX_ANSWER_MS, ...parts }),
  };
}

interface ChatQuestion {
  readonly text: string;
  readonly conversationId: string | undefined;
}

async function chat(
  parts: AssistantDependencies,
  seat: AssistantCaller,
  asked: ChatQuestion,
  signal: AbortSignal | undefined,
): Promise<AssistantReply> {
  const { commands, usage, log } = parts;
  const { userId, gridId } = seat;
  const { dailyPromptLimit } = await usage.limits(gridId);
  const { promptId, energy } = await commands.reservePrompt(userId, gridId, dailyPromptLimit);
  return runWithRefund(
    log,
    () => commands.refundPrompt(userId, promptId),
    async () => {
      const { answer, conversationId, nowMs } = await answerQuestion(parts, seat, asked, energy - 1, signal);
      const { response, focus, sources, suggestedFollowUps } = answer;
      const energyConsumed = Math.min(1 + sources.length, energy);
      // In this order: what is settled cannot be refunded, so nothing that may fail comes after it.
      await commands.recordTurn(userId, gridId, conversationId, { prompt: asked.text, response, focus, at: nowMs });
      await commands.settlePrompt(userId, promptId, energyConsumed);
      return { response, conversationId, sources, suggestedFollowUps, energyConsumed };
    },
  );
}

/** The answer as long as somebody waits for it; what follows is accounts, and done to its end. */
function answerQuestion(
  { commands, answerer, now, mostMs = MAX_ANSWER_MS }: AssistantDependencies,
  seat: AssistantCaller,
  { text, conversationId }: ChatQuestion,
  mostSources: number,
  signal: AbortSignal | undefined,
) {
  const { userId, gridId, instanceId } = seat;
  return runWithTimeout(signal, mostMs, async (awaited) => {
    await commands.useSession(userId, gridId, instanceId);
    const conversation = await commands.recall(userId, gridId, conversationId);
    const nowMs = now();
    const answer = await answerer.answer(
      { text, gridId, userId, turns: conversation.turns, nowMs, mostSources },
      awaited,
    );
    return { answer, conversationId: conversation.conversationId, nowMs };
  });
}

/**
 * Does the work, and gives back what was reserved for it where it fails. The failure of the work is what the caller is told;
 * where giving back fails too, the reservation lapses by itself.
 */
async function runWithRefund<T>(
  log: Pick<Logger, 'warn'>,
  refund: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (failure) {
    await refund().catch((error: unknown) =>
      log.warn('a reservation of the assistant could not be refunded: it lapses', { error }),
    );
    throw failure;
  }
}

/** An answerer that is loaded with the first question: what understands people takes a while that no start should wait for. */
export function createLazyAnswerer(load: () => Promise<Answerer>): Answerer {
  let loaded: Promise<Answerer> | undefined;
  return { answer: async (prompt, signal) => (await (loaded ??= load())).answer(prompt, signal) };
}

type MeteredSpeechDependencies = Pick<
  AssistantDependencies,
  'commands' | 'usage' | 'telemetry' | 'speech' | 'log' | 'now'
> & { readonly mostMs: number };

/** Names that a recogniser has to know at most: services first, they are spoken of most. */
const MAX_NAMES = 300;

/** Speech, and what it costs: the length of the audio, to the millisecond. */
function createMeteredSpeech(parts: MeteredSpeechDependencies): Pick<Assistant, 'voices' | 'synthesize' | 'recognize'> {
  const { commands, speech, mostMs } = parts;
  return {
    voices: () => speech.synthesizer.voices(),
    async synthesize(seat, text, voice, speed, signal) {
      await commands.useSession(seat.userId, seat.gridId, seat.instanceId);
      const minutes = await requireSpeechMinutes(parts, seat);
      // How long it is going to be nobody knows before it is spoken. What does not fit then is refused whole.
      const sound = await runWithTimeout(signal, mostMs, (awaited) =>
        speech.synthesizer.synthesize(text, voice, speed, awaited),
      );
      return chargeSpeech(parts, seat, 'synthesis', durationSeconds(sound), minutes, async () => sound);
    },
    async recognize(seat, audio, signal) {
      await commands.useSession(seat.userId, seat.gridId, seat.instanceId);
      const minutes = await requireSpeechMinutes(parts, seat);
      const sound = await runWithTimeout(signal, mostMs, (awaited) => speech.decoder.decode(audio, awaited));
      const seconds = durationSeconds(sound);
      const recognition = await chargeSpeech(parts, seat, 'recognition', seconds, minutes, () =>
        runWithTimeout(signal, mostMs, (awaited) => transcribeRecording(parts, seat, sound, awaited)),
      );
      return { ...recognition, durationMs: Math.round(1000 * seconds) };
    },
  };
}

/** The limit of the Grid. Where nothing of it is left no work begins: `speech-minutes-exceeded`. */
async function requireSpeechMinutes(
  { usage, now }: MeteredSpeechDependencies,
  { gridId }: AssistantCaller,
): Promise<number> {
  const nowMs = now();
  const [{ monthlySpeechMinutes }, usedSeconds] = await Promise.all([
    usage.limits(gridId),
    usage.speechSecondsThisMonth(gridId, nowMs),
  ]);
  if (usedSeconds < 60 * monthlySpeechMinutes) return monthlySpeechMinutes;
  throw new HindsightError(
    'speech-minutes-exceeded',
    'The speech minutes of this Grid are used up in this month.',
    [],
    { retryAtMs: startOfNextMonth(nowMs) },
  );
}

async function chargeSpeech<T>(
  { commands, log }: MeteredSpeechDependencies,
  { userId, gridId }: AssistantCaller,
  kind: 'synthesis' | 'recognition',
  seconds: number,
  minutes: number,
  work: () => Promise<T>,
): Promise<T> {
  const { speechId } = await commands.reserveSpeech(userId, gridId, kind, seconds, minutes);
  return runWithRefund(
    log,
    () => commands.refundSpeech(gridId, speechId),
    async () => {
      const result = await work();
      await commands.settleSpeech(gridId, speechId);
      return result;
    },
  );
}

async function transcribeRecording(
  { telemetry, speech }: MeteredSpeechDependencies,
  { gridId }: AssistantCaller,
  sound: PcmAudio,
  awaited: AbortSignal,
) {
  const { serviceNames, operationNames } = await telemetry.traceFilterOptions(gridId);
  const names = [...new Set([...serviceNames, ...operationNames])].slice(0, MAX_NAMES);
  return transcribe(speech.recognizer, sound, names, awaited);
}

function durationSeconds({ samples, sampleRate }: PcmAudio): number {
  return samples.length / sampleRate;
}

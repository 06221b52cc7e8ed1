import type { AssistantCommands } from '../commands/assistant/assistant-commands.js';
import type { TelemetryQueries } from '../queries/telemetry/telemetry-query-types.js';
import type { UsageQueries } from '../queries/usage/usage-query-types.js';
import type { Logger } from '../self-telemetry/logger.js';
import type { Answerer } from './answerer.js';
import type { Assistant, AssistantCaller, AssistantReply } from './assistant.js';
import { appendQueries } from './api-query.js';
import { runWithTimeout } from './abortable-timeout.js';
import type { PcmAudio, Recognizer, SpeechEngines } from './speech/speech-engines.js';
import { startOfNextMonth } from '../accounting/utc-calendar.js';
import { HindsightError } from '../errors.js';
import { transcribe } from './speech/transcription.js';
import { FairExecutor } from '../scheduling/fair-executor.js';

/** Finds the user who created a Grid; resolves to the id of the Grid itself if unknown. */
export type FindGridOwner = (gridId: string) => Promise<string>;

/** Answers at the same time: of all owners, of one, of one Grid. Most of their time they wait for queries or for a model. */
const ANSWER_LIMITS = { slots: 64, slotsPerOwner: 32, slotsPerGrid: 24, maxWaiting: 256 };
/** Speech keeps a processor busy; its engines run two tasks of a kind at the same time. */
const SPEECH_LIMITS = { slots: 2, maxWaiting: 32 };

/** Longest wait for a turn (ms). */
const MAX_WAIT_MS = 20_000;

/**
 * The turns of the assistant's own work, by owner, then by Grid, charged by the time that it took: whatever one
 * owner asks for, others wait for at most the end of one task. The queries that answers need take their own turns.
 */
export class AssistantTurns {
  private readonly answers = new FairExecutor(ANSWER_LIMITS);
  private readonly speech = new FairExecutor(SPEECH_LIMITS);

  constructor(private readonly findOwner: FindGridOwner) {}

  /**
   * Runs `work` in its turn. Rejects with `overloaded` or `unavailable` if there is none, with the reason of `signal` if that
   * is aborted before the turn, and as `work` does.
   */
  answer<T>(gridId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.run(this.answers, gridId, signal, work);
  }

  /** The same for one step of speech: synthesis, decoding, or recognition of one segment of at most 15 s. */
  processSpeech<T>(gridId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.run(this.speech, gridId, signal, work);
  }

  private async run<T>(
    executor: FairExecutor,
    gridId: string,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    const share = { ownerId: await this.findOwner(gridId), gridId };
    const runCharged = async (): Promise<{ result: T; costMs: number }> => {
      signal.throwIfAborted();
      const startedAt = performance.now();
      return { result: await work(), costMs: performance.now() - startedAt };
    };
    return executor.run(share, runCharged, MAX_WAIT_MS, signal);
  }
}

export interface AssistantDependencies {
  readonly commands: AssistantCommands;
  readonly usage: Pick<UsageQueries, 'limits' | 'speechSecondsThisMonth'>;
  /** Provides the names that questions may contain. */
  readonly telemetry: Pick<TelemetryQueries, 'traceFilterOptions'>;
  readonly answerer: Answerer;
  readonly speech: SpeechEngines;
  readonly scheduler: AssistantTurns;
  /** Receives failures; never the text of questions or answers. */
  readonly log: Pick<Logger, 'warn'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Time limit of an answer in ms; less than the two minutes after which reservations expire. Default 90 s. */
  readonly timeoutMs?: number;
}

const MAX_ANSWER_MS = 90_000;

/** Adds metering to answers and speech: nothing is charged for work that is rejected, fails or is cancelled. */
export function createAssistant(dependencies: AssistantDependencies): Assistant {
  return {
    chat: (caller, prompt, conversationId, signal) =>
      chat(dependencies, caller, { text: prompt, conversationId }, signal),
    ...createMeteredSpeech({ timeoutMs: MAX_ANSWER_MS, ...dependencies }),
  };
}

interface ChatQuestion {
  readonly text: string;
  readonly conversationId: string | undefined;
}

async function chat(
  dependencies: AssistantDependencies,
  caller: AssistantCaller,
  question: ChatQuestion,
  signal: AbortSignal | undefined,
): Promise<AssistantReply> {
  const { commands, usage, log } = dependencies;
  const { userId, accountId, gridId } = caller;
  const { dailyPromptLimit } = await usage.limits(gridId);
  const { promptId, energy } = await commands.reservePrompt(accountId, gridId, dailyPromptLimit);
  return runWithRefund(
    log,
    () => commands.refundPrompt(accountId, promptId),
    async () => {
      const { answer, conversationId, nowMs } = await answerQuestion(
        dependencies,
        caller,
        question,
        energy - 1,
        signal,
      );
      const { response, focus, sources, queries, suggestedFollowUps } = answer;
      const energyConsumed = Math.min(answer.energy, energy);
      // Settling must be last: a settled prompt cannot be refunded, so nothing that may fail follows it.
      await commands.recordTurn(userId, gridId, conversationId, { prompt: question.text, response, focus, at: nowMs });
      await commands.settlePrompt(accountId, promptId, energyConsumed);
      return {
        response: appendQueries(response, queries),
        conversationId,
        sources,
        suggestedFollowUps,
        energyConsumed,
      };
    },
  );
}

/** Only the answer itself is cancelled with the client's request; the accounting that follows is always completed. */
function answerQuestion(
  { commands, answerer, scheduler, now, timeoutMs = MAX_ANSWER_MS }: AssistantDependencies,
  caller: AssistantCaller,
  { text, conversationId }: ChatQuestion,
  maxSources: number,
  signal: AbortSignal | undefined,
) {
  const { userId, accountId, gridId, instanceId, mayAdminister } = caller;
  return runWithTimeout(signal, timeoutMs, async (workSignal) => {
    await commands.useSession(userId, gridId, instanceId);
    const conversation = await commands.loadConversation(userId, gridId, conversationId);
    const nowMs = now();
    const prompt = { text, gridId, userId: accountId, mayAdminister, turns: conversation.turns, nowMs, maxSources };
    const answer = await scheduler.answer(gridId, workSignal, () => answerer.answer(prompt, workSignal));
    return { answer, conversationId: conversation.conversationId, nowMs };
  });
}

/**
 * Runs the work, and refunds its reservation if it fails. The caller gets the error of the work; if the refund fails
 * too, the reservation expires by itself.
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
      log.warn('Cannot refund a reservation of the assistant; it expires by itself', { error }),
    );
    throw failure;
  }
}

/**
 * Loads the answerer with the first question, because loading language parsing would slow down the start of the
 * service.
 */
export function createLazyAnswerer(load: () => Promise<Answerer>): Answerer {
  let loaded: Promise<Answerer> | undefined;
  return { answer: async (prompt, signal) => (await (loaded ??= load())).answer(prompt, signal) };
}

type MeteredSpeechDependencies = Pick<
  AssistantDependencies,
  'commands' | 'usage' | 'telemetry' | 'speech' | 'scheduler' | 'log' | 'now'
> & { readonly timeoutMs: number };

/** Maximum number of names for speech recognition; services first, since they are mentioned most. */
const MAX_NAMES = 300;

/** Speech with metering by the length of the audio in ms. */
function createMeteredSpeech(
  dependencies: MeteredSpeechDependencies,
): Pick<Assistant, 'voices' | 'synthesize' | 'recognize'> {
  const { commands, speech, scheduler, timeoutMs } = dependencies;
  return {
    voices: () => speech.synthesizer.voices(),
    async synthesize(caller, text, voice, speed, signal) {
      await commands.useSession(caller.userId, caller.gridId, caller.instanceId);
      const minutes = await requireSpeechMinutes(dependencies, caller);
      // The length is unknown before synthesis. Audio that exceeds the remaining minutes is rejected as a whole.
      const sound = await runWithTimeout(signal, timeoutMs, (workSignal) =>
        scheduler.processSpeech(caller.gridId, workSignal, () =>
          speech.synthesizer.synthesize(text, voice, speed, workSignal),
        ),
      );
      return chargeSpeech(dependencies, caller, 'synthesis', durationSeconds(sound), minutes, async () => sound);
    },
    async recognize(caller, audio, signal) {
      await commands.useSession(caller.userId, caller.gridId, caller.instanceId);
      const minutes = await requireSpeechMinutes(dependencies, caller);
      const sound = await runWithTimeout(signal, timeoutMs, (workSignal) =>
        scheduler.processSpeech(caller.gridId, workSignal, () => speech.decoder.decode(audio, workSignal)),
      );
      const seconds = durationSeconds(sound);
      const recognition = await chargeSpeech(dependencies, caller, 'recognition', seconds, minutes, () =>
        runWithTimeout(signal, timeoutMs, (workSignal) => transcribeRecording(dependencies, caller, sound, workSignal)),
      );
      return { ...recognition, durationMs: Math.round(1000 * seconds) };
    },
  };
}

/** Returns the Grid's limit. If it is used up, rejects with `speech-minutes-exceeded` before any work. */
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
    'The speech minutes of this Grid are used up for this month.',
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

/** Each segment takes a turn of its own, so that a long recording does not keep others waiting. */
async function transcribeRecording(
  { telemetry, speech, scheduler }: MeteredSpeechDependencies,
  { gridId }: AssistantCaller,
  sound: PcmAudio,
  workSignal: AbortSignal,
) {
  const { serviceNames, operationNames } = await telemetry.traceFilterOptions(gridId);
  const names = [...new Set([...serviceNames, ...operationNames])].slice(0, MAX_NAMES);
  const recognizer: Pick<Recognizer, 'recognize'> = {
    recognize: (segment, known, signal) =>
      scheduler.processSpeech(gridId, signal, () => speech.recognizer.recognize(segment, known, signal)),
  };
  return transcribe(recognizer, sound, names, workSignal);
}

function durationSeconds({ samples, sampleRate }: PcmAudio): number {
  return samples.length / sampleRate;
}

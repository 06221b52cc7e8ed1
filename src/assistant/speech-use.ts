import { startOfNextMonth } from '../accounting/calendar.js';
import { HindsightError } from '../errors.js';
import type { Assistant, Seat } from './assistant.js';
import type { AssistantParts } from './create-assistant.js';
import { withinTime } from './patience.js';
import { refundedOnFailure } from './refund.js';
import type { Sound } from './speech/speech.js';
import { transcribe } from './speech/transcribe.js';

type SpeechParts = Pick<AssistantParts, 'commands' | 'usage' | 'telemetry' | 'speech' | 'log' | 'now'> & { readonly mostMs: number };

/** Names that a recogniser has to know at most: services first, they are spoken of most. */
const MOST_NAMES = 300;

/** Speech, and what it costs: the length of the audio, to the millisecond. */
export function createSpeechUse(parts: SpeechParts): Pick<Assistant, 'voices' | 'synthesize' | 'recognize'> {
  const { commands, speech, mostMs } = parts;
  return {
    voices: () => speech.synthesizer.voices(),
    async synthesize(seat, text, voice, speed, signal) {
      await commands.useSession(seat.userId, seat.gridId, seat.instanceId);
      const minutes = await minutesOf(parts, seat);
      // How long it is going to be nobody knows before it is spoken. What does not fit then is refused whole.
      const sound = await withinTime(signal, mostMs, (awaited) => speech.synthesizer.synthesize(text, voice, speed, awaited));
      return charged(parts, seat, 'synthesis', secondsOf(sound), minutes, async () => sound);
    },
    async recognize(seat, audio, signal) {
      await commands.useSession(seat.userId, seat.gridId, seat.instanceId);
      const minutes = await minutesOf(parts, seat);
      const sound = await withinTime(signal, mostMs, (awaited) => speech.decoder.decode(audio, awaited));
      const seconds = secondsOf(sound);
      const recognition = await charged(parts, seat, 'recognition', seconds, minutes, () => withinTime(signal, mostMs, (awaited) => understand(parts, seat, sound, awaited)));
      return { ...recognition, durationMs: Math.round(1000 * seconds) };
    },
  };
}

/** The limit of the Grid. Where nothing of it is left no work begins: `speech-minutes-exceeded`. */
async function minutesOf({ usage, now }: SpeechParts, { gridId }: Seat): Promise<number> {
  const nowMs = now();
  const [{ monthlySpeechMinutes }, usedSeconds] = await Promise.all([usage.limits(gridId), usage.speechSecondsThisMonth(gridId, nowMs)]);
  if (usedSeconds < 60 * monthlySpeechMinutes) return monthlySpeechMinutes;
  throw new HindsightError('speech-minutes-exceeded', 'The speech minutes of this Grid are used up in this month.', [], { retryAtMs: startOfNextMonth(nowMs) });
}

async function charged<T>({ commands, log }: SpeechParts, { userId, gridId }: Seat, kind: 'synthesis' | 'recognition', seconds: number, minutes: number, work: () => Promise<T>): Promise<T> {
  const { speechId } = await commands.reserveSpeech(userId, gridId, kind, seconds, minutes);
  return refundedOnFailure(log, () => commands.refundSpeech(gridId, speechId), async () => {
    const result = await work();
    await commands.settleSpeech(gridId, speechId);
    return result;
  });
}

async function understand({ telemetry, speech }: SpeechParts, { gridId }: Seat, sound: Sound, awaited: AbortSignal) {
  const { serviceNames, operationNames } = await telemetry.traceFilterOptions(gridId);
  const names = [...new Set([...serviceNames, ...operationNames])].slice(0, MOST_NAMES);
  return transcribe(speech.recognizer, sound, names, awaited);
}

function secondsOf({ samples, sampleRate }: Sound): number {
  return samples.length / sampleRate;
}

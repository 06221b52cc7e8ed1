import type OpenAI from 'openai';
import type { Health } from '../../../../component.js';
import { HindsightError } from '../../../../errors.js';
import { resample } from '../../resample.js';
import type { Sound, Synthesizer, Voice } from '../../speech.js';
import { plainText } from '../../spoken-text.js';
import { decodeWav } from '../../wav.js';
import { Stopping } from '../children/stopping.js';
import { Turns } from '../children/turns.js';
import { asked, clientOf, type Endpoint } from './client.js';
import { piecesOf } from './pieces.js';

/** Eleven minutes at 24 kHz. */
const MOST_ANSWER_BYTES = 32 * 1024 * 1024;

/** Of the protocol: 4,096 characters. */
const MOST_CHARACTERS = 4000;

/** Names that the protocol has; servers of other models mostly understand them too. */
const VOICES: readonly (Voice & { readonly id: string })[] = [
  { name: 'hindsight', description: 'The assistant', language: 'en', id: 'alloy' },
  ...['alloy', 'ash', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer'].map((id) => ({ name: id, description: `The voice "${id}" of the speech endpoint`, language: 'en', id })),
];

/** Speaks by `/audio/speech` of an endpoint. */
export class OpenAiSynthesizer implements Synthesizer {
  private readonly client: OpenAI;
  private readonly turns = new Turns({ atWork: 2, waiting: 16, what: 'texts to speak' });
  private readonly stopping = new Stopping();

  constructor(
    private readonly endpoint: Endpoint,
    private readonly model: string,
  ) {
    this.client = clientOf(endpoint, MOST_ANSWER_BYTES);
  }

  async voices(): Promise<readonly Voice[]> {
    return VOICES.map(({ name, description, language }) => ({ name, description, language }));
  }

  async synthesize(text: string, voice: string, speed: number, signal: AbortSignal): Promise<Sound> {
    const chosen = VOICES.find(({ name }) => name === voice);
    if (chosen === undefined) throw new HindsightError('invalid-request', 'No such voice.', [{ field: 'voice', message: `must be one of ${VOICES.map(({ name }) => name).join(', ')}` }]);
    return this.stopping.during(signal, (until) => this.turns.take(async () => {
      const sounds: Sound[] = [];
      for (const piece of piecesOf(plainText(text), MOST_CHARACTERS)) sounds.push(await this.spoken(piece, chosen.id, speed, until));
      return joined(sounds);
    }, until));
  }

  /** Whether the endpoint answers is seen when it is used: asking costs money. */
  check(): Promise<Health> {
    return Promise.resolve(this.stopping.health());
  }

  async close(): Promise<void> {
    this.stopping.stop();
  }

  private async spoken(input: string, voice: string, speed: number, signal: AbortSignal): Promise<Sound> {
    const wav = await asked(this.endpoint, signal, async (until) => {
      const response = await this.client.audio.speech.create({ model: this.model, input, voice, speed, response_format: 'wav' }, { signal: until });
      return new Uint8Array(await response.arrayBuffer());
    });
    const sound = decodeWav(wav);
    if (sound === undefined) throw new HindsightError('speech-unavailable', 'The speech endpoint does not answer with WAV of 16 bits.');
    return sound;
  }
}

function joined(sounds: readonly Sound[]): Sound {
  const sampleRate = sounds[0]?.sampleRate ?? 24_000;
  const parts = sounds.map((sound) => resample(sound, sampleRate).samples);
  const samples = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return { samples, sampleRate };
}

import type OpenAI from 'openai';
import { toFile } from 'openai';
import type { Health } from '../../../../component.js';
import type { Recognition, Recognizer, Sound } from '../../speech.js';
import { encodeWav } from '../../wav.js';
import { Stopping } from '../children/stopping.js';
import { Turns } from '../children/turns.js';
import { asked, clientOf, type Endpoint } from './client.js';
import { recognitionOf, type Transcript } from './transcript.js';

const MOST_ANSWER_BYTES = 1024 * 1024;

/** Names are hints: models read about 200 tokens of them. */
const MOST_HINTS = 600;

/** Understands by `/audio/transcriptions` of an endpoint. */
export class OpenAiRecognizer implements Recognizer {
  private readonly client: OpenAI;
  private readonly turns = new Turns({ atWork: 2, waiting: 16, what: 'recordings to understand' });
  private readonly stopping = new Stopping();

  constructor(
    private readonly endpoint: Endpoint,
    private readonly model: string,
  ) {
    this.client = clientOf(endpoint, MOST_ANSWER_BYTES);
  }

  async recognize(sound: Sound, names: readonly string[], signal: AbortSignal): Promise<Recognition> {
    return this.stopping.during(signal, (until) => this.turns.take(() => asked(this.endpoint, until, async (ending) => recognitionOf(await this.transcript(sound, names, ending))), until));
  }

  /** Whether the endpoint answers is seen when it is used: asking costs money. */
  check(): Promise<Health> {
    return Promise.resolve(this.stopping.health());
  }

  async close(): Promise<void> {
    this.stopping.stop();
  }

  private async transcript(sound: Sound, names: readonly string[], signal: AbortSignal): Promise<Transcript> {
    const file = await toFile(encodeWav(sound), 'question.wav', { type: 'audio/wav' });
    const request = { file, model: this.model, language: 'en', prompt: hints(names) };
    // Models of the newer kind tell probabilities of tokens, those of the Whisper kind of segments: each refuses the other's form.
    if (/^gpt-/.test(this.model)) return this.client.audio.transcriptions.create({ ...request, response_format: 'json', include: ['logprobs'] }, { signal });
    return this.client.audio.transcriptions.create({ ...request, response_format: 'verbose_json' }, { signal });
  }
}

function hints(names: readonly string[]): string {
  let text = 'A question about services and their telemetry.';
  for (const name of names) {
    if (text.length + name.length + 2 > MOST_HINTS) break;
    text += ` ${name.replace(/\s+/g, ' ')},`;
  }
  return text.replace(/,$/, '.');
}

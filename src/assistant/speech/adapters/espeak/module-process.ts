import { createInterface } from 'node:readline';
import load from '@echogarden/espeak-ng-emscripten';
import type { SynthesisRequest } from './espeak-engine.js';
import { encodePcmFrame } from './pcm-frame.js';

/**
 * The entry of a child process that speaks: one utterance in JSON on each line of its standard input, one frame of sound
 * for each on its standard output. eSpeak NG is licensed under the GPL: this process alone loads it, and nothing of ours but
 * the frames comes with it. Ends when its input ends.
 */
const { eSpeakNGWorker } = await load();
const worker = new eSpeakNGWorker();

function synthesize({ text, voice, wordsPerMinute }: SynthesisRequest): Buffer {
  if (worker.set_voice(voice) !== 0) return encodePcmFrame(0, []);
  worker.set_rate(wordsPerMinute);
  const parts: Buffer[] = [];
  worker.synthesize(text, (samples) => {
    // A copy: the module uses the memory again.
    if (samples !== null) parts.push(Buffer.from(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)));
    return false;
  });
  return encodePcmFrame(worker.samplerate, parts);
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(synthesize(JSON.parse(line) as SynthesisRequest));
}

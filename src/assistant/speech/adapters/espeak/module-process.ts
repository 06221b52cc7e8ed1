import { createInterface } from 'node:readline';
import load from '@echogarden/espeak-ng-emscripten';
import type { SynthesisRequest } from './espeak-engine.js';
import { encodePcmFrame } from './pcm-frame.js';

/**
 * Entry point of a child process for speech synthesis: reads one utterance as JSON per line of standard input, writes
 * one PCM frame for each to standard output, and exits when its input ends. eSpeak NG is licensed under the GPL, so
 * only this process loads it.
 */
const { eSpeakNGWorker } = await load();
const worker = new eSpeakNGWorker();

function synthesize({ text, voice, wordsPerMinute }: SynthesisRequest): Buffer {
  if (worker.set_voice(voice) !== 0) return encodePcmFrame(0, []);
  worker.set_rate(wordsPerMinute);
  const parts: Buffer[] = [];
  worker.synthesize(text, (samples) => {
    // Copied, because the module reuses the memory.
    if (samples !== null) parts.push(Buffer.from(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)));
    return false;
  });
  return encodePcmFrame(worker.samplerate, parts);
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(synthesize(JSON.parse(line) as SynthesisRequest));
}

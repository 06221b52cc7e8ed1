import { HindsightError } from '../../../../errors.js';
import type { PcmAudio } from '../../speech-engines.js';
import { decodeWav } from '../../wav.js';
import { runProcess, type ProcessLimits } from '../children/child-process.js';
import { DEADLINE_MS, MAX_OUTPUT_BYTES, type EspeakEngine, type SynthesisRequest } from './espeak-engine.js';

const LIMITS: ProcessLimits = {
  memoryMb: 256,
  processorS: 20,
  deadlineMs: DEADLINE_MS,
  mostOutputBytes: MAX_OUTPUT_BYTES,
};
const PROBE_LIMITS: ProcessLimits = { ...LIMITS, deadlineMs: 1500 };

/** Of a text in which there is nothing to say. */
const EMPTY_AUDIO: PcmAudio = { samples: new Float32Array(0), sampleRate: 22_050 };

/** The program `espeak-ng` as distributions have it. */
export class CommandLineEngine implements EspeakEngine {
  constructor(private readonly searchPath: string) {}

  async isPresent(): Promise<boolean> {
    const order = {
      command: 'espeak-ng',
      args: ['--version'],
      searchPath: this.searchPath,
      input: new Uint8Array(),
      bounds: PROBE_LIMITS,
    };
    const outcome = await runProcess(order, new AbortController().signal).catch(() => undefined);
    return outcome?.exitCode === 0;
  }

  /** The text goes through a pipe: what begins with a dash is no option there. */
  async speak({ text, voice, wordsPerMinute }: SynthesisRequest, signal: AbortSignal): Promise<PcmAudio> {
    const args = ['-v', voice, '-s', String(wordsPerMinute), '-b', '1', '--stdin', '--stdout'];
    const { output, exitCode, complaint } = await runProcess(
      { command: 'espeak-ng', args, searchPath: this.searchPath, input: Buffer.from(text), bounds: LIMITS },
      signal,
    );
    if (exitCode === 0 && output.length === 0) return EMPTY_AUDIO;
    const sound = exitCode === 0 ? decodeWav(output) : undefined;
    if (sound === undefined)
      throw new HindsightError('unavailable', 'The speech engine failed.', [], {
        cause: new Error(`espeak-ng ended with ${exitCode ?? 'a signal'}: ${complaint}`),
      });
    return sound;
  }

  /** Each utterance has a process of its own, which its signal ends. */
  close(): void {}
}

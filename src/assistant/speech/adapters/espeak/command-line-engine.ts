import { HindsightError } from '../../../../errors.js';
import type { PcmAudio } from '../../speech-engines.js';
import { decodeWav } from '../../wav.js';
import { runProcess, type ProcessLimits } from '../children/child-process.js';
import { DEADLINE_MS, MAX_OUTPUT_BYTES, type EspeakEngine, type SynthesisRequest } from './espeak-engine.js';

const LIMITS: ProcessLimits = {
  memoryMb: 256,
  cpuSeconds: 20,
  timeoutMs: DEADLINE_MS,
  maxOutputBytes: MAX_OUTPUT_BYTES,
};
const PROBE_LIMITS: ProcessLimits = { ...LIMITS, timeoutMs: 1500 };

/** For text without anything to pronounce. */
const EMPTY_AUDIO: PcmAudio = { samples: new Float32Array(0), sampleRate: 22_050 };

/** Runs the program `espeak-ng` of the distribution. */
export class CommandLineEngine implements EspeakEngine {
  constructor(private readonly searchPath: string) {}

  async isPresent(): Promise<boolean> {
    const command = {
      command: 'espeak-ng',
      args: ['--version'],
      searchPath: this.searchPath,
      input: new Uint8Array(),
      limits: PROBE_LIMITS,
    };
    const outcome = await runProcess(command, new AbortController().signal).catch(() => undefined);
    return outcome?.exitCode === 0;
  }

  /** The text is passed through a pipe, so that a leading dash is not read as an option. */
  async speak({ text, voice, wordsPerMinute }: SynthesisRequest, signal: AbortSignal): Promise<PcmAudio> {
    const args = ['-v', voice, '-s', String(wordsPerMinute), '-b', '1', '--stdin', '--stdout'];
    const { output, exitCode, errorOutput } = await runProcess(
      { command: 'espeak-ng', args, searchPath: this.searchPath, input: Buffer.from(text), limits: LIMITS },
      signal,
    );
    if (exitCode === 0 && output.length === 0) return EMPTY_AUDIO;
    const sound = exitCode === 0 ? decodeWav(output) : undefined;
    if (sound === undefined)
      throw new HindsightError('unavailable', 'The speech engine failed.', [], {
        cause: new Error(`espeak-ng ended with ${exitCode ?? 'a signal'}: ${errorOutput}`),
      });
    return sound;
  }

  /** Each utterance runs in its own process, which its signal ends. */
  close(): void {}
}

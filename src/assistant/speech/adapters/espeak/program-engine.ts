import { HindsightError } from '../../../../errors.js';
import type { Sound } from '../../speech.js';
import { decodeWav } from '../../wav.js';
import { runProgram, type Bounds } from '../children/program.js';
import { DEADLINE_MS, MOST_OUTPUT_BYTES, type Engine, type Utterance } from './engine.js';

const BOUNDS: Bounds = { memoryMb: 256, processorS: 20, deadlineMs: DEADLINE_MS, mostOutputBytes: MOST_OUTPUT_BYTES };
const PROBE: Bounds = { ...BOUNDS, deadlineMs: 1500 };

/** Of a text in which there is nothing to say. */
const NOTHING: Sound = { samples: new Float32Array(0), sampleRate: 22_050 };

/** The program `espeak-ng` as distributions have it. */
export class ProgramEngine implements Engine {
  constructor(private readonly searchPath: string) {}

  async isPresent(): Promise<boolean> {
    const order = { command: 'espeak-ng', args: ['--version'], searchPath: this.searchPath, input: new Uint8Array(), bounds: PROBE };
    const outcome = await runProgram(order, new AbortController().signal).catch(() => undefined);
    return outcome?.exitCode === 0;
  }

  /** The text goes through a pipe: what begins with a dash is no option there. */
  async speak({ text, voice, wordsPerMinute }: Utterance, signal: AbortSignal): Promise<Sound> {
    const args = ['-v', voice, '-s', String(wordsPerMinute), '-b', '1', '--stdin', '--stdout'];
    const { output, exitCode, complaint } = await runProgram({ command: 'espeak-ng', args, searchPath: this.searchPath, input: Buffer.from(text), bounds: BOUNDS }, signal);
    if (exitCode === 0 && output.length === 0) return NOTHING;
    const sound = exitCode === 0 ? decodeWav(output) : undefined;
    if (sound === undefined) throw new HindsightError('unavailable', 'The speech engine failed.', [], { cause: new Error(`espeak-ng ended with ${exitCode ?? 'a signal'}: ${complaint}`) });
    return sound;
  }

  /** Each utterance has a process of its own, which its signal ends. */
  close(): void {}
}

import type { Health } from '../../../../component.js';
import { HindsightError } from '../../../../errors.js';
import { audioFormatOf } from '../../audio-format.js';
import type { Decoder, Sound } from '../../speech.js';
import { samplesOfPcm } from '../../wav.js';
import { nodeProgram } from '../children/node-program.js';
import { runProgram, type Bounds } from '../children/program.js';
import { Stopping } from '../children/stopping.js';
import { Turns } from '../children/turns.js';
import { MOST_SECONDS, SAMPLE_RATE, TOO_LONG } from './decoding.js';

const PROCESS = nodeProgram(new URL('./decoding-process.js', import.meta.url));

/** Ten minutes at 48 kHz are 230 MB while their parts are joined. The processor needs 2 s for the longest file. */
const BOUNDS: Bounds = { memoryMb: 512, processorS: 15, deadlineMs: 30_000, mostOutputBytes: MOST_SECONDS * SAMPLE_RATE * 2 + 2 };

/** Decodes each file in a process of its own: no file can hurt the service, or see what is in another. */
export class ProcessDecoder implements Decoder {
  private readonly turns = new Turns({ atWork: 2, waiting: 16, what: 'recordings' });
  private readonly stopping = new Stopping();

  async decode(audio: Uint8Array, signal: AbortSignal): Promise<Sound> {
    const format = audioFormatOf(audio);
    const order = { ...PROCESS, args: [...PROCESS.args, format], searchPath: '', input: audio, bounds: BOUNDS };
    const { output, exitCode } = await this.stopping.during(signal, (until) => this.turns.take(() => runProgram(order, until), until));
    if (exitCode === TOO_LONG) throw new HindsightError('audio-too-large', `The recording is longer than ${MOST_SECONDS / 60} minutes.`);
    // Whatever else ended the process, the file did: it is damaged, or made to use up memory or time.
    if (exitCode !== 0) throw new HindsightError('audio-unsupported', 'The recording cannot be decoded: it is damaged, or no recording.');
    return { samples: samplesOfPcm(output), sampleRate: SAMPLE_RATE };
  }

  check(): Promise<Health> {
    return Promise.resolve(this.stopping.health());
  }

  async close(): Promise<void> {
    this.stopping.stop();
  }
}

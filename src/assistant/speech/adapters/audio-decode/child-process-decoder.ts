import type { Health } from '../../../../component.js';
import { HindsightError } from '../../../../errors.js';
import { detectAudioFormat } from '../../audio-format.js';
import type { AudioDecoder, PcmAudio } from '../../speech-engines.js';
import { decodePcm } from '../../wav.js';
import { nodeCommand, type ProcessLimits, runProcess } from '../children/child-process.js';
import { BoundedWorkQueue, ShutdownSignal } from '../children/bounded-work-queue.js';
import { MAX_RECORDING_SECONDS, DECODED_SAMPLE_RATE, EXIT_TOO_LONG } from './decoding-protocol.js';

const DECODER_COMMAND = nodeCommand(new URL('./decoding-process.js', import.meta.url));

/** Ten minutes at 48 kHz are 230 MB while their parts are joined. The processor needs 2 s for the longest file. */
const LIMITS: ProcessLimits = {
  memoryMb: 512,
  processorS: 15,
  deadlineMs: 30_000,
  mostOutputBytes: MAX_RECORDING_SECONDS * DECODED_SAMPLE_RATE * 2 + 2,
};

/** Decodes each file in a process of its own: no file can hurt the service, or see what is in another. */
export class ChildProcessDecoder implements AudioDecoder {
  private readonly turns = new BoundedWorkQueue({ atWork: 2, waiting: 16, what: 'recordings' });
  private readonly stopping = new ShutdownSignal();

  async decode(audio: Uint8Array, signal: AbortSignal): Promise<PcmAudio> {
    const format = detectAudioFormat(audio);
    const order = {
      ...DECODER_COMMAND,
      args: [...DECODER_COMMAND.args, format],
      searchPath: '',
      input: audio,
      bounds: LIMITS,
    };
    const { output, exitCode } = await this.stopping.runUntilShutdown(signal, (until) =>
      this.turns.run(() => runProcess(order, until), until),
    );
    if (exitCode === EXIT_TOO_LONG)
      throw new HindsightError(
        'audio-too-large',
        `The recording is longer than ${MAX_RECORDING_SECONDS / 60} minutes.`,
      );
    // Whatever else ended the process, the file did: it is damaged, or made to use up memory or time.
    if (exitCode !== 0)
      throw new HindsightError('audio-unsupported', 'The recording cannot be decoded: it is damaged, or no recording.');
    return { samples: decodePcm(output), sampleRate: DECODED_SAMPLE_RATE };
  }

  check(): Promise<Health> {
    return Promise.resolve(this.stopping.health());
  }

  async close(): Promise<void> {
    this.stopping.shutDown();
  }
}

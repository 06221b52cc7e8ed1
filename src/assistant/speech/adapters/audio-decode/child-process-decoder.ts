import type { Health } from '../../../../component.js';
import { HindsightError } from '../../../../errors.js';
import { detectAudioFormat } from '../../audio-format.js';
import type { AudioDecoder, PcmAudio } from '../../speech-engines.js';
import { decodePcm } from '../../wav.js';
import { nodeCommand, type ProcessLimits, runProcess } from '../children/child-process.js';
import { BoundedWorkQueue, ShutdownSignal } from '../children/bounded-work-queue.js';
import { MAX_RECORDING_SECONDS, DECODED_SAMPLE_RATE, EXIT_TOO_LONG } from './decoding-protocol.js';

const DECODER_COMMAND = nodeCommand(new URL('./decoding-process.js', import.meta.url));

/** Ten minutes at 48 kHz are 230 MB while being joined. The longest file takes 2 s of CPU time. */
const LIMITS: ProcessLimits = {
  memoryMb: 512,
  cpuSeconds: 15,
  timeoutMs: 30_000,
  maxOutputBytes: MAX_RECORDING_SECONDS * DECODED_SAMPLE_RATE * 2 + 2,
};

/** Decodes each file in a separate process, which isolates the service and other files from malicious ones. */
export class ChildProcessDecoder implements AudioDecoder {
  private readonly queue = new BoundedWorkQueue({ maxRunning: 2, maxWaiting: 16, what: 'recordings' });
  private readonly shutdown = new ShutdownSignal();

  async decode(audio: Uint8Array, signal: AbortSignal): Promise<PcmAudio> {
    const format = detectAudioFormat(audio);
    const command = {
      ...DECODER_COMMAND,
      args: [...DECODER_COMMAND.args, format],
      searchPath: '',
      input: audio,
      limits: LIMITS,
    };
    const { output, exitCode } = await this.shutdown.runUntilShutdown(signal, (until) =>
      this.queue.run(() => runProcess(command, until), until),
    );
    if (exitCode === EXIT_TOO_LONG)
      throw new HindsightError(
        'audio-too-large',
        `The recording is longer than ${MAX_RECORDING_SECONDS / 60} minutes.`,
      );
    // Any other failure is caused by the file: it is damaged, or designed to exhaust memory or time.
    if (exitCode !== 0)
      throw new HindsightError('audio-unsupported', 'Cannot decode the recording: it is damaged or not an audio file.');
    return { samples: decodePcm(output), sampleRate: DECODED_SAMPLE_RATE };
  }

  check(): Promise<Health> {
    return Promise.resolve(this.shutdown.health());
  }

  async close(): Promise<void> {
    this.shutdown.shutDown();
  }
}

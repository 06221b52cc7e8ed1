import { nodeCommand, type PipedProcess, type ProcessLimits, startProcess } from '../children/child-process.js';
import type { PcmAudio } from '../../speech-engines.js';
import { DEADLINE_MS, type EspeakEngine, MAX_OUTPUT_BYTES, type SynthesisRequest } from './espeak-engine.js';
import { HindsightError } from '../../../../errors.js';
import { runWithTimeout } from '../../../abortable-timeout.js';
import { PcmFrameReader } from './pcm-frame.js';

const PACKAGE = '@echogarden/espeak-ng-emscripten';
const SYNTHESIS_COMMAND = nodeCommand(new URL('./module-process.js', import.meta.url));

/** A process speaks many times: its time on the processor has no bound but the deadline of each utterance. */
const LIMITS: ProcessLimits = {
  memoryMb: 512,
  processorS: 3600,
  deadlineMs: DEADLINE_MS,
  mostOutputBytes: MAX_OUTPUT_BYTES,
};

/** Loading takes longer than speaking, so processes stay for a while. */
const IDLE_MS = 120_000;

/** eSpeak NG in WebAssembly, from the registry of npm: an optional package, in processes of its own. */
export class WasmEngine implements EspeakEngine {
  private readonly speakers = new Set<SynthesisProcess>();
  private readonly idle: SynthesisProcess[] = [];

  constructor(
    private readonly resolve: (name: string) => string = (name) => import.meta.resolve(name),
    private readonly idleMs: number = IDLE_MS,
  ) {}

  async isPresent(): Promise<boolean> {
    try {
      return this.resolve(PACKAGE) !== '';
    } catch {
      // Not installed, which an optional package may be.
      return false;
    }
  }

  async speak(utterance: SynthesisRequest, signal: AbortSignal): Promise<PcmAudio> {
    const speaker = this.idle.pop() ?? this.start();
    const sound = await speaker.speak(utterance, signal);
    this.idle.push(speaker);
    speaker.scheduleEnd(this.idleMs);
    return sound;
  }

  close(): void {
    for (const speaker of this.speakers) speaker.end();
  }

  /** That are there now. */
  get processes(): number {
    return this.speakers.size;
  }

  private start(): SynthesisProcess {
    const speaker = new SynthesisProcess(this.child(), LIMITS, () => this.forget(speaker));
    this.speakers.add(speaker);
    return speaker;
  }

  private child(): PipedProcess {
    return startProcess({ ...SYNTHESIS_COMMAND, searchPath: '', bounds: LIMITS });
  }

  private forget(speaker: SynthesisProcess): void {
    this.speakers.delete(speaker);
    const at = this.idle.indexOf(speaker);
    if (at >= 0) this.idle.splice(at, 1);
  }
}

interface PendingSynthesis {
  readonly frame: PcmFrameReader;
  fulfil(sound: PcmAudio): void;
  fail(reason: unknown): void;
}

/** One process that speaks, an utterance at a time. Whatever goes wrong ends it: the next utterance starts another. */
class SynthesisProcess {
  private speaking: PendingSynthesis | undefined;
  private resting: NodeJS.Timeout | undefined;
  private complaint = '';

  /** `onEnd` is called once, when the process is gone or about to go. */
  constructor(
    private readonly child: PipedProcess,
    private readonly bounds: ProcessLimits,
    private readonly onEnd: () => void,
  ) {
    child.stdout.on('data', (part: Buffer) => this.receive(part));
    child.stderr.on('data', (part: Buffer) => (this.complaint = part.toString().slice(0, 1000)));
    // A process that is gone breaks the pipe: `close` tells.
    child.stdin.on('error', () => undefined);
    child.on('error', (cause) => this.fail(cause));
    child.on('close', () => this.fail(new Error(`the process ended: ${this.complaint}`)));
  }

  /** Rejects with the signal's reason when it aborts, else with code `unavailable`: the process is ended then. */
  async speak(utterance: SynthesisRequest, signal: AbortSignal): Promise<PcmAudio> {
    clearTimeout(this.resting);
    try {
      return await runWithTimeout(signal, this.bounds.deadlineMs, () => this.synthesize(utterance));
    } catch (cause) {
      this.end();
      if (signal.aborted) throw signal.reason;
      throw new HindsightError('unavailable', 'The speech engine failed.', [], { cause });
    }
  }

  /** Ends the process unless somebody needs it within this time. */
  scheduleEnd(idleMs: number): void {
    this.resting = setTimeout(() => this.end(), idleMs);
    this.resting.unref();
  }

  /** What is being spoken rejects. */
  end(): void {
    clearTimeout(this.resting);
    this.onEnd();
    this.child.kill('SIGKILL');
  }

  private synthesize(utterance: SynthesisRequest): Promise<PcmAudio> {
    return new Promise((fulfil, fail) => {
      this.speaking = { frame: new PcmFrameReader(this.bounds.mostOutputBytes), fulfil, fail };
      this.child.stdin.write(`${JSON.stringify(utterance)}\n`);
    });
  }

  private receive(part: Buffer): void {
    if (this.speaking === undefined) return this.end();
    try {
      if (!this.speaking.frame.add(part)) return;
      const sound = this.speaking.frame.sound();
      if (sound === undefined) return this.fail(new Error('it does not know the voice'));
      this.speaking.fulfil(sound);
      this.speaking = undefined;
    } catch (cause) {
      this.fail(cause);
    }
  }

  private fail(reason: unknown): void {
    this.onEnd();
    this.speaking?.fail(reason);
    this.speaking = undefined;
  }
}

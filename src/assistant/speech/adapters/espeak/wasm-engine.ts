import { nodeCommand, type PipedProcess, type ProcessLimits, startProcess } from '../children/child-process.js';
import type { PcmAudio } from '../../speech-engines.js';
import { DEADLINE_MS, type EspeakEngine, MAX_OUTPUT_BYTES, type SynthesisRequest } from './espeak-engine.js';
import { HindsightError } from '../../../../errors.js';
import { runWithTimeout } from '../../../abortable-timeout.js';
import { PcmFrameReader } from './pcm-frame.js';

const PACKAGE = '@echogarden/espeak-ng-emscripten';
const SYNTHESIS_COMMAND = nodeCommand(new URL('./module-process.js', import.meta.url));

/** A process handles many utterances, so CPU time is limited only by the deadline of each. */
const LIMITS: ProcessLimits = {
  memoryMb: 512,
  cpuSeconds: 3600,
  timeoutMs: DEADLINE_MS,
  maxOutputBytes: MAX_OUTPUT_BYTES,
};

/** Loading takes longer than speaking, so idle processes are kept for this time (ms). */
const IDLE_MS = 120_000;

/** eSpeak NG in WebAssembly, from an optional npm package, in separate processes. */
export class WasmEngine implements EspeakEngine {
  private readonly idleProcesses = new Set<SynthesisProcess>();
  private readonly idle: SynthesisProcess[] = [];

  constructor(
    private readonly resolve: (name: string) => string = (name) => import.meta.resolve(name),
    private readonly idleMs: number = IDLE_MS,
  ) {}

  async isPresent(): Promise<boolean> {
    try {
      return this.resolve(PACKAGE) !== '';
    } catch {
      // Not installed: the package is optional.
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
    for (const speaker of this.idleProcesses) speaker.end();
  }

  /** Number of running processes. */
  get processes(): number {
    return this.idleProcesses.size;
  }

  private start(): SynthesisProcess {
    const speaker = new SynthesisProcess(this.child(), LIMITS, () => this.forget(speaker));
    this.idleProcesses.add(speaker);
    return speaker;
  }

  private child(): PipedProcess {
    return startProcess({ ...SYNTHESIS_COMMAND, searchPath: '', limits: LIMITS });
  }

  private forget(speaker: SynthesisProcess): void {
    this.idleProcesses.delete(speaker);
    const at = this.idle.indexOf(speaker);
    if (at >= 0) this.idle.splice(at, 1);
  }
}

interface PendingSynthesis {
  readonly frame: PcmFrameReader;
  resolve(sound: PcmAudio): void;
  reject(reason: unknown): void;
}

/**
 * One process that synthesizes one utterance at a time. It is ended after any failure; the next utterance starts
 * another.
 */
class SynthesisProcess {
  private pending: PendingSynthesis | undefined;
  private idleTimer: NodeJS.Timeout | undefined;
  private errorOutput = '';

  /** `onEnd` is called once, when the process has ended or is about to. */
  constructor(
    private readonly child: PipedProcess,
    private readonly limits: ProcessLimits,
    private readonly onEnd: () => void,
  ) {
    child.stdout.on('data', (part: Buffer) => this.receive(part));
    child.stderr.on('data', (part: Buffer) => (this.errorOutput = part.toString().slice(0, 1000)));
    // An ended process breaks the pipe; the `close` event handles it.
    child.stdin.on('error', () => undefined);
    child.on('error', (cause) => this.fail(cause));
    child.on('close', () => this.fail(new Error(`The synthesis process ended: ${this.errorOutput}`)));
  }

  /**
   * Rejects with the signal's reason if it aborts, otherwise with code `unavailable`; the process is ended in both
   * cases.
   */
  async speak(utterance: SynthesisRequest, signal: AbortSignal): Promise<PcmAudio> {
    clearTimeout(this.idleTimer);
    try {
      return await runWithTimeout(signal, this.limits.timeoutMs, () => this.synthesize(utterance));
    } catch (cause) {
      this.end();
      if (signal.aborted) throw signal.reason;
      throw new HindsightError('unavailable', 'The speech engine failed.', [], { cause });
    }
  }

  /** Ends the process unless it is used again within this time. */
  scheduleEnd(idleMs: number): void {
    this.idleTimer = setTimeout(() => this.end(), idleMs);
    this.idleTimer.unref();
  }

  /** Rejects the current utterance, if any. */
  end(): void {
    clearTimeout(this.idleTimer);
    this.onEnd();
    this.child.kill('SIGKILL');
  }

  private synthesize(utterance: SynthesisRequest): Promise<PcmAudio> {
    return new Promise((resolve, reject) => {
      this.pending = { frame: new PcmFrameReader(this.limits.maxOutputBytes), resolve, reject };
      this.child.stdin.write(`${JSON.stringify(utterance)}\n`);
    });
  }

  private receive(part: Buffer): void {
    if (this.pending === undefined) return this.end();
    try {
      if (!this.pending.frame.add(part)) return;
      const sound = this.pending.frame.sound();
      if (sound === undefined) return this.fail(new Error('Synthesis failed in the child process'));
      this.pending.resolve(sound);
      this.pending = undefined;
    } catch (cause) {
      this.fail(cause);
    }
  }

  private fail(reason: unknown): void {
    this.onEnd();
    this.pending?.reject(reason);
    this.pending = undefined;
  }
}

import { HindsightError } from '../../../../errors.js';
import { withinTime } from '../../../patience.js';
import type { Sound } from '../../speech.js';
import type { Bounds, Child } from '../children/program.js';
import type { Utterance } from './engine.js';
import { FrameReader } from './frames.js';

interface Speaking {
  readonly frame: FrameReader;
  fulfil(sound: Sound): void;
  fail(reason: unknown): void;
}

/** One process that speaks, an utterance at a time. Whatever goes wrong ends it: the next utterance starts another. */
export class Speaker {
  private speaking: Speaking | undefined;
  private resting: NodeJS.Timeout | undefined;
  private complaint = '';

  /** `onEnd` is called once, when the process is gone or about to go. */
  constructor(
    private readonly child: Child,
    private readonly bounds: Bounds,
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
  async speak(utterance: Utterance, signal: AbortSignal): Promise<Sound> {
    clearTimeout(this.resting);
    try {
      return await withinTime(signal, this.bounds.deadlineMs, () => this.answer(utterance));
    } catch (cause) {
      this.end();
      if (signal.aborted) throw signal.reason;
      throw new HindsightError('unavailable', 'The speech engine failed.', [], { cause });
    }
  }

  /** Ends the process unless somebody needs it within this time. */
  rest(idleMs: number): void {
    this.resting = setTimeout(() => this.end(), idleMs);
    this.resting.unref();
  }

  /** What is being spoken rejects. */
  end(): void {
    clearTimeout(this.resting);
    this.onEnd();
    this.child.kill('SIGKILL');
  }

  private answer(utterance: Utterance): Promise<Sound> {
    return new Promise((fulfil, fail) => {
      this.speaking = { frame: new FrameReader(this.bounds.mostOutputBytes), fulfil, fail };
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

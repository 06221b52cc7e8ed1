import { nodeProgram } from '../children/node-program.js';
import { startProgram, type Bounds, type Child } from '../children/program.js';
import type { Sound } from '../../speech.js';
import { DEADLINE_MS, MOST_OUTPUT_BYTES, type Engine, type Utterance } from './engine.js';
import { Speaker } from './speaker.js';

const PACKAGE = '@echogarden/espeak-ng-emscripten';

const PROCESS = nodeProgram(new URL('./module-process.js', import.meta.url));

/** A process speaks many times: its time on the processor has no bound but the deadline of each utterance. */
const BOUNDS: Bounds = { memoryMb: 512, processorS: 3600, deadlineMs: DEADLINE_MS, mostOutputBytes: MOST_OUTPUT_BYTES };

/** Loading takes longer than speaking, so processes stay for a while. */
const IDLE_MS = 120_000;

/** eSpeak NG in WebAssembly, from the registry of npm: an optional package, in processes of its own. */
export class ModuleEngine implements Engine {
  private readonly speakers = new Set<Speaker>();
  private readonly idle: Speaker[] = [];

  constructor(private readonly resolve: (name: string) => string = (name) => import.meta.resolve(name), private readonly idleMs: number = IDLE_MS) {}

  async isPresent(): Promise<boolean> {
    try {
      return this.resolve(PACKAGE) !== '';
    } catch {
      // Not installed, which an optional package may be.
      return false;
    }
  }

  async speak(utterance: Utterance, signal: AbortSignal): Promise<Sound> {
    const speaker = this.idle.pop() ?? this.start();
    const sound = await speaker.speak(utterance, signal);
    this.idle.push(speaker);
    speaker.rest(this.idleMs);
    return sound;
  }

  close(): void {
    for (const speaker of this.speakers) speaker.end();
  }

  /** That are there now. */
  get processes(): number {
    return this.speakers.size;
  }

  private start(): Speaker {
    const speaker = new Speaker(this.child(), BOUNDS, () => this.forget(speaker));
    this.speakers.add(speaker);
    return speaker;
  }

  private child(): Child {
    return startProgram({ ...PROCESS, searchPath: '', bounds: BOUNDS });
  }

  private forget(speaker: Speaker): void {
    this.speakers.delete(speaker);
    const at = this.idle.indexOf(speaker);
    if (at >= 0) this.idle.splice(at, 1);
  }
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { AttackOrder, AttackReport } from './attack-process.js';

const ENTRY = fileURLToPath(new URL('./attack-process.js', import.meta.url));

/** An attack from a process of its own, so that it does not share the event loop of whoever measures. */
export class Attack {
  private constructor(private readonly child: ChildProcess) {}

  /** Resolves when the service has answered the first request of the attack. */
  static async start(order: AttackOrder): Promise<Attack> {
    const child = fork(ENTRY, { execArgv: [] });
    child.send(order);
    await once(child, 'message');
    return new Attack(child);
  }

  /** Ends the attack after the responses to open requests, and resolves to what it was answered. */
  async stop(): Promise<AttackReport> {
    const reported = once(this.child, 'message');
    this.child.send('stop');
    const [report] = (await reported) as [AttackReport];
    return report;
  }

  /** Ends the process, whatever it does. */
  kill(): void {
    this.child.kill('SIGKILL');
  }
}

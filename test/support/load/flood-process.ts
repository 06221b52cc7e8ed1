import { type ChildProcess, fork, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

export interface FloodOrder {
  readonly kind:
    | 'resets'
    | 'resets after the settings'
    | 'control frames'
    | 'control frames after the settings'
    | 'pipelined requests'
    | 'half requests'
    | 'half bodies';
  readonly port: number;
  /** Open at a time. */
  readonly connections: number;
  /** Local address of the attacker. */
  readonly from: string;
  readonly apiKey: string;
}

export interface FloodReport {
  readonly opened: number;
}

/** The connections of an attacker. */
export class FloodedConnections {
  isOver = false;
  private opened = 0;
  private readonly open = new Set<Socket>();

  add(socket: Socket): void {
    this.opened++;
    this.open.add(socket);
    socket.once('close', () => this.open.delete(socket));
  }

  /** Opens no more, and resolves when the service has closed all. */
  async waitUntilClosed(): Promise<FloodReport> {
    this.isOver = true;
    for (const socket of this.open) await new Promise((resolve) => socket.once('close', resolve));
    return { opened: this.opened };
  }
}

/** An attacker in a process of its own, which reconnects at once. */
export class FloodProcess {
  private constructor(private readonly child: ChildProcess) {}

  static start(order: FloodOrder): FloodProcess {
    const program = fileURLToPath(new URL('flood-attack.js', import.meta.url));
    return new FloodProcess(fork(program, [JSON.stringify(order)], { execArgv: [] }));
  }

  /** Ends the attack; resolves when the service has closed every connection. */
  async stop(): Promise<FloodReport> {
    const answer = new Promise<FloodReport>((resolve, reject) => {
      this.child.once('message', (report) => resolve(report as FloodReport));
      this.child.once('exit', (code) => reject(new Error(`The attacker has ended with ${code}`)));
    });
    this.child.send('stop');
    return answer;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}

/** Keeps every core busy with processes of their own; the returned function stops them. */
export function occupyCores(): () => void {
  const busy = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  return () => {
    for (const child of busy) child.kill('SIGKILL');
  };
}

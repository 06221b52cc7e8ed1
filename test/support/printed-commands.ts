import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';

/** A block of shell commands in a Markdown page, and the output printed after it. */
export interface PrintedBlock {
  /** Line number of its first line, from 1. */
  readonly line: number;
  readonly commands: string;
  /** The following JSON block; omitted members are `…`. */
  readonly answer?: string;
}

const FENCE = /^```(\w*)\s*$/;
/** Marks a block that cannot run in a test, with the reason, in the preceding line. */
const NOT_RUN = /^<!-- not run: .+ -->$/;

/** The `sh` blocks of a Markdown page in order, except those marked as not run. */
export function parsePrintedBlocks(page: string): PrintedBlock[] {
  const fenced = fencedBlocks(page.split('\n'));
  return fenced.flatMap(({ language, line, text, isRun }, at) => {
    if (language !== 'sh' || !isRun) return [];
    const next = fenced[at + 1];
    const isAnswered = next?.language === 'json' && next.follows;
    return [{ line, commands: text, ...(isAnswered && { answer: next.text }) }];
  });
}

interface Fenced {
  readonly language: string;
  readonly line: number;
  readonly text: string;
  readonly isRun: boolean;
  /** Whether it follows the previous block directly. */
  readonly follows: boolean;
}

function fencedBlocks(lines: readonly string[]): Fenced[] {
  const blocks: Fenced[] = [];
  let after = 0;
  for (let at = 0; at < lines.length; at++) {
    const language = FENCE.exec(lines[at])?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf('```', at + 1);
    blocks.push({
      language,
      line: at + 2,
      text: lines.slice(at + 1, end).join('\n'),
      isRun: !NOT_RUN.test(lines[at - 1] ?? ''),
      follows: lines.slice(after, at).every((between) => between === ''),
    });
    at = end;
    after = end + 1;
  }
  return blocks;
}

const DONE = '--- block done ---';

/**
 * A shell that runs blocks in sequence, so that they share variables. It exits at the first failing command, including
 * HTTP errors.
 */
export class Terminal {
  private readonly shell: ChildProcessWithoutNullStreams;
  private printed = '';

  constructor(options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly prelude: string }) {
    this.shell = spawn('bash', ['--noprofile', '--norc'], { cwd: options.cwd, env: options.env });
    for (const stream of [this.shell.stdout, this.shell.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.printed += text));
    this.shell.stdin.write(`set -eo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n${options.prelude}\n`);
  }

  /** Runs a block and returns its output. Rejects with the output if a command fails. */
  run(commands: string): Promise<string> {
    this.printed = '';
    this.shell.stdin.write(`${commands}\necho\necho '${DONE}'\n`);
    return new Promise((resolve, reject) => {
      const failed = (): void => reject(new Error(`failed:\n${commands}\nprinted:\n${this.printed}`));
      const look = (): void => {
        if (!this.printed.includes(DONE)) return;
        this.shell.off('close', failed).stdout.off('data', look);
        resolve(this.printed.slice(0, this.printed.indexOf(DONE)).trim());
      };
      this.shell.once('close', failed).stdout.on('data', look);
    });
  }

  close(): void {
    this.shell.kill();
  }
}

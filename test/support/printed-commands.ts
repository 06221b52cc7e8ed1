import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';

/** A block of shell commands in a page, and the answer that is printed after it. */
export interface PrintedBlock {
  /** Of its first line, from 1. */
  readonly line: number;
  readonly commands: string;
  /** The JSON block that follows it, as printed: members may be left out as `…`. */
  readonly answer?: string;
}

const FENCE = /^```(\w*)\s*$/;
/** Stands in the line before a block that cannot run in a test, and says why. */
const NOT_RUN = /^<!-- not run: .+ -->$/;

/** The blocks of a Markdown page marked `sh`, in their order, but for those that say why they are not run. */
export function printedBlocks(page: string): PrintedBlock[] {
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
  /** Nothing but empty lines stands between it and the block before. */
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
 * One shell that runs block after block, so that variables of one are known in the next. It ends with the first command
 * that fails; an answer of HTTP that is no success fails too.
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

  /** What the block printed. Rejects with it when a command failed. */
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

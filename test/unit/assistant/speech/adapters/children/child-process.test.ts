import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  runProcess,
  type ProcessLimits,
  type ProcessCommand,
} from '../../../../../../src/assistant/speech/adapters/children/child-process.js';
import { hasCode } from '../../../../../../src/errors.js';
import { neverAborted } from '../../../../../support/speech-engines.js';

const BOUNDS: ProcessLimits = { memoryMb: 256, cpuSeconds: 10, timeoutMs: 15_000, maxOutputBytes: 1000 };

const script = (text: string, bounds: Partial<ProcessLimits> = {}, ...args: string[]): ProcessCommand => ({
  command: process.execPath,
  args: ['-e', text, ...args],
  searchPath: '',
  input: new Uint8Array(),
  limits: { ...BOUNDS, ...bounds },
});

const outcome = (order: ProcessCommand) => runProcess(order, neverAborted());

/** Signal 0 checks whether the process exists. */
const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

describe('Programs in child processes', () => {
  it('get their input and arguments as they are, and return output, error output and exit code', async () => {
    const echo =
      'process.stdin.on("data", (part) => process.stdout.write(part)).on("end", () => { console.error(process.argv[1]); process.exitCode = 3; })';
    const argument = '$(touch /tmp/x) "; `id` \'';
    assert.deepEqual(await outcome({ ...script(echo, {}, argument), input: Buffer.from('what is said') }), {
      output: Buffer.from('what is said'),
      errorOutput: `${argument}\n`,
      exitCode: 3,
    });
  });

  it('see nothing of the environment', async () => {
    process.env['LLM_API_KEY_OF_TEST'] = 'secret';
    const { output } = await outcome(
      script(
        'console.log(Object.keys(process.env).filter((name) => name !== "PWD" && name !== "_" && name !== "SHLVL").sort().join())',
      ),
    );
    delete process.env['LLM_API_KEY_OF_TEST'];
    assert.equal(output.toString().trim(), 'LANG,PATH');
  });

  it('may not be there', async () => {
    assert.equal((await outcome({ ...script(''), command: 'no-such-program' })).exitCode, 127);
  });

  it('may end without reading their input', async () => {
    assert.equal((await outcome({ ...script('process.exit(5)'), input: new Uint8Array(10_000_000) })).exitCode, 5);
  });

  const killed: Record<string, [string, Partial<ProcessLimits>]> = {
    'at their deadline': ['setInterval(() => 0, 1000)', { timeoutMs: 300 }],
    'when they write too much': ['setInterval(() => process.stdout.write("x".repeat(600)), 1)', {}],
  };
  for (const [when, [text, bounds]] of Object.entries(killed)) {
    it(`are killed ${when}`, async () => {
      await assert.rejects(outcome(script(text, bounds)), (error) => hasCode(error, 'unavailable'));
    });
  }

  (process.platform === 'linux' ? it : it.skip)('are held to memory and processor time by the kernel', async () => {
    const hungry = await outcome(script('const all = []; for (;;) all.push(new Float32Array(1e6).fill(1))'));
    assert.notEqual(hungry.exitCode, 0);
    const busy = await outcome(script('for (;;) {}', { cpuSeconds: 1 }));
    assert.equal(busy.exitCode, undefined);
  });

  it('are killed, and gone, when nobody waits for them any more', async () => {
    const leaving = new AbortController();
    const file = join(tmpdir(), `hindsight-pid-${process.pid}`);
    const order = script(
      'require("fs").writeFileSync(process.argv[1], String(process.pid)); process.kill(process.ppid, "SIGUSR2"); setInterval(() => 0, 1000)',
      {},
      file,
    );
    const running = runProcess(order, leaving.signal);
    await new Promise((resolve) => process.once('SIGUSR2', resolve));
    const pid = Number(readFileSync(file, 'utf8'));
    rmSync(file);
    assert.ok(!isGone(pid));
    leaving.abort(new Error('gone'));
    await assert.rejects(running, /gone/);
    await assert.rejects(runProcess(order, leaving.signal), /gone/);
    while (!isGone(pid)) await new Promise((resolve) => setImmediate(resolve));
  });
});

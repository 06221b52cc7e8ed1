import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The project's folder: scripts work from any working directory. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Child processes lead groups of their own, so that what they have started ends with them. Windows has no such groups. */
const HAS_GROUPS = process.platform !== 'win32';

/**
 * Runs a program in the project's folder with our output; resolves to whether it succeeded.
 * SIGTERM and SIGINT end the program, with all that it has started, and then this process with status 0.
 */
export async function runProgram(command, args, options = {}) {
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', detached: HAS_GROUPS, ...options });
  const closed = new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }));
    child.once('exit', (status) => resolve({ status }));
  });
  const stopOnSignal = () => {
    endGroup(child);
    void closed.then(() => process.exit(0));
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, stopOnSignal);
  const { status, error } = await closed;
  for (const signal of ['SIGTERM', 'SIGINT']) process.off(signal, stopOnSignal);
  if (error) console.error(`cannot run ${command}: ${error.message}`);
  return status === 0;
}

/** Sends SIGTERM to a child process and to what it has started. */
function endGroup(child) {
  if (child.pid === undefined) return;
  if (HAS_GROUPS) process.kill(-child.pid, 'SIGTERM');
  else child.kill('SIGTERM');
}

/** Ends the script with one line that says what went wrong. */
export function stop(message) {
  console.error(`hindsight: ${message}`);
  process.exit(1);
}

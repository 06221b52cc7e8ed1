import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The project's folder: scripts work from any working directory. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a program in the project's folder with our output; answers whether it succeeded. */
export function succeeds(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
  if (result.error) console.error(`cannot run ${command}: ${result.error.message}`);
  return result.status === 0;
}

/** Ends the script with one line that says what went wrong. */
export function stop(message) {
  console.error(`hindsight: ${message}`);
  process.exit(1);
}

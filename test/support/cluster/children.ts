import type { ChildProcess } from 'node:child_process';

const living = new Set<ChildProcess>();

/** Whatever ends this process ends the child, too: a run that is broken off leaves nothing behind. */
export function endWithUs(child: ChildProcess): void {
  if (living.size === 0) process.once('exit', endAll);
  living.add(child);
  child.once('exit', () => {
    living.delete(child);
    if (living.size === 0) process.off('exit', endAll);
  });
}

function endAll(): void {
  for (const child of living) child.kill('SIGKILL');
}

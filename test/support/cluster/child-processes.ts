import type { ChildProcess } from 'node:child_process';

const children = new Set<ChildProcess>();

/** Kills the child when this process exits, so that an aborted test run leaves no processes behind. */
export function killOnExit(child: ChildProcess): void {
  if (children.size === 0) process.once('exit', killAll);
  children.add(child);
  child.once('exit', () => {
    children.delete(child);
    if (children.size === 0) process.off('exit', killAll);
  });
}

function killAll(): void {
  for (const child of children) child.kill('SIGKILL');
}

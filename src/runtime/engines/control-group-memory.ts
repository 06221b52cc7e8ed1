import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The value of version 1 without a limit: the largest multiple of a page, in any page size. */
const MIN_UNLIMITED = 2 ** 60;

/**
 * Memory limit (bytes) of the control group of this process, or of a group around it if that is lower; undefined without
 * a limit and on systems without control groups. Understands versions 1 and 2; in version 2 the value above which the
 * kernel slows a group down counts as a limit too. `root`: folder that holds `proc` and
 * `sys`.
 */
export function readControlGroupMemory(root = '/'): number | undefined {
  const limits = findGroups(root).flatMap(({ folder, files, path }) =>
    withParents(path).flatMap((group) => files.map((file) => readLimit(join(root, folder, group, file)))),
  );
  const found = limits.filter((limit) => limit !== undefined);
  return found.length === 0 ? undefined : Math.min(...found);
}

interface Group {
  readonly folder: string;
  readonly files: readonly string[];
  readonly path: string;
}

/** Lines of /proc/self/cgroup: `0::/path` in version 2, `5:cpu,memory:/path` in version 1. */
function findGroups(root: string): Group[] {
  const lines = (readText(join(root, 'proc/self/cgroup')) ?? '').split('\n');
  return lines.flatMap((line): Group[] => {
    const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (path === undefined) return [];
    if (controllers === '') return [{ folder: 'sys/fs/cgroup', files: ['memory.max', 'memory.high'], path }];
    if (!controllers.split(',').includes('memory')) return [];
    return [{ folder: 'sys/fs/cgroup/memory', files: ['memory.limit_in_bytes'], path }];
  });
}

/** The group and all groups around it. In a container the path may be that of the host: then only the root exists. */
function withParents(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}

function readLimit(file: string): number | undefined {
  const limit = Number(readText(file)?.trim() || NaN);
  return limit > 0 && limit < MIN_UNLIMITED ? limit : undefined;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return undefined;
    throw error;
  }
}

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readControlGroupMemory } from '../../../../src/runtime/engines/control-group-memory.js';

describe('the memory limit of the control group', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'hindsight-control-group-'))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function given(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
  }

  it('is that of the group of the process in version 2', () => {
    given({
      'proc/self/cgroup': '0::/system.slice/hindsight.service\n',
      'sys/fs/cgroup/system.slice/memory.max': 'max\n',
      'sys/fs/cgroup/system.slice/hindsight.service/memory.max': '1073741824\n',
    });
    assert.equal(readControlGroupMemory(root), 2 ** 30);
  });

  it('is the lowest of the groups around the process', () => {
    given({
      'proc/self/cgroup': '0::/pods/one/container\n',
      'sys/fs/cgroup/pods/one/memory.max': '805306368\n',
      'sys/fs/cgroup/pods/one/container/memory.max': '1073741824\n',
    });
    assert.equal(readControlGroupMemory(root), 768 * 2 ** 20);
  });

  it('is the value above which the kernel slows the group down, if that is lower', () => {
    given({
      'proc/self/cgroup': '0::/app\n',
      'sys/fs/cgroup/app/memory.max': '4294967296\n',
      'sys/fs/cgroup/app/memory.high': '3221225472\n',
    });
    assert.equal(readControlGroupMemory(root), 3 * 2 ** 30);
  });

  it('is that of the container in whose name space the path of the host does not exist', () => {
    given({ 'proc/self/cgroup': '0::/docker/0123456789ab\n', 'sys/fs/cgroup/memory.max': '2147483648\n' });
    assert.equal(readControlGroupMemory(root), 2 ** 31);
  });

  it('is that of the memory controller in version 1, whatever the empty version 2 beside it says', () => {
    given({
      'proc/self/cgroup': '12:cpu,cpuacct:/app\n5:hugetlb,memory:/app\n0::/\n',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
      'sys/fs/cgroup/memory/app/memory.limit_in_bytes': '943718400\n',
    });
    assert.equal(readControlGroupMemory(root), 900 * 2 ** 20);
  });

  it('is undefined without a limit, and where there are no control groups', () => {
    assert.equal(readControlGroupMemory(root), undefined);
    given({ 'proc/self/cgroup': '0::/\n', 'sys/fs/cgroup/memory.max': 'max\n' });
    assert.equal(readControlGroupMemory(root), undefined);
    given({
      'proc/self/cgroup': '3:memory:/\n',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
    });
    assert.equal(readControlGroupMemory(root), undefined);
  });
});

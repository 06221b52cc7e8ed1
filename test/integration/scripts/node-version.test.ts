import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CHECK = new URL('../../../../scripts/prepare/node-version.mjs', import.meta.url).href;

/** What the check says to a Node of this version: exit code and output. */
function check(version: string, forTests = false): [code: number | null, output: string] {
  const program = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
    const { requireNode } = await import('${CHECK}');
    requireNode(${forTests});`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  return [status, stdout + stderr];
}

describe('the version of Node', () => {
  it('is refused in one line where it is too old, and tests want a newer one', () => {
    assert.deepEqual(check('18.20.4'), [1, 'hindsight: Node.js 20.12 or newer is needed, this is 18.20.4\n']);
    assert.deepEqual(check('20.11.1'), [1, 'hindsight: Node.js 20.12 or newer is needed, this is 20.11.1\n']);
    assert.deepEqual(check('20.18.0', true), [
      1,
      'hindsight: Node.js 20.19, 22.12 or newer is needed for the tests, this is 20.18.0\n',
    ]);
    assert.equal(check('22.11.0', true)[0], 1);
  });

  it('is taken otherwise, also of a later major with a small minor', () => {
    for (const version of ['20.12.0', '22.0.0']) assert.deepEqual(check(version), [0, '']);
    for (const version of ['20.19.0', '22.12.0', '24.1.0']) assert.deepEqual(check(version, true), [0, '']);
  });

  it('is looked at before anything is installed or built', () => {
    const prepare = fileURLToPath(new URL('../../../../scripts/prepare.mjs', import.meta.url));
    const old =
      "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.0.0'}})";
    const { status, stderr } = spawnSync(process.execPath, ['--import', old, prepare], { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [1, 'hindsight: Node.js 20.12 or newer is needed, this is 18.0.0\n']);
  });
});

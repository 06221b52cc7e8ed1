import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { buildCurlCommand } from '../../../../src/http/docs/operation-view.js';
import { DESCRIBED } from '../../../support/api.js';

/** What a shell makes of a line, with `curl` standing for a program that prints its arguments. */
function argumentsOf(command: string): string[] {
  const printed = execFileSync(
    'sh',
    ['-c', `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${command}`],
    { env: { HINDSIGHT_API_KEY: 'hs_k s', HINDSIGHT_TOKEN: 't t' } },
  );
  return printed.toString().split('\0').slice(0, -1);
}

const call = (path: string, method: 'get' | 'post' | 'put' | 'delete'): string =>
  buildCurlCommand(
    method,
    'https://hindsight.example',
    path,
    DESCRIBED.document.paths[path]?.[method] ?? assert.fail(path),
  );

describe('the curl calls of the page', () => {
  it('have address, version, credentials and body, each one word of the shell', () => {
    const [x, method, url, ...rest] = argumentsOf(call('/apm/traces/{gridSecondaryId}', 'post'));
    assert.deepEqual(
      [x, method, url],
      ['-X', 'POST', 'https://hindsight.example/apm/traces/0a0a0a0a-1111-4222-8333-0123456789ab?api-version=2.0'],
    );
    assert.deepEqual(rest.slice(0, 5), ['-H', 'api-key: hs_k s', '-H', 'Content-Type: application/json', '-d']);
    assert.equal((JSON.parse(rest[5] ?? '') as { serviceName: string }).serviceName, 'checkout');
  });

  it('send a token where no API key may call, and nothing where nothing is needed', () => {
    assert.ok(argumentsOf(call('/admin/grids/{gridSecondaryId}', 'get')).includes('Authorization: Bearer t t'));
    assert.deepEqual(argumentsOf(call('/live', 'get')), ['https://hindsight.example/live']);
  });

  it('send files as forms, keep what is binary in files, and follow streams', () => {
    assert.deepEqual(argumentsOf(call('/assistant/speech/{instanceSecondaryId}/recognize', 'post')).slice(-2), [
      '-F',
      'audio=@question.wav',
    ]);
    assert.deepEqual(argumentsOf(call('/apm/charts/{gridSecondaryId}/charts/{chartId}/render', 'get')).slice(-2), [
      '-o',
      'picture.png',
    ]);
    assert.equal(argumentsOf(call('/apm/diagnostics/{gridSecondaryId}/stream', 'get')).at(-1), '-N');
  });

  it('let nothing of an example be run', () => {
    const operation = structuredClone(DESCRIBED.document.paths['/apm/traces/{gridSecondaryId}']?.post ?? assert.fail());
    const body = { evil: `'; echo $HOME \`id\` $(id) "` };
    const command = buildCurlCommand('post', 'https://x', '/a', {
      ...operation,
      requestBody: { required: true, content: { 'application/json': { schema: {}, example: body } } },
    });
    assert.deepEqual(JSON.parse(argumentsOf(command).at(-1) ?? ''), body);
  });
});

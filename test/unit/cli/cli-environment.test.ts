import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { resolveLoginFolder, readCliEnvironment } from '../../../src/cli/cli-environment.js';
import { SettingsError } from '../../../src/config/settings.js';

describe('environment of the command line', () => {
  it('ignores blank values and removes trailing slashes of URLs', () => {
    assert.deepEqual(readCliEnvironment({ HINDSIGHT_URL: ' ', HINDSIGHT_CLIENT_ID: '' }), {
      url: undefined,
      token: undefined,
      clientId: undefined,
      clientSecret: undefined,
      configHome: undefined,
    });
    assert.equal(readCliEnvironment({ HINDSIGHT_URL: 'https://hindsight.example/' }).url, 'https://hindsight.example');
  });

  it('names the invalid variable', () => {
    assert.throws(
      () => readCliEnvironment({ HINDSIGHT_URL: 'hindsight.example' }),
      (error) => error instanceof SettingsError && error.setting === 'HINDSIGHT_URL',
    );
  });

  it('does not reveal secrets', () => {
    const { token, clientSecret } = readCliEnvironment({ HINDSIGHT_TOKEN: 'aaaa', HINDSIGHT_CLIENT_SECRET: 'bbbb' });
    assert.doesNotMatch(`${String(token)}${JSON.stringify({ token, clientSecret })}`, /aaaa|bbbb/);
    assert.deepEqual([token?.reveal(), clientSecret?.reveal()], ['aaaa', 'bbbb']);
  });

  it('resolves the folder of logins', () => {
    assert.equal(resolveLoginFolder({ configHome: '/x' }), '/x/hindsight');
    assert.equal(resolveLoginFolder({ configHome: undefined }), join(homedir(), '.config', 'hindsight'));
  });
});

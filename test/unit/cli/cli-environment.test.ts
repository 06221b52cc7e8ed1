import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { resolveLoginFolder, readCliEnvironment } from '../../../src/cli/cli-environment.js';
import { SettingsError } from '../../../src/config/settings.js';

describe('what the command line reads of the environment', () => {
  it('is absent where it is blank, and an address has no slash at its end', () => {
    assert.deepEqual(readCliEnvironment({ HINDSIGHT_URL: ' ', HINDSIGHT_CLIENT_ID: '' }), {
      url: undefined,
      token: undefined,
      clientId: undefined,
      clientSecret: undefined,
      configHome: undefined,
    });
    assert.equal(readCliEnvironment({ HINDSIGHT_URL: 'https://hindsight.example/' }).url, 'https://hindsight.example');
  });

  it('names what is wrong', () => {
    assert.throws(
      () => readCliEnvironment({ HINDSIGHT_URL: 'hindsight.example' }),
      (error) => error instanceof SettingsError && error.setting === 'HINDSIGHT_URL',
    );
  });

  it('shows no secret', () => {
    const { token, clientSecret } = readCliEnvironment({ HINDSIGHT_TOKEN: 'aaaa', HINDSIGHT_CLIENT_SECRET: 'bbbb' });
    assert.doesNotMatch(`${String(token)}${JSON.stringify({ token, clientSecret })}`, /aaaa|bbbb/);
    assert.deepEqual([token?.reveal(), clientSecret?.reveal()], ['aaaa', 'bbbb']);
  });

  it('says where logins are kept', () => {
    assert.equal(resolveLoginFolder({ configHome: '/x' }), '/x/hindsight');
    assert.equal(resolveLoginFolder({ configHome: undefined }), join(homedir(), '.config', 'hindsight'));
  });
});

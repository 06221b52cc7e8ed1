import assert from 'node:assert/strict';
import {
  SECRET_ATTRIBUTES,
  createSecretAttributeFilter,
} from '../../../../src/operations/incident-files/secret-attributes.js';

describe('secret attributes', () => {
  const isSecret = createSecretAttributeFilter([...SECRET_ATTRIBUTES, 'enduser.id']);

  it('match by the last part of the key, ignoring case and separators', () => {
    for (const key of [
      'authorization',
      'http.request.header.authorization',
      'http.request.header.Set-Cookie',
      'http.response.header.set_cookie',
      'user.password',
      'X-API-Key',
      'oauth.access_token',
      'enduser.id',
    ])
      assert.ok(isSecret(key), key);
  });

  it('do not match similar keys', () => {
    for (const key of [
      'http.route',
      'token.count',
      'llm.usage.tokens',
      'authorization.result',
      'password_reset',
      'user.id',
      'id',
      '',
    ])
      assert.ok(!isSecret(key), key);
  });
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  apiKeyPrefix,
  toOperatorApiKey,
  mintApiKey,
  parseApiKey,
  isSameSecret,
} from '../../../src/auth/api-key-secret.js';
import { isKeyIdentity, toKeyPrincipal } from '../../../src/auth/principal.js';
import type { MintedApiKey } from '../../../src/commands/grids/grid-commands.js';
import { validateMember } from '../../../src/commands/grids/grid-validation.js';
import { InvalidValue, apiKey as parseSetting } from '../../../src/config/setting-parsers.js';

describe('API keys', () => {
  it('have the form hs_<keyId>_<secret>, 256 bits of secret, and nothing that needs escaping', () => {
    const { text, keyId } = mintApiKey();
    assert.match(text, /^hs_[A-Za-z0-9]{16}_[A-Za-z0-9]{43}$/);
    assert.ok(Math.log2(62) * 43 >= 256);
    assert.ok(text.startsWith(apiKeyPrefix(keyId)));
  });

  it('are all different and use the whole alphabet', () => {
    const keys = Array.from({ length: 500 }, () => mintApiKey());
    assert.equal(new Set(keys.map(({ keyId }) => keyId)).size, 500);
    assert.equal(new Set(keys.map(({ secretHash }) => secretHash)).size, 500);
    assert.equal(new Set(keys.flatMap(({ text }) => [...text.slice(text.lastIndexOf('_') + 1)])).size, 62);
  });

  it('keep their id and change their secret when they are regenerated', () => {
    const first = mintApiKey();
    const second = mintApiKey(first.keyId);
    assert.equal(second.keyId, first.keyId);
    assert.notEqual(second.secretHash, first.secretHash);
  });

  it('come back from their text, with the SHA-256 of the secret', () => {
    const { text, keyId, secretHash } = mintApiKey();
    assert.deepEqual(parseApiKey(text), { keyId, secretHash });
    assert.equal(
      secretHash,
      createHash('sha256')
        .update(text.slice(text.lastIndexOf('_') + 1))
        .digest('hex'),
    );
    assert.deepEqual(toOperatorApiKey(text), { keyId, secretHash, text });
  });

  const malformed = [
    '',
    'hs',
    'hs_',
    'hs__',
    'hs_abc',
    'hs_abc_',
    'hs__secretsecret',
    'hs_abc_short',
    'HS_abc_secretsecret',
    'xx_abc_secretsecret',
    ' hs_abc_secretsecret',
    'hs_abc_secretsecret ',
    'hs_abc_secretsecret\n',
    'hs_a-b_secretsecret',
    'hs_abc_secret secret',
    'hs_abc_secret\0secret',
    `hs_${'a'.repeat(65)}_secretsecret`,
    `hs_abc_${'s'.repeat(257)}`,
    'hs_abc_sécretsécret',
    '{"$ne":null}',
    "hs_abc_' OR 1=1 --",
  ];
  for (const text of malformed) {
    it(`are not ${JSON.stringify(text).slice(0, 50)}`, () => {
      assert.equal(parseApiKey(text), undefined);
      assert.equal(toOperatorApiKey(text), undefined);
      assert.throws(() => parseSetting(text), InvalidValue);
    });
  }

  it('have one form in the settings and at the gate', () => {
    const anyText = fc
      .string({ unit: fc.constantFrom('h', 's', '_', 'a', 'Z', '9', '-', ' '), maxLength: 16 })
      .map((end) => `hs_${end}`);
    const keyLike = fc
      .tuple(fc.stringMatching(/^[A-Za-z0-9]{0,66}$/), fc.stringMatching(/^[A-Za-z0-9_-]{5,12}$/))
      .map(([id, secret]) => `hs_${id}_${secret}`);
    fc.assert(
      fc.property(fc.oneof(anyText, keyLike, fc.string()), (text) => {
        const given = toOperatorApiKey(text);
        if (given === undefined) assert.throws(() => parseSetting(text), InvalidValue);
        else assert.equal(parseSetting(text).reveal(), given.text);
      }),
    );
  });

  it('act under identities that commands let no member have', () => {
    const { id } = toKeyPrincipal({ keyId: 'abc', gridId: 'g1', issuedBy: 'alice' });
    assert.equal(id, 'key:abc');
    assert.ok(isKeyIdentity(id));
    assert.equal(validateMember(id, 'Member')[0]?.field, 'userId');
    assert.deepEqual(validateMember('abc', 'Member'), []);
  });

  it('fit the first Grid as they are', () => {
    const given: MintedApiKey | undefined = toOperatorApiKey('hs_first_0123-4567_89');
    assert.equal(given?.keyId, 'first');
  });

  it('are compared by hash', () => {
    const { secretHash } = mintApiKey();
    assert.ok(isSameSecret(secretHash, secretHash));
    assert.ok(!isSameSecret(secretHash, mintApiKey().secretHash));
    assert.ok(!isSameSecret(secretHash, ''));
    assert.ok(!isSameSecret(secretHash, secretHash.slice(2)));
  });
});

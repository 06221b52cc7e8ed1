import assert from 'node:assert/strict';
import { issuerUrl, createJwksFetcher } from '../../../../src/auth/tokens/issuer-discovery.js';
import { MAX_AGE_MS, REFRESH_AFTER_MS, JwksCache } from '../../../../src/auth/tokens/jwks-cache.js';
import { ABSENT_MS, FETCH_INTERVAL_MS, FETCHES_IN_A_ROW } from '../../../../src/auth/tokens/unknown-key-fetches.js';
import { createTokenVerifier, type VerifyBearer } from '../../../../src/auth/tokens/token-verifier.js';
import { AUDIENCE, IssuerDouble, makeKey, sign, TENANT, type KeyPair } from '../issuer-double.js';

const ISSUER = `https://login.example/${TENANT}/v2.0`;

/** Keys behind a clock that stands still and an issuer that answers when it is told to. */
class Setting {
  now = 1_000_000;
  fetches = 0;
  failures: unknown[] = [];
  published: object[] = [];
  away = false;
  gate: Promise<void> = Promise.resolve();
  /** Sleeps of tokens with unknown keys, in ms. The clock moves on by them, once `awake` is resolved. */
  sleeps: number[] = [];
  awake: Promise<void> = Promise.resolve();
  readonly keys = new JwksCache({
    issuer: ISSUER,
    tenantId: TENANT,
    now: () => this.now,
    onRefreshFailure: (error) => this.failures.push(error),
    sleep: async (ms) => {
      this.sleeps.push(ms);
      await this.awake;
      this.now += ms;
    },
    fetchKeys: async () => {
      this.fetches += 1;
      await this.gate;
      if (this.away) throw new Error('away');
      return { keys: this.published };
    },
  });

  constructor(...published: KeyPair[]) {
    this.publish(...published);
  }

  publish(...keys: KeyPair[]): void {
    this.published = keys.map(({ publicJwk }) => publicJwk);
  }

  async knows(kid: string): Promise<boolean> {
    return (await this.keys.findKey({ alg: 'RS256', kid, declaredAccessToken: false })) !== undefined;
  }

  /** Asks for keys that nobody has, so that the next one has to wait. */
  async useUpFetches(): Promise<void> {
    for (let n = 0; n < FETCHES_IN_A_ROW; n++) assert.equal(await this.knows(`used-${n}`), false);
  }

  /** Resolves when a refresh that runs behind has ended. */
  async settle(): Promise<void> {
    await new Promise(setImmediate);
  }
}

describe('signing keys', () => {
  let first: KeyPair, second: KeyPair;
  before(async () => {
    [first, second] = await Promise.all([makeKey('first'), makeKey('second')]);
  });

  it('are fetched with the first token and kept', async () => {
    const setting = new Setting(first);
    assert.equal(setting.fetches, 0);
    assert.ok((await setting.knows('first')) && (await setting.knows('first')));
    assert.equal(setting.fetches, 1);
  });

  it('are fetched once for a thousand tokens at once', async () => {
    const setting = new Setting(first);
    let release = (): void => undefined;
    setting.gate = new Promise((resolve) => {
      release = resolve;
    });
    const tokens = Array.from({ length: 1_000 }, () => setting.knows('first'));
    release();
    assert.ok((await Promise.all(tokens)).every(Boolean));
    assert.equal(setting.fetches, 1);
  });

  it('roll over: a new key is accepted with its first token', async () => {
    const setting = new Setting(first);
    await setting.knows('first');
    setting.publish(first, second);
    assert.ok((await setting.knows('second')) && (await setting.knows('first')));
    assert.equal(setting.fetches, 2);
  });

  it('are fetched ten times in a row for ids that nobody knows, then every 5 s', async () => {
    const setting = new Setting(first);
    await setting.knows('first');
    await setting.useUpFetches();
    assert.deepEqual([setting.fetches, setting.sleeps.filter((ms) => ms > 0)], [1 + FETCHES_IN_A_ROW, []]);
    for (let n = 1; n <= 3; n++) {
      assert.equal(await setting.knows(`made-up-${n}`), false);
      assert.equal(setting.fetches, 1 + FETCHES_IN_A_ROW + n);
    }
    assert.deepEqual(
      setting.sleeps.filter((ms) => ms > 0),
      Array.from({ length: 3 }, () => FETCH_INTERVAL_MS),
    );
    setting.now += 2 * FETCH_INTERVAL_MS;
    setting.sleeps = [];
    await setting.knows('made-up-4');
    await setting.knows('made-up-5');
    assert.deepEqual(setting.sleeps, [0, 0]);
  });

  it('are accepted with the first token of a new one while others invent ids: all wait for one fetch', async () => {
    const setting = new Setting(first);
    await setting.knows('first');
    await setting.useUpFetches();
    let wake = (): void => undefined;
    setting.awake = new Promise((resolve) => (wake = resolve));
    setting.publish(first, second);
    const invented = Array.from({ length: 400 }, (_, n) => setting.knows(`made-up-${n}`));
    const honest = setting.knows('second');
    const known = await setting.knows('first');
    wake();
    assert.deepEqual([known, await honest], [true, true]);
    assert.ok((await Promise.all(invented)).every((each) => !each));
    assert.equal(setting.fetches, 2 + FETCHES_IN_A_ROW);
  });

  it('let a bounded number of tokens wait; the others are asked to retry, and succeed after the fetch', async () => {
    const setting = new Setting(first);
    await setting.knows('first');
    await setting.useUpFetches();
    let wake = (): void => undefined;
    setting.awake = new Promise((resolve) => (wake = resolve));
    setting.publish(first, second);
    const waiting = Array.from({ length: 1_000 }, (_, n) => setting.knows(`made-up-${n}`));
    await setting.settle();
    await assert.rejects(setting.knows('second'), { code: 'unavailable' });
    wake();
    await Promise.all(waiting);
    assert.ok(await setting.knows('second'));
  });

  it('are not asked for again for 10 s after the issuer did not have one', async () => {
    const setting = new Setting(first);
    await setting.knows('first');
    for (let n = 0; n < 50; n++) assert.equal(await setting.knows('second'), false);
    assert.equal(setting.fetches, 2);
    setting.publish(first, second);
    setting.now += ABSENT_MS - 1;
    assert.equal(await setting.knows('second'), false);
    setting.now += 1;
    assert.equal(await setting.knows('second'), true);
    assert.equal(setting.fetches, 3);
  });

  it('are fetched again for a token that arrives during a fetch', async () => {
    const setting = new Setting(first);
    await setting.knows('first');
    let answer = (): void => undefined;
    setting.gate = new Promise((resolve) => (answer = resolve));
    const earlier = setting.knows('second');
    await setting.settle();
    assert.equal(setting.fetches, 2);
    const later = setting.knows('third');
    answer();
    assert.deepEqual([await earlier, await later], [false, false]);
    assert.equal(setting.fetches, 3);
  });

  it('are not fetched twice for the first token of an unknown key', async () => {
    const setting = new Setting(first);
    assert.equal(await setting.knows('unknown'), false);
    assert.equal(setting.fetches, 1);
  });

  it('are renewed behind the callers after an hour, and a withdrawn one is refused then', async () => {
    const setting = new Setting(first, second);
    await setting.knows('first');
    setting.publish(second);
    setting.now += REFRESH_AFTER_MS - 1;
    assert.ok(await setting.knows('first'));
    await setting.settle();
    assert.equal(setting.fetches, 1);
    setting.now += 1;
    assert.ok(await setting.knows('second'));
    await setting.settle();
    assert.equal(setting.fetches, 2);
    setting.now += 60_000;
    assert.equal(await setting.knows('first'), false);
  });

  it('go on while the issuer is unavailable, for a day at most', async () => {
    const setting = new Setting(first);
    await setting.knows('first');
    setting.away = true;
    for (let hour = 1; hour < 24; hour += 1) {
      setting.now += 3_600_000;
      assert.ok(await setting.knows('first'));
      await setting.settle();
    }
    assert.equal(setting.failures.length, 23);
    setting.now += MAX_AGE_MS - 23 * 3_600_000;
    await assert.rejects(setting.knows('first'), { code: 'unavailable' });
    setting.away = false;
    setting.now += 2_000;
    assert.ok(await setting.knows('first'));
  });

  it('do not make callers wait for a slow renewal', async () => {
    const setting = new Setting(first);
    await setting.knows('first');
    setting.now += REFRESH_AFTER_MS;
    setting.gate = new Promise(() => undefined);
    for (let n = 0; n < 100; n += 1) assert.ok(await setting.knows('first'));
    assert.equal(setting.fetches, 2);
  });

  it('are asked for again 2 s after a first failure, not by each token', async () => {
    const setting = new Setting(first);
    setting.away = true;
    for (let n = 0; n < 50; n += 1) await assert.rejects(setting.knows('first'), { code: 'unavailable' });
    assert.equal(setting.fetches, 1);
    setting.away = false;
    setting.now += 1_999;
    await assert.rejects(setting.knows('first'), { code: 'unavailable' });
    setting.now += 1;
    assert.ok(await setting.knows('first'));
  });

  it('are passed by where they are secret, for encryption, without id or made twice', async () => {
    const setting = new Setting();
    const { publicJwk } = first;
    setting.published = [
      { kty: 'oct', k: 'c2VjcmV0', kid: 'oct' },
      { ...publicJwk, kid: 'enc', use: 'enc' },
      { ...publicJwk, kid: 'private', d: 'AAAA' },
      { ...publicJwk, kid: undefined },
      { ...publicJwk, kid: 'twice' },
      { ...second.publicJwk, kid: 'twice' },
      { ...publicJwk, kid: 'ours', issuer: ISSUER },
      { ...publicJwk, kid: 'theirs', issuer: 'https://login.example/other/v2.0' },
    ];
    const known = await Promise.all(
      ['oct', 'enc', 'private', 'twice', 'ours', 'theirs'].map((kid) => setting.knows(kid)),
    );
    assert.deepEqual(known, [false, false, false, false, true, false]);
  });
});

describe('published keys', () => {
  const issuer = new IssuerDouble();
  let key: KeyPair, next: KeyPair, verify: VerifyBearer;

  before(async () => {
    await issuer.listen();
    [key, next] = await Promise.all([makeKey('key'), makeKey('next')]);
  });
  beforeEach(() => {
    issuer.keys = [key.publicJwk];
    issuer.mode = 'up';
    issuer.requests = [];
    issuer.discoveredIssuer = undefined;
    verify = createTokenVerifier({
      issuer: issuer.issuer,
      tenantId: TENANT,
      audience: AUDIENCE,
      appPermission: 'Grid.Access',
      fetchKeys: createJwksFetcher(issuer.issuer, 200),
      onRefreshFailure: (error) => assert.fail(String(error)),
    });
  });
  after(() => issuer.close());

  async function token(by: KeyPair = key): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return sign(by, { iss: issuer.issuer, aud: AUDIENCE, oid: 'alice', exp: now + 60 });
  }

  it('are found through the discovery document, which is read once', async () => {
    assert.ok((await verify(await token())).ok);
    issuer.keys = [key.publicJwk, next.publicJwk];
    assert.ok((await verify(await token(next))).ok);
    assert.deepEqual(issuer.requests, [`/${TENANT}/v2.0/.well-known/openid-configuration`, '/keys', '/keys']);
  });

  for (const mode of ['away', 'silent', 'garbage', 'huge'] as const) {
    it(`are unavailable while the issuer is ${mode}`, async () => {
      issuer.mode = mode;
      await assert.rejects(verify(await token()), { code: 'unavailable' });
    });

    it(`still serve while the issuer is ${mode}`, async () => {
      await verify(await token());
      issuer.mode = mode;
      assert.ok((await verify(await token())).ok);
      await assert.rejects(verify(await token(next)), { code: 'unavailable' });
    });
  }

  it('are not believed from a document of another issuer', async () => {
    issuer.discoveredIssuer = `${issuer.url}/other/v2.0`;
    await assert.rejects(verify(await token()), { code: 'unavailable' });
    assert.equal(issuer.keyFetches, 0);
  });
});

describe('issuer', () => {
  it('is made of directory and tenant, however the address ends', () => {
    assert.equal(issuerUrl('https://login.example', 'dev'), 'https://login.example/dev/v2.0');
    assert.equal(issuerUrl('https://login.example/base//', 'dev'), 'https://login.example/base/dev/v2.0');
  });
});

import assert from 'node:assert/strict';
import { mintApiKey } from '../../../src/auth/api-key-format.js';
import {
  CachedAccessControl,
  type AccessLookups,
  type CachedAccessControlOptions,
} from '../../../src/auth/cached-access-control.js';
import { ExpiringCache } from '../../../src/auth/expiring-cache.js';
import { type HindsightError } from '../../../src/errors.js';

type Answers = { [Name in keyof AccessLookups]: Awaited<ReturnType<AccessLookups[Name]>> };

/** Look-ups that answer from `answers` and count; `hold` keeps answers back until it is released. */
class Lookups implements AccessLookups {
  answers: Answers = { grid: undefined, apiKey: undefined, member: undefined, expiryMark: 0 };
  calls: string[] = [];
  failure: Error | undefined;
  gate: Promise<void> = Promise.resolve();

  grid(gridId: string): Promise<Answers['grid']> {
    return this.#answer(`grid ${gridId}`, this.answers.grid);
  }

  apiKey(keyId: string): Promise<Answers['apiKey']> {
    return this.#answer(`key ${keyId}`, this.answers.apiKey);
  }

  member(gridId: string, memberId: string): Promise<Answers['member']> {
    return this.#answer(`member ${gridId} ${memberId}`, this.answers.member);
  }

  expiryMark(gridId: string): Promise<number> {
    return this.#answer(`expiry mark ${gridId}`, this.answers.expiryMark);
  }

  hold(): () => void {
    let release = (): void => undefined;
    this.gate = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  async #answer<Answer>(call: string, answer: Answer): Promise<Answer> {
    this.calls.push(call);
    await this.gate;
    if (this.failure !== undefined) throw this.failure;
    return answer;
  }
}

function setUp(options: Partial<CachedAccessControlOptions> = {}) {
  const lookups = new Lookups();
  const clock = { now: 0 };
  const access = new CachedAccessControl(lookups, { retentionDays: 7, now: () => clock.now, ...options });
  return { lookups, clock, access };
}

describe('cached access: API keys', () => {
  const key = mintApiKey();
  const stored = { keyId: key.keyId, gridId: 'g1', secretHash: key.secretHash, kind: 'send', issuedBy: 'bob' } as const;

  it('are looked up once and then cached', async () => {
    const { lookups, access } = setUp();
    lookups.answers.apiKey = stored;
    for (let call = 0; call < 3; call += 1)
      assert.deepEqual(await access.findApiKey(key.text), {
        keyId: key.keyId,
        gridId: 'g1',
        kind: 'send',
        issuedBy: 'bob',
      });
    assert.deepEqual(lookups.calls, [`key ${key.keyId}`]);
  });

  it('are reported when used, with the correct secret or not; unknown ones are not', async () => {
    const heard: string[] = [];
    const { lookups, access } = setUp({
      usageListener: {
        recordUse: ({ keyId, gridId }) => heard.push(`${keyId} of ${gridId} used`),
        recordRefusal: ({ keyId, gridId }, { kind }) => heard.push(`${keyId} of ${gridId} ${kind}`),
      },
    });
    await access.findApiKey(key.text);
    await access.findApiKey('no key');
    assert.deepEqual(heard, []);
    access.invalidate();
    lookups.answers.apiKey = stored;
    await access.findApiKey(key.text);
    await access.findApiKey(mintApiKey(key.keyId).text);
    assert.deepEqual(heard, [`${key.keyId} of g1 used`, `${key.keyId} of g1 wrong-secret`]);
  });

  it('are refused with another secret, without asking again', async () => {
    const { lookups, access } = setUp();
    lookups.answers.apiKey = stored;
    await access.findApiKey(key.text);
    assert.equal(await access.findApiKey(mintApiKey(key.keyId).text), undefined);
    assert.equal(lookups.calls.length, 1);
  });

  it('are not looked up at all where the form is wrong', async () => {
    const { lookups, access } = setUp();
    assert.equal(await access.findApiKey('hs_nothing'), undefined);
    assert.deepEqual(lookups.calls, []);
  });

  it('are refused at once when they were regenerated here', async () => {
    const { lookups, access } = setUp();
    lookups.answers.apiKey = stored;
    await access.findApiKey(key.text);
    const renewed = mintApiKey(key.keyId);
    lookups.answers.apiKey = { ...stored, secretHash: renewed.secretHash };
    access.invalidate();
    assert.equal(await access.findApiKey(key.text), undefined);
    assert.ok(await access.findApiKey(renewed.text));
  });

  it('are refused within a second when they were revoked elsewhere', async () => {
    const { lookups, access, clock } = setUp();
    lookups.answers.apiKey = stored;
    await access.findApiKey(key.text);
    lookups.answers.apiKey = undefined;
    clock.now = 999;
    assert.ok(await access.findApiKey(key.text));
    clock.now = 1_000;
    assert.equal(await access.findApiKey(key.text), undefined);
  });

  it('are accepted at once when they were issued here after a refusal', async () => {
    const { lookups, access } = setUp();
    assert.equal(await access.findApiKey(key.text), undefined);
    assert.equal(await access.findApiKey(key.text), undefined);
    assert.equal(lookups.calls.length, 1, 'the refusal is remembered');
    lookups.answers.apiKey = stored;
    access.invalidate();
    assert.ok(await access.findApiKey(key.text));
  });

  it('share one lookup between a thousand concurrent callers', async () => {
    const { lookups, access } = setUp();
    lookups.answers.apiKey = stored;
    const release = lookups.hold();
    const callers = Array.from({ length: 1_000 }, () => access.findApiKey(key.text));
    release();
    assert.ok((await Promise.all(callers)).every((found) => found?.gridId === 'g1'));
    assert.equal(lookups.calls.length, 1);
  });

  it('in use stay known while ten thousand made-up ones are tried', async () => {
    const { lookups, access } = setUp({ maxEntries: 100 });
    lookups.answers.apiKey = stored;
    await access.findApiKey(key.text);
    lookups.answers.apiKey = undefined;
    for (let n = 0; n < 10_000; n += 1) await access.findApiKey(`hs_made${n}_secretsecret`);
    const before = lookups.calls.length;
    assert.ok(await access.findApiKey(key.text));
    assert.equal(lookups.calls.length, before);
  });
});

describe('cached access: Grids and roles', () => {
  it('applies the default retention where the Grid has none of its own', async () => {
    const { lookups, access } = setUp();
    lookups.answers.grid = { gridId: 'g1', subscriptionActive: true, retentionDays: null };
    assert.deepEqual(await access.findGrid('g1'), { gridId: 'g1', subscriptionActive: true, retentionDays: 7 });
    lookups.answers.grid = { gridId: 'g1', subscriptionActive: false, retentionDays: 0 };
    access.invalidate();
    assert.deepEqual(await access.findGrid('g1'), { gridId: 'g1', subscriptionActive: false, retentionDays: 0 });
  });

  it('looks up the expiry mark of a Grid once, and again once it may have changed', async () => {
    const { lookups, access, clock } = setUp();
    lookups.answers.expiryMark = 5;
    assert.deepEqual([await access.findExpiryMark('g1'), await access.findExpiryMark('g1')], [5, 5]);
    assert.deepEqual(lookups.calls, ['expiry mark g1']);
    lookups.answers.expiryMark = 9;
    clock.now = 1_000;
    assert.equal(await access.findExpiryMark('g1'), 9);
    lookups.failure = new Error('away');
    access.invalidate();
    await assert.rejects(access.findExpiryMark('g1'), { code: 'unavailable' });
  });

  it('knows a Grid until it is told to forget', async () => {
    const { lookups, access } = setUp();
    lookups.answers.grid = { gridId: 'g1', subscriptionActive: true, retentionDays: null };
    await access.findGrid('g1');
    await access.findGrid('g1');
    assert.equal(lookups.calls.length, 1);
    access.invalidate();
    await access.findGrid('g1');
    assert.equal(lookups.calls.length, 2);
  });

  it('does not confuse Grid and member of different lengths', async () => {
    const { lookups, access } = setUp();
    await access.findRole('g1', 'bob');
    await access.findRole('g1/bob', '');
    await access.findRole('g1', 'bo');
    assert.equal(new Set(lookups.calls).size, 3);
  });

  it('never lets an application be the user of the same id, or the other way round', async () => {
    const { lookups, access } = setUp();
    lookups.answers.member = { gridId: 'g1', role: 'Owner', kind: 'user' };
    assert.equal(await access.findRole('g1', 'alice', 'user'), 'Owner');
    assert.equal(await access.findRole('g1', 'alice', 'application'), undefined);
    lookups.answers.member = { gridId: 'g1', role: 'Owner', kind: 'application' };
    access.invalidate();
    assert.equal(await access.findRole('g1', 'alice', 'user'), undefined);
    assert.equal(await access.findRole('g1', 'alice', 'application'), 'Owner');
  });

  it('counts a membership without a kind for either', async () => {
    const { lookups, access } = setUp();
    lookups.answers.member = { gridId: 'g1', role: 'User' };
    assert.deepEqual(
      [await access.findRole('g1', 'x', 'user'), await access.findRole('g1', 'x', 'application')],
      ['User', 'User'],
    );
  });

  it('says unavailable while look-ups fail, keeps no failure, and keeps the cause', async () => {
    const { lookups, access } = setUp();
    lookups.failure = new Error('connection lost');
    await assert.rejects(
      access.findRole('g1', 'bob'),
      (error: HindsightError) => error.code === 'unavailable' && error.cause === lookups.failure,
    );
    lookups.failure = undefined;
    lookups.answers.member = { gridId: 'g1', role: 'User' };
    assert.equal(await access.findRole('g1', 'bob'), 'User');
  });
});

describe('expiring cache', () => {
  const limits = { ttlMs: 1_000, maxEntries: 3 };

  it('does not keep an answer that was asked for before a change', async () => {
    const cache = new ExpiringCache<{ version: number }>(limits, () => 0);
    let answer = (_: { version: number }): void => undefined;
    const early = cache.get(
      'k',
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    cache.clear();
    const late = cache.get('k', async () => ({ version: 2 }));
    answer({ version: 1 });
    assert.deepEqual([await early, await late], [{ version: 1 }, { version: 2 }]);
    assert.deepEqual(await cache.get('k', async () => ({ version: 3 })), { version: 2 });
  });

  it('counts the age from the question', async () => {
    let now = 0;
    const cache = new ExpiringCache<{ version: number }>(limits, () => now);
    await cache.get('k', async () => {
      now = 900;
      return { version: 1 };
    });
    now = 1_000;
    assert.deepEqual(await cache.get('k', async () => ({ version: 2 })), { version: 2 });
  });

  it('holds no more than it may, of found and of missing, and lets the oldest go', async () => {
    const cache = new ExpiringCache<{ n: number }>(limits, () => 0);
    for (let n = 0; n < 10; n += 1) {
      await cache.get(`found${n}`, async () => ({ n }));
      await cache.get(`missing${n}`, async () => undefined);
    }
    assert.equal(cache.size, 6);
    assert.deepEqual(await cache.get('found7', async () => ({ n: -1 })), { n: 7 });
    assert.deepEqual(await cache.get('found6', async () => ({ n: -1 })), { n: -1 });
  });

  it('forgets a failure', async () => {
    const cache = new ExpiringCache<{ n: number }>(limits, () => 0);
    await assert.rejects(
      cache.get('k', async () => {
        throw new Error('away');
      }),
      /away/,
    );
    assert.deepEqual(await cache.get('k', async () => ({ n: 1 })), { n: 1 });
  });
});

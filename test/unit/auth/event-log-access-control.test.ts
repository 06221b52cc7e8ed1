import assert from 'node:assert/strict';
import { findMemberRole } from '../../../src/auth/member-role.js';
import type { Role } from '../../../src/streams/events/grid-events.js';
import { mintApiKey } from '../../../src/auth/api-key-secret.js';
import {
  EventLogAccessControl,
  type AccessLog,
  type AccessSource,
  type EventLogAccessControlOptions,
} from '../../../src/auth/event-log-access-control.js';
import { HindsightError } from '../../../src/errors.js';

type Records = {
  -readonly [Name in 'grid' | 'apiKey' | 'member']:
    Exclude<Awaited<ReturnType<AccessSource[Name]>>, undefined> | undefined;
};

/** One record of each kind, and the questions for it. */
class Source implements AccessSource {
  readonly records: Records = { grid: undefined, apiKey: undefined, member: undefined };
  readonly questions: string[] = [];

  grid = (gridId: string) => this.answer(`grid ${gridId}`, this.records.grid);
  apiKey = (keyId: string) => this.answer(`key ${keyId}`, this.records.apiKey);
  retentionWatermark = (gridId: string) => this.answer(`watermark ${gridId}`, 7);
  member = (gridId: string, memberId: string) => this.answer(`member ${gridId} ${memberId}`, this.records.member);

  private answer<Found>(question: string, found: Found): Found {
    this.questions.push(question);
    return found;
  }
}

/** A log that can be unavailable, and whose next read may find something. */
class Log implements AccessLog {
  readonly records = new Source();
  isCaughtUp = true;
  isAway = false;
  reads = 0;
  onRead: () => void = () => undefined;

  async ensureCurrent(): Promise<void> {
    if (this.isAway || !this.isCaughtUp) throw new HindsightError('unavailable', 'the log is unavailable');
  }

  async refresh(): Promise<void> {
    this.reads += 1;
    this.onRead();
    await this.ensureCurrent();
  }
}

class ReadModels extends Source {
  failure: Error | undefined;

  async ask<Found>(found: Found): Promise<Found> {
    if (this.failure !== undefined) throw this.failure;
    return found;
  }
}

/** Each look at this clock is a second later. */
function createClock(): () => number {
  let now = 0;
  return () => (now += 1_000);
}

function setUp(options: Partial<EventLogAccessControlOptions> = {}) {
  const log = new Log();
  const access = new EventLogAccessControl(log, { retentionDays: 7, now: createClock(), ...options });
  return { log, access };
}

function setUpBoth() {
  const readModels = new ReadModels();
  const asked: AccessSource = {
    retentionWatermark: async (gridId) => readModels.ask(readModels.retentionWatermark(gridId)),
    grid: async (gridId) => readModels.ask(readModels.grid(gridId)),
    apiKey: async (keyId) => readModels.ask(readModels.apiKey(keyId)),
    member: async (gridId, memberId) => readModels.ask(readModels.member(gridId, memberId)),
  };
  return { ...setUp({ readModels: asked }), readModels };
}

const key = mintApiKey();
const stored = { keyId: key.keyId, gridId: 'g1', secretHash: key.secretHash, kind: 'send', issuedBy: 'alice' } as const;

describe('access by the event log: API keys', () => {
  it('are found in memory, without reading the log', async () => {
    const { log, access } = setUp();
    log.records.records.apiKey = stored;
    assert.deepEqual(await access.findApiKey(key.text), {
      keyId: key.keyId,
      gridId: 'g1',
      kind: 'send',
      issuedBy: 'alice',
    });
    assert.deepEqual([log.records.questions, log.reads], [[`key ${key.keyId}`], 0]);
  });

  it('that are malformed are refused without a look', async () => {
    const { log, access } = setUp();
    assert.equal(await access.findApiKey('hs_nothing'), undefined);
    assert.deepEqual([log.records.questions, log.reads], [[], 0]);
  });

  it('that are unknown are refused only after another look at the log, which may hold them by now', async () => {
    const { log, access } = setUp();
    assert.equal(await access.findApiKey(key.text), undefined);
    assert.equal(log.reads, 1);
    log.onRead = () => (log.records.records.apiKey = stored);
    assert.ok(await access.findApiKey(key.text));
    assert.equal(log.reads, 2);
  });

  it('with another secret are refused only after another look at the log, which may hold that secret by now', async () => {
    const { log, access } = setUp();
    log.records.records.apiKey = stored;
    const renewed = mintApiKey(key.keyId);
    assert.equal(await access.findApiKey(renewed.text), undefined);
    log.onRead = () => (log.records.records.apiKey = { ...stored, secretHash: renewed.secretHash });
    assert.ok(await access.findApiKey(renewed.text));
    assert.equal(await access.findApiKey(key.text), undefined);
  });

  it('are reported when used, once each, with the correct secret or not; unknown ones are not', async () => {
    const notified: string[] = [];
    const { log, access } = setUp({
      usageListener: {
        recordUse: ({ keyId, gridId }) => notified.push(`${keyId} of ${gridId} used`),
        recordRefusal: ({ keyId, gridId }, { kind }) => notified.push(`${keyId} of ${gridId} ${kind}`),
      },
    });
    await access.findApiKey(key.text);
    await access.findApiKey('no key');
    assert.deepEqual(notified, []);
    log.records.records.apiKey = stored;
    await access.findApiKey(key.text);
    await access.findApiKey(mintApiKey(key.keyId).text);
    assert.deepEqual(notified, [`${key.keyId} of g1 used`, `${key.keyId} of g1 wrong-secret`]);
  });
});

describe('access by the event log: Grids and roles', () => {
  it('applies the default retention where the Grid has none of its own', async () => {
    const { log, access } = setUp();
    log.records.records.grid = { gridId: 'g1', subscriptionActive: true, retentionDays: null };
    assert.deepEqual(await access.findGrid('g1'), { gridId: 'g1', subscriptionActive: true, retentionDays: 7 });
    log.records.records.grid = { gridId: 'g1', subscriptionActive: false, retentionDays: 0 };
    assert.deepEqual(await access.findGrid('g1'), { gridId: 'g1', subscriptionActive: false, retentionDays: 0 });
  });

  it('never lets an application be the user of the same id, or the other way round', async () => {
    const { log, access } = setUp();
    log.records.records.member = { role: 'Owner', kind: 'user' };
    assert.equal(await access.findRole('g1', 'alice', 'user'), 'Owner');
    assert.equal(await access.findRole('g1', 'alice', 'application'), undefined);
    log.records.records.member = { role: 'Owner', kind: 'application' };
    assert.equal(await access.findRole('g1', 'alice', 'user'), undefined);
    assert.equal(await access.findRole('g1', 'alice', 'application'), 'Owner');
  });

  it('counts a membership without a kind for either', async () => {
    const { log, access } = setUp();
    log.records.records.member = { role: 'User' };
    assert.deepEqual(
      [await access.findRole('g1', 'x', 'user'), await access.findRole('g1', 'x', 'application')],
      ['User', 'User'],
    );
  });

  it('knows before when telemetry has expired', async () => {
    assert.equal(await setUp().access.findRetentionWatermark('g1'), 7);
  });

  it('looks again before a Grid or a member is unknown', async () => {
    const { log, access } = setUp();
    assert.equal(await access.findGrid('g1'), undefined);
    assert.equal(await access.findRole('g1', 'bob'), undefined);
    assert.equal(log.reads, 2);
    log.onRead = () => (log.records.records.member = { role: 'Guest' });
    assert.equal(await access.findRole('g1', 'bob'), 'Guest');
  });
});

describe('access by the event log: looks before a denial', () => {
  const caller = (role?: Role) =>
    ({ kind: 'user', id: 'bob', ...(role && { roles: new Map([['g1', role]]) }) }) as const;

  it('are not made for members by their token, unless the role is not enough', async () => {
    const { log, access } = setUp();
    assert.equal(await findMemberRole(access, caller('User'), 'g1'), 'User');
    assert.equal(await findMemberRole(access, caller('Member'), 'g1', ['Member', 'Owner']), 'Member');
    assert.equal(log.reads, 0);
    log.onRead = () => (log.records.records.member = { role: 'Owner' });
    assert.equal(await findMemberRole(access, caller('User'), 'g1', ['Member', 'Owner']), 'Owner');
    assert.equal(log.reads, 1);
  });

  it('are made four times a second at most for each subject, and shared by its requests', async () => {
    let now = 0;
    const { log, access } = setUp({ now: () => now });
    for (now = 0; now < 1_000; now += 50)
      await Promise.all([access.findRole('g1', 'bob', 'user'), access.findRole('g1', 'bob', 'user')]);
    assert.equal(log.reads, 4);
    await access.findRole('g1', 'eve', 'user');
    assert.equal(log.reads, 5);
    log.onRead = () => (log.records.records.member = { role: 'Guest' });
    assert.deepEqual(await Promise.all([1, 2].map(() => access.findRole('g1', 'ada', 'user'))), ['Guest', 'Guest']);
  });
});

describe('access while the log cannot be read', () => {
  it('is unavailable without read models, also for what was known, and never a refusal', async () => {
    const { log, access } = setUp();
    log.records.records.apiKey = stored;
    log.isAway = true;
    await assert.rejects(access.findApiKey(key.text), { code: 'unavailable' });
    await assert.rejects(access.findGrid('g1'), { code: 'unavailable' });
    await assert.rejects(access.findRole('g1', 'bob'), { code: 'unavailable' });
  });

  it('is unavailable if it goes away at the look before a refusal', async () => {
    const { log, access } = setUp();
    log.onRead = () => (log.isAway = true);
    await assert.rejects(access.findApiKey(key.text), { code: 'unavailable' });
  });

  it('is what the read models say, as long as the last records of the log agree', async () => {
    const { log, access, readModels } = setUpBoth();
    log.isAway = true;
    assert.equal(await access.findApiKey(key.text), undefined);
    assert.equal(await access.findRole('g1', 'bob'), undefined);
    const grid = { gridId: 'g1', subscriptionActive: true, retentionDays: null };
    for (const { records } of [log.records, readModels])
      Object.assign(records, { apiKey: stored, grid, member: { role: 'User', kind: 'user' } });
    assert.ok(await access.findApiKey(key.text));
    assert.equal(await access.findApiKey(mintApiKey(key.keyId).text), undefined);
    assert.equal((await access.findGrid('g1'))?.subscriptionActive, true);
    assert.equal(await access.findRole('g1', 'bob', 'user'), 'User');
    assert.equal(await access.findRole('g1', 'bob', 'application'), undefined);
  });

  for (const [name, known, projected] of [
    ['a key that only the log has seen revoked', {}, { apiKey: stored }],
    ['a key that only the read models have seen revoked', { apiKey: stored }, {}],
    ['a secret that only the log has seen replaced', { apiKey: { ...stored, secretHash: 'ab' } }, { apiKey: stored }],
    [
      'a role that only the read models have seen reduced',
      { member: { role: 'Owner' } },
      { member: { role: 'Guest' } },
    ],
    ['a role that only the log has seen end', {}, { member: { role: 'Owner' } }],
    [
      'a subscription that only the log has seen end',
      { grid: { gridId: 'g1', subscriptionActive: false, retentionDays: 1 } },
      { grid: { gridId: 'g1', subscriptionActive: true, retentionDays: 1 } },
    ],
  ] as const)
    it(`is unavailable for ${name}`, async () => {
      const { log, access, readModels } = setUpBoth();
      log.isAway = true;
      Object.assign(log.records.records, known);
      Object.assign(readModels.records, projected);
      const ask = 'grid' in projected ? access.findGrid('g1') : access.findApiKey(key.text);
      await assert.rejects('member' in projected ? access.findRole('g1', 'bob') : ask, { code: 'unavailable' });
    });

  it('is what the read models say before the log was ever read to its end; their keys may have no kind yet', async () => {
    const { log, access, readModels } = setUpBoth();
    log.isCaughtUp = false;
    const { kind: _kind, issuedBy: _issuedBy, ...ofFormerVersion } = stored;
    readModels.records.apiKey = ofFormerVersion;
    assert.deepEqual(await access.findApiKey(key.text), {
      keyId: key.keyId,
      gridId: 'g1',
      kind: 'full',
      issuedBy: '',
    });
  });

  it('is never denied before the log was read to its end: read models may lack the key that was just issued', async () => {
    const { log, access, readModels } = setUpBoth();
    log.isCaughtUp = false;
    for (const ask of [access.findApiKey(key.text), access.findGrid('g1'), access.findRole('g1', 'bob')])
      await assert.rejects(ask, { code: 'unavailable' });
    readModels.records.apiKey = { ...stored, secretHash: 'of a secret that was replaced' };
    await assert.rejects(access.findApiKey(key.text), { code: 'unavailable' });
  });

  it('is unavailable while neither can be read, and keeps the cause', async () => {
    const { log, access, readModels } = setUpBoth();
    log.isAway = true;
    readModels.failure = new Error('connection lost');
    await assert.rejects(
      access.findRole('g1', 'bob'),
      (error: HindsightError) => error.code === 'unavailable' && error.cause === readModels.failure,
    );
  });

  it('never asks the read models while the log can be read', async () => {
    const { log, access, readModels } = setUpBoth();
    readModels.failure = new Error('connection lost');
    log.records.records.apiKey = stored;
    assert.ok(await access.findApiKey(key.text));
    assert.equal(await access.findApiKey(mintApiKey().text), undefined);
    assert.equal(await access.findGrid('g1'), undefined);
    assert.deepEqual(readModels.questions, []);
  });
});

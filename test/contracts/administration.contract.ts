import assert from 'node:assert/strict';
import type { Administration, Grid } from '../../src/operations/administration/administration-port.js';
import { hasCode, type ErrorCode } from '../../src/errors.js';

export interface AdministrationUnderTest {
  readonly administration: Administration;
  /** Name of the actor in the audit log. */
  readonly actor: string;
  /** Error code for a Grid that does not exist. */
  readonly unknownGrid: ErrorCode;
}

const NO_PRIMARY = '00000000-0000-4000-8000-000000000000';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The contract of `Administration`, for every implementation. The store behind it need not be empty. */
export function administrationContract(
  name: string,
  subject: () => Promise<AdministrationUnderTest> | AdministrationUnderTest,
): void {
  describe(`administration ${name}`, () => {
    let administration: Administration;
    let actor: string;
    let unknownGrid: ErrorCode;
    let grid: Grid;

    before(async () => void ({ administration, actor, unknownGrid } = await subject()));
    beforeEach(async () => void (grid = await administration.createGrid(`shop of ${name}`, 'alice')));

    const rejects = (work: Promise<unknown>, code: ErrorCode, fields?: readonly string[]): Promise<void> =>
      assert.rejects(work, (error: Error & { fields?: readonly { field: string }[] }) => {
        assert.ok(hasCode(error, code), `${error.message} (not ${code})`);
        if (fields !== undefined) assert.deepEqual(error.fields?.map(({ field }) => field).sort(), fields);
        return true;
      });

    it('creates a Grid with default settings, and shows and lists it immediately', async () => {
      const { gridSecondaryId, createdAt, retentionDays, ...rest } = grid;
      assert.deepEqual(rest, {
        name: `shop of ${name}`,
        apdexThresholdMs: 500,
        errorRateThreshold: 5,
        apdexHealthThreshold: 0.7,
        subscriptionActive: true,
      });
      assert.ok(retentionDays === null || retentionDays === 7, 'as RETENTION_DAYS of the service says');
      assert.match(createdAt, ISO);
      assert.deepEqual(await administration.readGrid(gridSecondaryId), grid);
      assert.deepEqual(
        (await administration.listGrids()).find((each) => each.gridSecondaryId === gridSecondaryId),
        grid,
      );
    });

    it('rejects an invalid name and lists all errors', async () => {
      await rejects(administration.createGrid(''), 'invalid-request', ['name']);
      await rejects(
        administration.changeGrid(grid.gridSecondaryId, { apdexThresholdMs: 0, errorRateThreshold: 101 }),
        'invalid-request',
        ['apdexThresholdMs', 'errorRateThreshold'],
      );
    });

    it('changes the given settings and no others', async () => {
      const changed = await administration.changeGrid(grid.gridSecondaryId, {
        name: 'other',
        apdexThresholdMs: 300,
        retentionDays: 0,
      });
      assert.deepEqual(changed, { ...grid, name: 'other', apdexThresholdMs: 300, retentionDays: 0 });
      assert.deepEqual(await administration.readGrid(grid.gridSecondaryId), changed);
    });

    it('deactivates and reactivates the subscription', async () => {
      assert.equal(
        (await administration.changeGrid(grid.gridSecondaryId, { subscriptionActive: false })).subscriptionActive,
        false,
      );
      assert.equal(
        (await administration.changeGrid(grid.gridSecondaryId, { subscriptionActive: true })).subscriptionActive,
        true,
      );
    });

    it('sets, lists and removes members', async () => {
      const { addedAt, ...bob } = await administration.setMember(grid.gridSecondaryId, 'bob', 'Guest');
      assert.deepEqual(bob, { userId: 'bob', role: 'Guest', addedBy: actor });
      assert.match(addedAt, ISO);
      assert.equal((await administration.setMember(grid.gridSecondaryId, 'bob', 'Member')).role, 'Member');
      const roles = new Map(
        (await administration.listMembers(grid.gridSecondaryId)).map(({ userId, role }) => [userId, role]),
      );
      assert.deepEqual([roles.get('alice'), roles.get('bob')], ['Owner', 'Member']);
      await administration.removeMember(grid.gridSecondaryId, 'bob');
      assert.ok(!(await administration.listMembers(grid.gridSecondaryId)).some(({ userId }) => userId === 'bob'));
      await rejects(administration.removeMember(grid.gridSecondaryId, 'bob'), 'not-found');
    });

    it('accepts names with any characters unchanged', async () => {
      for (const userId of ['a/b', 'ümläut +%2F?#&', '...', 'x@example.com', '{}']) {
        assert.equal((await administration.setMember(grid.gridSecondaryId, userId, 'User')).userId, userId);
        await administration.removeMember(grid.gridSecondaryId, userId);
      }
    });

    it('keeps the last Owner', async () => {
      const others = (await administration.listMembers(grid.gridSecondaryId)).filter(
        ({ userId, role }) => role === 'Owner' && userId !== actor && userId !== 'alice',
      );
      assert.deepEqual(others, []);
      // The caller removes its own access last.
      const last = (await administration.listMembers(grid.gridSecondaryId)).some(({ userId }) => userId === actor)
        ? actor
        : 'alice';
      if (last !== 'alice') await administration.removeMember(grid.gridSecondaryId, 'alice');
      await rejects(administration.removeMember(grid.gridSecondaryId, last), 'last-owner');
      await rejects(administration.setMember(grid.gridSecondaryId, last, 'Guest'), 'last-owner');
    });

    it('issues a key whose secret is shown once, regenerates the secret, and revokes the key', async () => {
      const issued = await administration.issueApiKey(grid.gridSecondaryId, 'checkout', 'send');
      assert.match(issued.apiKey, new RegExp(`^hs_${issued.keyId}_\\w{43}$`));
      assert.deepEqual([issued.name, issued.kind, ISO.test(issued.createdAt)], ['checkout', 'send', true]);
      const [listed, ...others] = await administration.listApiKeys(grid.gridSecondaryId);
      assert.deepEqual(others, []);
      assert.deepEqual(listed, {
        keyId: issued.keyId,
        name: 'checkout',
        kind: 'send',
        prefix: `hs_${issued.keyId}_`,
        role: 'Member',
        createdAt: issued.createdAt,
        createdBy: actor,
        lastUsedAt: null,
        lastSent: [],
      });
      assert.ok(!JSON.stringify(listed).includes(issued.apiKey.slice(-20)));
      const again = await administration.regenerateApiKey(grid.gridSecondaryId, issued.keyId);
      assert.deepEqual({ ...again, apiKey: '' }, { ...issued, apiKey: '' });
      assert.notEqual(again.apiKey, issued.apiKey);
      await administration.revokeApiKey(grid.gridSecondaryId, issued.keyId);
      assert.deepEqual(await administration.listApiKeys(grid.gridSecondaryId), []);
      await rejects(administration.revokeApiKey(grid.gridSecondaryId, issued.keyId), 'not-found');
      await rejects(administration.regenerateApiKey(grid.gridSecondaryId, issued.keyId), 'not-found');
    });

    it('lists audit entries newest first, in pages', async () => {
      await administration.changeGrid(grid.gridSecondaryId, { name: 'other' });
      await administration.issueApiKey(grid.gridSecondaryId, 'checkout', 'full');
      const first = await administration.readAuditPage(grid.gridSecondaryId, 1, 1);
      assert.deepEqual(
        [first.page, first.pageSize, first.entries.map(({ action }) => action)],
        [1, 1, ['api-key.issued']],
      );
      const all = await administration.readAuditPage(grid.gridSecondaryId, 1, 100);
      assert.equal(all.totalCount, all.entries.length);
      assert.equal(first.totalCount, all.totalCount);
      assert.ok(all.entries.every((entry) => entry.actor === actor && ISO.test(entry.at)));
      assert.deepEqual(
        all.entries.map(({ action }) => action).filter((action) => action !== 'member.set'),
        ['api-key.issued', 'grid.settings-changed', 'grid.created'],
      );
      assert.deepEqual((await administration.readAuditPage(grid.gridSecondaryId, 2, 1)).entries, [all.entries[1]]);
    });

    it('rejects an unknown Grid', async () => {
      const asking = [
        () => administration.readGrid(NO_PRIMARY),
        () => administration.listMembers(NO_PRIMARY),
        () => administration.listApiKeys(NO_PRIMARY),
        () => administration.readAuditPage(NO_PRIMARY, 1, 20),
        () => administration.changeGrid(NO_PRIMARY, { name: 'x' }),
        () => administration.setMember(NO_PRIMARY, 'bob', 'Guest'),
        () => administration.issueApiKey(NO_PRIMARY, 'x', 'full'),
      ];
      for (const ask of asking) await rejects(ask(), unknownGrid);
    });
  });
}

import assert from 'node:assert/strict';
import type { Answer, ApiClient } from '../support/api-client.js';
import { ServiceProcess } from '../support/service.js';
import { signIn } from '../support/sign-in.js';

const AT_ONCE = 50;
const CHART = { title: 'Failures', chartType: 'line', metric: 'error_rate' };
const RULE = { name: 'Fails', metric: 'error_rate', operator: '>', threshold: 5, severity: 'warning' };

/** How each kind of record is changed for the nth time. */
const KINDS = [
  { kind: 'charts', made: CHART, change: (n: number) => ({ ...CHART, title: `by ${n}` }) },
  { kind: 'dashboards', made: { title: 'Board' }, change: (n: number) => ({ title: `by ${n}` }) },
  { kind: 'alert-rules', made: RULE, change: (n: number) => ({ ...RULE, threshold: 6 + n }) },
] as const;

const tagOf = ({ headers }: Answer<unknown>): string => headers.get('etag') ?? assert.fail('no tag');

describe('concurrent edits of the same record', function () {
  this.timeout(60_000);
  let service: ServiceProcess;
  let owner: ApiClient;
  let grid: string;

  before(async () => {
    service = await ServiceProcess.start({ RATE_LIMIT_USER_PER_MINUTE: '0' });
    grid = `/admin/grids/${(await service.bootstrap()).gridId}`;
    owner = await signIn(service.apiUrl, 'owner');
  });
  after(() => service.dispose());

  async function made(kind: string, body: object): Promise<{ readonly path: string; readonly tag: string }> {
    const created = await owner.post<{ id: string }>(`${grid}/${kind}`, body);
    assert.equal(created.status, 201, JSON.stringify(created.body));
    return { path: `${grid}/${kind}/${created.body.id}`, tag: tagOf(created) };
  }

  for (const { kind, made: first, change } of KINDS) {
    it(`exactly one of ${AT_ONCE} edits succeeds and the others get a conflict: ${kind}`, async () => {
      const { path, tag } = await made(kind, first);
      assert.equal(tagOf(await owner.get(path)), tag);
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) => owner.with({ 'If-Match': tag }).put(path, change(n))),
      );
      const through = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status }) => status === 412);
      assert.deepEqual([through.length, refused.length], [1, AT_ONCE - 1]);
      for (const { body } of refused) {
        assert.match(String(body['type']), /\/problems\/precondition-failed$/);
        assert.match(String(body['detail']), /This .* has changed since you read it. Read it again/);
      }
      const now = await owner.get(path);
      assert.deepEqual([now.body, tagOf(now)], [through[0].body, tagOf(through[0])]);
      assert.notEqual(tagOf(now), tag);
    });

    it(`If-Match also applies to deletion, and only if sent: ${kind}`, async () => {
      const { path, tag } = await made(kind, first);
      assert.equal((await owner.put(path, change(1))).status, 200);
      assert.equal((await owner.with({ 'If-Match': tag }).delete(path)).status, 412);
      assert.equal((await owner.with({ 'If-Match': `W/${tagOf(await owner.get(path))}` }).delete(path)).status, 412);
      const either = `${tag}, ${tagOf(await owner.get(path))}`;
      assert.equal((await owner.with({ 'If-Match': either }).delete(path)).status, 204);
      for (const ifMatch of ['*', tag])
        assert.equal((await owner.with({ 'If-Match': ifMatch }).delete(path)).status, 404);
    });
  }

  it('conflicting changes of Grid settings are detected', async () => {
    const tag = tagOf(await owner.get(grid));
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) =>
        owner.with({ 'If-Match': tag }).patch(grid, { apdexThresholdMs: 600 + n }),
      ),
    );
    assert.deepEqual(
      [answers.filter(({ status }) => status === 200).length, answers.filter(({ status }) => status === 412).length],
      [1, AT_ONCE - 1],
    );
    assert.equal(
      (await owner.with({ 'If-Match': tagOf(await owner.get(grid)) }).patch(grid, { name: 'renamed' })).status,
      200,
    );
  });

  it('renaming a chart conflicts with edits of a dashboard that shows its title', async () => {
    const chart = await made('charts', CHART);
    const chartId = chart.path.split('/').at(-1);
    const board = await made('dashboards', {
      title: 'Board',
      charts: [{ chartId, position: { row: 0, col: 0, width: 6, height: 4 } }],
    });
    assert.equal((await owner.put(chart.path, { ...CHART, title: 'Renamed' })).status, 200);
    const now = tagOf(await owner.get(board.path));
    assert.notEqual(now, board.tag);
    assert.equal((await owner.with({ 'If-Match': board.tag }).put(board.path, { title: 'Mine' })).status, 412);
    assert.equal((await owner.with({ 'If-Match': now }).put(board.path, { title: 'Mine' })).status, 200);
  });
});

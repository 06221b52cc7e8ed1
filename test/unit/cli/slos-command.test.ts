import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runCliWith } from '../../support/run-cli.js';

const CHECKOUT = 'checkout is available';
const SLOS = [
  { id: 'o-1', name: CHECKOUT },
  { id: 'o-2', name: 'twice' },
  { id: 'o-3', name: 'twice' },
];
const REPORT = { markdown: '# checkout is available\n\n99.95 % of 12,000 requests were good.' };
const ASSESSMENT = {
  name: CHECKOUT,
  status: 'met',
  objective: 99.9,
  windowDays: 28,
  sli: 99.95,
  errorBudget: { remainingPercent: 50 },
  burnRates: { '1h': 0.5, '3d': 0.4 },
};
const UNCOUNTED = { name: 'gold', failure: { message: 'where is wrong at position 3' } };

describe('hindsight slos', () => {
  let server: Server;
  let asked: string[];
  let uncounted: object[];
  before(async () => {
    server = createServer(({ url = '' }, response) => {
      asked.push(url);
      const answers: Record<string, object> = {
        '/admin/grids': { grids: [{ gridSecondaryId: 'g', name: 'shop' }] },
        '/admin/grids/g/slos': { slos: SLOS },
        '/apm/slos/g': { slos: [ASSESSMENT], uncounted },
      };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[url] ?? REPORT));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => {
    asked = [];
    uncounted = [];
  });
  after(() => void server.close());

  const run = (...words: string[]) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return runCliWith({ HINDSIGHT_TOKEN: 'token' }, 'slos', ...words, '--url', url);
  };

  it('print the report of a month, by the name or the id of the objective', async () => {
    const named = await run('report', CHECKOUT, '--month', '2026-10', '--zone', 'Europe/Berlin');
    assert.deepEqual([named.code, named.stdout.trimEnd()], [0, REPORT.markdown], named.stderr);
    assert.equal(asked.at(-1), '/apm/slos/g/o-1/report?month=2026-10&zone=Europe%2FBerlin');

    const json = await run('report', 'o-3', '--json');
    assert.deepEqual(JSON.parse(json.stdout), REPORT);
    assert.match(asked.at(-1)!, /^\/apm\/slos\/g\/o-3\/report\?month=\d{4}-\d{2}&zone=UTC$/);
  });

  it('take no name that no or several objectives have', async () => {
    assert.match(
      (await run('report', 'chekout')).stderr,
      /None of the objectives of the Grid has the id or name "chekout"/,
    );
    const { code, stderr } = await run('report', 'twice');
    assert.notEqual(code, 0);
    assert.match(stderr, /2 objectives have the name "twice"; use one of the ids o-2, o-3/);
    assert.equal(asked.at(-1), '/admin/grids/g/slos');
  });

  it('list budgets and burn rates, and fail if some were not counted', async () => {
    const all = await run('list');
    assert.equal(all.code, 0, all.stderr);
    assert.match(all.stdout, /checkout is available +met +99\.9 % \/ 28 d +99\.95 % +50 % +0\.5 +0\.4/);

    uncounted = [UNCOUNTED];
    const some = await run('list');
    assert.notEqual(some.code, 0);
    assert.match(some.stdout, /not counted: gold: where is wrong at position 3/);
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { formatIncident, formatIncidents } from '../../../src/cli/commands/incidents-command.js';
import { runCliWith } from '../../support/run-cli.js';

const INCIDENT = {
  id: 'i-1',
  title: 'payment responds slowly',
  status: 'acknowledged',
  severity: 'critical',
  startedAt: '2026-03-14T09:26:00Z',
  endedAt: null,
  cause: { confidence: 0.92, evidence: ['p95 of payment is 776 % above the hour before'] },
  affectedServices: ['payment', 'checkout'],
  alertCount: 3,
  firingCount: 2,
  acknowledgedBy: 'ann',
  timeline: [
    { at: '2026-03-14T09:27:00Z', description: 'Acknowledged by ann.', by: 'ann' },
    { at: '2026-03-14T09:28:00Z', description: 'Restarted\n  2026-03-14T09:29:00Z  Resolved by bob.', by: 'ann' },
  ],
  timelineCount: 5,
};

describe('hindsight incidents', function () {
  it('list each in a line', () => {
    assert.equal(formatIncidents([]), 'no incidents');
    const [titles, line] = formatIncidents([INCIDENT]).split('\n');
    assert.match(titles, /^ID +STATUS +SEVERITY +INCIDENT +SINCE +UNTIL +RESPONSIBLE +FIRING$/);
    assert.match(line, /^i-1 +acknowledged +critical +payment responds slowly +2026-03-14T09:26:00Z +- +ann +2$/);
  });

  it('show cause, evidence and timeline; a note cannot look like other entries', () => {
    const shown = formatIncident(INCIDENT).split('\n');
    assert.ok(shown.includes('confidence         92 %'));
    assert.ok(shown.includes('alerts             2 of 3 fire'));
    assert.ok(shown.includes('  p95 of payment is 776 % above the hour before'));
    assert.deepEqual(shown.slice(shown.indexOf('Timeline')), [
      'Timeline',
      '  3 older entries are not shown',
      '  2026-03-14T09:27:00Z  Acknowledged by ann.',
      '  2026-03-14T09:28:00Z  Restarted 2026-03-14T09:29:00Z  Resolved by bob. (ann)',
    ]);
    assert.ok(formatIncident({ ...INCIDENT, cause: null }).includes('No cause is known.'));
  });

  describe('at a service', () => {
    let server: Server;
    let url: string;
    let asked: string[];
    before(async () => {
      server = createServer((request, response) => {
        void text(request).then((body) => {
          asked.push([request.method, request.url, body].join(' ').trim());
          const answer =
            request.url === '/admin/grids' ? { grids: [{ gridSecondaryId: 'g', name: 'shop' }] } : INCIDENT;
          response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
        });
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    beforeEach(() => (asked = []));
    after(() => void server.close());

    async function run(...words: string[]): Promise<{ readonly stdout: string; readonly last: string | undefined }> {
      const { code, stdout, stderr } = await runCliWith(
        { HINDSIGHT_TOKEN: 'token' },
        'incidents',
        ...words,
        '--url',
        url,
      );
      assert.equal(code, 0, stderr);
      return { stdout, last: asked.at(-1) };
    }

    it('ask for what is selected', async () => {
      const { stdout, last } = await run('show', 'i-1', '--as-of', '2026-03-14T09:30:00Z', '--json');
      assert.deepEqual(JSON.parse(stdout), INCIDENT);
      assert.equal(last, 'GET /apm/incidents/g/i-1?asOf=2026-03-14T09%3A30%3A00Z');
    });

    it('send what was done', async () => {
      const acknowledged = await run('ack', 'i-1');
      assert.deepEqual(acknowledged, {
        stdout: 'Acknowledged incident i-1\n',
        last: 'POST /apm/incidents/g/i-1/acknowledge',
      });
      const resolved = await run('resolve', 'i-1', '--note', 'Rolled back');
      assert.equal(resolved.last, 'POST /apm/incidents/g/i-1/resolve {"note":"Rolled back"}');
      const noted = await run('note', 'i-1', 'No change');
      assert.equal(noted.last, 'POST /apm/incidents/g/i-1/notes {"text":"No change"}');
    });
  });
});

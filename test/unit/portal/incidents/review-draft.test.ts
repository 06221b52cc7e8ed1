import assert from 'node:assert/strict';
import {
  type ReviewedIncident,
  writeExportCommand,
  writeReview,
} from '../../../../portal/src/pages/incidents/review-draft.js';

const INCIDENT: ReviewedIncident = {
  id: 'i-1',
  title: 'payment fails more often',
  severity: 'critical',
  startedAt: '2026-03-14T09:00:00.000Z',
  endedAt: '2026-03-14T09:12:00.000Z',
  cause: {
    cause: 'payment fails more often',
    confidence: 0.93,
    evidence: ['38 % more of the calls fail'],
  },
  affectedServices: ['payment', '<b>[x](http://evil.example)</b>'],
  commander: 'ann',
  resolution: 'Rolled back',
  timeline: [{ at: '2026-03-14T09:01:00.000Z', description: 'First line\n# second line' }],
  changes: [],
  similar: [],
};

describe('the draft of a review', () => {
  it('says what, when, who, why and how it ended', () => {
    const text = writeReview(INCIDENT, 'https://hindsight.example/i-1');
    assert.match(text, /^# payment fails more often\n\n/);
    for (const line of [
      '- Began: 2026-03-14 09:00:00 UTC',
      '- Ended: 2026-03-14 09:12:00 UTC (12 min)',
      '- Led by: ann',
      'payment fails more often, confidence 93 %.',
      '- 38 % more of the calls fail',
      '## Resolution\n\nRolled back',
      '## What changed before\n\nNothing.',
    ])
      assert.ok(text.includes(line), line);
  });

  it('lets telemetry and notes become no markup', () => {
    const text = writeReview(INCIDENT, 'https://hindsight.example/i-1');
    assert.ok(text.includes(String.raw`\<b\>\[x\](http://evil.example)\</b\>`), text);
    assert.ok(text.includes(String.raw`- 2026-03-14 09:01:00 UTC First line \# second line`), text);
  });

  it('comes with the command that exports half an hour before until ten minutes after', () => {
    assert.equal(
      writeExportCommand(INCIDENT, 'g-1'),
      'hindsight export --grid g-1 --from 2026-03-14T08:30:00.000Z --to 2026-03-14T09:22:00.000Z --out incident-i-1.slice.ndjson.gz',
    );
  });
});

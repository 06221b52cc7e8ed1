import assert from 'node:assert/strict';
import fc from 'fast-check';
import { placeMarkerLabels } from '../../../src/charts/deployment-markers.js';
import { textWidth } from '../../../src/charts/chart-text.js';

const ROOM = { left: 50, right: 780, textSize: 12 };
const at = (x: number, label = 'checkout 1.4.2') => ({ x, label });

describe('labels of deployments', () => {
  it('stand at their lines', () => {
    assert.deepEqual(placeMarkerLabels([at(100), at(400, 'cart 2.0.1')], ROOM), [
      { x: 100, text: 'checkout 1.4.2' },
      { x: 400, text: 'cart 2.0.1' },
    ]);
  });

  it('take in those that they would run into', () => {
    assert.deepEqual(
      placeMarkerLabels([at(100), at(120), at(180), at(400)], ROOM).map(({ text }) => text),
      ['checkout 1.4.2 +2', 'checkout 1.4.2'],
    );
  });

  it('move to the left at the right edge', () => {
    const [{ x, text }] = placeMarkerLabels([at(775)], ROOM);
    assert.ok(x < 775 && x + textWidth(text, 12) <= ROOM.right);
  });

  it('are cut where they are too long', () => {
    const [{ text }] = placeMarkerLabels([at(100, `payment-service ${'1.2.3-'.repeat(99)}rc1`)], ROOM);
    assert.match(text, /^payment-service.*….*rc1$/);
  });

  it('stay within the chart and never run into one another, and count every marker', () => {
    const markers = fc.array(
      fc.record({
        x: fc.integer({ min: 50, max: 780 }),
        label: fc.string({ minLength: 1, maxLength: 60 }).map((label) => label.replace(/[+…]/g, 'x')),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(markers, (unsorted) => {
        const labels = placeMarkerLabels(
          unsorted.toSorted((a, b) => a.x - b.x),
          ROOM,
        );
        labels.forEach(({ x, text }, index) => {
          const end = x + textWidth(text, 12);
          assert.ok(x >= ROOM.left && end <= ROOM.right + 1, `${x} to ${end}`);
          assert.ok(index + 1 === labels.length || end < labels[index + 1].x);
        });
        assert.equal(
          labels.reduce((sum, { text }) => sum + 1 + Number(/ \+(\d+)$/.exec(text)?.[1] ?? 0), 0),
          unsorted.length,
        );
      }),
    );
  });
});

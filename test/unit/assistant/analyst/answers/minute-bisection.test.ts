import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  narrowBracket,
  nextProbe,
  type Bracket,
} from '../../../../../src/assistant/analyst/answers/minute-bisection.js';

/** Bisects until the minute is found; returns it with the number of probes. */
function find(
  first: number,
  bracket: Bracket,
  candidates: readonly number[],
  likeliest: readonly number[] = [],
): { readonly found: number; readonly looks: number } {
  let left = bracket;
  for (let looks = 0; ; looks++) {
    const look = nextProbe(left, candidates, likeliest);
    if (look === undefined) return { found: left.by, looks };
    assert.ok(look > left.after && look < left.by, `a look at ${look} tells nothing new`);
    left = narrowBracket(left, look, first <= look);
  }
}

describe('the first minute in which something is true', () => {
  const DAY: Bracket = { after: -1, by: 1439 };

  it('is found wherever it is, whatever the candidates', () => {
    const minute = fc.integer({ min: 0, max: 1439 });
    const minutes = fc.uniqueArray(minute, { maxLength: 100 }).map((all) => all.sort((a, b) => a - b));
    fc.assert(
      fc.property(
        minute,
        minutes,
        fc.array(minute, { maxLength: 3 }),
        (first, candidates, likeliest) => find(first, DAY, candidates, likeliest).found === first,
      ),
    );
  });

  it('takes two looks where it is the likeliest', () =>
    assert.deepEqual(find(720, DAY, [3, 500, 720, 721, 1200], [720]), { found: 720, looks: 2 }));

  it('takes three looks where it is the first candidate, and that was the second guess', () =>
    assert.deepEqual(find(3, DAY, [3, 500, 720, 721, 1200], [720, 3]), { found: 3, looks: 3 }));

  it('takes a look for each halving of the candidates, and one to prove it', () => {
    const candidates = Array.from({ length: 64 }, (_, i) => i * 20);
    for (const first of candidates) assert.ok(find(first, DAY, candidates).looks <= 8, String(first));
  });

  it('needs no look where there is one minute', () =>
    assert.deepEqual(find(5, { after: 4, by: 5 }, [5]), { found: 5, looks: 0 }));
});

import assert from 'node:assert/strict';
import { createCanvas, GlobalFonts } from 'canvas';
import { registerFonts } from '../../../src/charts/chart-fonts.js';

const SAMPLES = {
  latin: 'Zürich 0,25 µs €',
  'latin-ext': 'ŁódźžÞ',
  greek: 'Ελλάδα',
  'greek-ext': 'ἀᾶ',
  cyrillic: 'Приветъ',
  'cyrillic-ext': 'Ѣѳ',
  vietnamese: 'Việt ơ₫',
};

/** A private-use character that no font has. */
const UNKNOWN = '\u{e000}';

function drawn(letter: string, font: string): string {
  const canvas = createCanvas(40, 40);
  const context = canvas.getContext('2d');
  context.font = font;
  context.fillText(letter, 4, 30);
  return canvas.data().toString('base64');
}

describe('fonts', () => {
  const registered = registerFonts();
  // Fonts of the machine must not affect the result.
  const families = registered
    .split(', ')
    .filter((family) => family.startsWith('"Inter'))
    .join(', ');

  for (const weight of [400, 600]) {
    const font = `${weight} 24px ${families}`;
    for (const [script, sample] of Object.entries(SAMPLES)) {
      it(`draws every letter of ${script} in weight ${weight}, each in its own way`, () => {
        const letters = [...new Set(sample.replaceAll(' ', ''))];
        const pictures = new Set(letters.map((letter) => drawn(letter, font)));
        assert.equal(pictures.size, letters.length);
        assert.ok(!pictures.has(drawn(UNKNOWN, font)), 'a box for what is missing');
        assert.ok(!pictures.has(drawn(' ', font)), 'nothing at all');
      });
    }
  }

  it('draws a box where no font has the letter: text never vanishes', () => {
    const font = `24px ${families}`;
    assert.notEqual(drawn(UNKNOWN, font), drawn(' ', font));
  });

  it('has two weights', () => {
    assert.notEqual(drawn('m', `400 24px ${families}`), drawn('m', `600 24px ${families}`));
    assert.notEqual(drawn('Ж', `400 24px ${families}`), drawn('Ж', `600 24px ${families}`));
  });

  it('is registered once, however often threads start', () => {
    const known = JSON.stringify(GlobalFonts.families);
    assert.equal(registerFonts(), registered);
    assert.equal(JSON.stringify(GlobalFonts.families), known);
  });
});

import assert from 'node:assert/strict';
import { THEMES } from '../../../src/charts/render-options.js';
import { PALETTES, seriesColour, withOpacity } from '../../../src/charts/colour-palette.js';

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** Simulated colour vision by Machado, Oliveira and Fernandes (2009) at full severity; on linear RGB. */
const EYES: Readonly<Record<string, Matrix>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** In OKLab, where 0.02 is just noticeable. With colour vision deficiencies fewer colours are distinguishable. */
const LEAST = { usual: 0.1, deficient: 0.055 };

const linear = (colour: string): Triple =>
  [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as unknown as Triple;
const times = (matrix: Matrix, [a, b, c]: Triple): Triple =>
  matrix.map((row) => row[0] * a + row[1] * b + row[2] * c) as unknown as Triple;

function contrast(one: string, other: string): number {
  const [a, b] = [one, other].map(
    (colour) =>
      times(
        [
          [0.2126, 0.7152, 0.0722],
          [0, 0, 0],
          [0, 0, 0],
        ],
        linear(colour),
      )[0] + 0.05,
  );
  return Math.max(a, b) / Math.min(a, b);
}

/** Björn Ottosson, "A perceptual color space for image processing" (2020). */
function oklab(colour: string, eye: Matrix): Triple {
  const seen = times(eye, linear(colour)).map((c) => Math.max(0, c)) as unknown as Triple;
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    seen,
  ).map(Math.cbrt) as unknown as Triple;
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

function nearest(colours: readonly string[], eye: Matrix): { readonly distance: number; readonly pair: string } {
  const pairs = colours.flatMap((one, index) =>
    colours.slice(0, index).map((other) => {
      const [a, b] = [oklab(one, eye), oklab(other, eye)];
      return { distance: Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), pair: `${one} ${other}` };
    }),
  );
  return pairs.reduce((a, b) => (b.distance < a.distance ? b : a));
}

for (const theme of THEMES) {
  describe(`palette: ${theme}`, () => {
    const palette = PALETTES[theme];
    const { background, series, other, severities } = palette;

    it('has text that can be read, by WCAG', () => {
      for (const name of ['title', 'text', 'marker', 'info', 'warning', 'critical'] as const)
        assert.ok(contrast(palette[name], background) >= 4.5, name);
    });

    it('has lines that can be seen, by WCAG', () => {
      for (const colour of [...series, other, ...Object.values(severities)])
        assert.ok(contrast(colour, background) >= 3, `${colour}: ${contrast(colour, background)}`);
    });

    for (const [eye, matrix] of Object.entries(EYES)) {
      it(`has colours that are told apart, eyes: ${eye}`, () => {
        for (const colours of [[...series, other], Object.values(severities)]) {
          const { distance, pair } = nearest(colours, matrix);
          assert.ok(distance >= (eye === 'usual' ? LEAST.usual : LEAST.deficient), `${pair}: ${distance.toFixed(3)}`);
        }
      });
    }

    it('has a colour for every series, grey for the others, and its own for severities', () => {
      assert.equal(series.length, 11);
      assert.equal(seriesColour('a', 0, '', theme), series[0]);
      assert.equal(seriesColour('a', 12, 'service', theme), series[1]);
      assert.equal(seriesColour('other', 3, 'service', theme), other);
      assert.equal(seriesColour('Error', 0, 'severity', theme), severities.Error);
      assert.equal(seriesColour('Error', 0, 'service', theme), series[0]);
      assert.equal(seriesColour('constructor', 0, 'severity', theme), series[0]);
    });
  });
}

describe('translucent colours', () => {
  it('carry their opacity', () => {
    assert.equal(withOpacity('#123456', 0.5), '#12345680');
    assert.equal(withOpacity('#123456', 0.01), '#12345603');
  });
});

import { createRequire } from 'node:module';
import { GlobalFonts } from 'canvas';

const FONT_NAME = 'Inter';
const WEIGHTS = [400, 600] as const;

/** The package cuts the font into files by script; `latin` carries what all of them need. */
const SCRIPTS = ['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese'] as const;

/** Other scripts are drawn where the machine has one of these, in this order; else as boxes that say so. */
const SYSTEM_FONTS = [
  'Noto Sans',
  'Noto Sans CJK SC',
  'Noto Sans CJK JP',
  'Noto Sans Arabic',
  'Noto Sans Hebrew',
  'Noto Sans Devanagari',
  'Noto Sans Thai',
  'DejaVu Sans',
];

/** Of several files under one name only one is ever asked, so each script is a family of its own: a list of families falls back glyph by glyph. */
const familyName = (script: (typeof SCRIPTS)[number]): string =>
  script === 'latin' ? FONT_NAME : `${FONT_NAME} ${script}`;

/**
 * Makes the font of the package known to the canvas, for the whole process, and answers the list of families to draw with.
 * Throws where a file is missing or is no font: the canvas would draw pictures without any text.
 */
export function registerFonts(): string {
  const { resolve } = createRequire(import.meta.url);
  for (const script of SCRIPTS) {
    for (const weight of WEIGHTS)
      registerFont(
        resolve(`@fontsource/inter/files/inter-${script}-${weight}-normal.woff2`),
        familyName(script),
        weight,
      );
  }
  const others = SYSTEM_FONTS.filter((family) => GlobalFonts.has(family));
  return [...SCRIPTS.map(familyName), ...others].map((family) => `"${family}"`).join(', ');
}

/** Registered once a process: threads share what is registered, and would add to it with each start. */
function registerFont(path: string, family: string, weight: number): void {
  if (isRegistered(family, weight)) return;
  if (GlobalFonts.registerFromPath(path, family) === null || !isRegistered(family, weight))
    throw new Error(`the font ${path} cannot be used`);
}

function isRegistered(family: string, weight: number): boolean {
  return GlobalFonts.families.some(
    (known) => known.family === family && known.styles.some((style) => style.weight === weight),
  );
}

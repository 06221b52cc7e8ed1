import { createRequire } from 'node:module';
import { GlobalFonts } from 'canvas';

const FONT_NAME = 'Inter';
const WEIGHTS = [400, 600] as const;

/** The package splits the font into files by script; all of them need `latin`. */
const SCRIPTS = ['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese'] as const;

/**
 * Fallback fonts for other scripts, in order of preference, if installed; otherwise missing glyphs are drawn as
 * boxes.
 */
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

/**
 * Only one file per family name is used for lookup, so each script gets its own family name; a list of families falls
 * back glyph by glyph.
 */
const familyName = (script: (typeof SCRIPTS)[number]): string =>
  script === 'latin' ? FONT_NAME : `${FONT_NAME} ${script}`;

/**
 * Registers the packaged font with the canvas, process-wide, and returns the list of font families to draw with.
 * Throws if a file is missing or not a font: the canvas would silently draw pictures without text.
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

/** Once per process: threads share the registry, which would otherwise grow with each thread start. */
function registerFont(path: string, family: string, weight: number): void {
  if (isRegistered(family, weight)) return;
  if (GlobalFonts.registerFromPath(path, family) === null || !isRegistered(family, weight))
    throw new Error(`Cannot load the font ${path}`);
}

function isRegistered(family: string, weight: number): boolean {
  return GlobalFonts.families.some(
    (registered) => registered.family === family && registered.styles.some((style) => style.weight === weight),
  );
}

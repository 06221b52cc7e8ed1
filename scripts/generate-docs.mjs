/**
 * Writes the parts of the docs that are made from source, between their markers. With `--check` nothing is written:
 * it fails when the docs are stale. Needs a build.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { SETTINGS } from '../dist/src/config.js';

const README = new URL('../README.md', import.meta.url);

function settingsTable() {
  const rows = Object.values(SETTINGS).map(({ name, fallback, otherwise, meaning }) => {
    return `| \`${name}\` | ${fallback === undefined ? otherwise : `\`${fallback}\``} | ${meaning} |`;
  });
  return ['| name | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

/** The text with what stands between the section's markers replaced. */
function replaceSection(text, section, content) {
  const [begin, end] = [`<!-- generated: ${section} -->`, `<!-- end: ${section} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md lacks the markers ${begin} and ${end}`);
  return `${text.slice(0, from + begin.length)}\n${content}\n${text.slice(to)}`;
}

const found = readFileSync(README, 'utf8');
const fresh = replaceSection(found, 'settings', settingsTable());

if (found === fresh) {
  console.log('README.md is fresh');
} else if (process.argv.includes('--check')) {
  console.error('README.md is stale: run `npm run docs`');
  process.exitCode = 1;
} else {
  writeFileSync(README, fresh);
  console.log('README.md written');
}

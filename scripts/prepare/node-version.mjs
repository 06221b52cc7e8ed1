import { stop } from './run.mjs';

/** `crypto.hash` came with 20.12; the compiler's own needs are a little older. */
const TO_RUN = { text: 'Node.js 20.12 or newer is needed', fits: atLeast(20, 12) };
/** mocha loads modules with require(), which came with 22.12 and was brought to 20.19. */
const TO_TEST = {
  text: 'Node.js 20.19, 22.12 or newer is needed for the tests',
  fits: (major, minor) => (major === 20 ? minor >= 19 : atLeast(22, 12)(major, minor)),
};

/** Ends the script in one line where Node is too old: whatever would fail later would not say why. */
export function requireNode(forTests) {
  const { text, fits } = forTests ? TO_TEST : TO_RUN;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (!fits(major, minor)) stop(`${text}, this is ${process.versions.node}`);
}

function atLeast(leastMajor, leastMinor) {
  return (major, minor) => major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

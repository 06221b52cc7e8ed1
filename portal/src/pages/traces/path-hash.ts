/** Start value and odd factor of each half of a hash. */
const HALVES = [
  { seed: 0x811c9dc5, factor: 0x01000193 },
  { seed: 0x9e3779b9, factor: 0x85ebca6b },
];

/** 64 bits of a text, as letters and digits. Different texts may, very rarely, have the same. */
export function hashPath(text: string): string {
  return HALVES.map(({ seed, factor }) => {
    let hash = seed;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), factor);
    hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
    return ((hash ^ (hash >>> 15)) >>> 0).toString(36);
  }).join('-');
}

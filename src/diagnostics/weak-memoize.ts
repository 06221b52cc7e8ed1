/**
 * Memoizes a pure function by argument identity for as long as the argument lives. Used for values derived from a
 * single rollup: rollups are immutable and a window moves by one minute, so most of them were processed before.
 */
export function memoizeWeak<Key extends object, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, Result>();
  return (key) => {
    let result = results.get(key);
    if (result === undefined) results.set(key, (result = compute(key)));
    return result;
  };
}

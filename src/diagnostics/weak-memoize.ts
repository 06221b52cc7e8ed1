/**
 * The same function, which remembers what it answered for as long as the argument lives. For what is computed of a single
 * rollup: rollups do not change, and a window moves by one minute, so that most of them have been asked for before.
 */
export function memoizeWeak<Of extends object, Answer>(compute: (of: Of) => Answer): (of: Of) => Answer {
  const known = new WeakMap<Of, Answer>();
  return (of) => {
    let answer = known.get(of);
    if (answer === undefined) known.set(of, (answer = compute(of)));
    return answer;
  };
}

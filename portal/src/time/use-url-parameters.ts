import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** What a page keeps in the address. `change` names what changes; "", undefined and an empty list take it away. The time stays. */
export type ParameterChanges = Readonly<Record<string, string | readonly string[] | undefined>>;

export function useUrlParameters(): readonly [URLSearchParams, (changes: ParameterChanges, replace?: boolean) => void] {
  const [parameters, setParameters] = useSearchParams();
  const change = useCallback(
    (changes: ParameterChanges, replace = false) =>
      setParameters(
        () => {
          // Of the address itself: what was rendered last may be a change or two behind it.
          const next = new URLSearchParams(window.location.search);
          for (const [name, value] of Object.entries(changes)) {
            next.delete(name);
            for (const each of typeof value === 'string' ? [value] : (value ?? [])) {
              if (each !== '') next.append(name, each);
            }
          }
          return next;
        },
        { replace },
      ),
    [setParameters],
  );
  return [parameters, change];
}

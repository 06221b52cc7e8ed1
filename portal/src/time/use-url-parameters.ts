import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** Changes of URL parameters by name. "", undefined and an empty list remove a parameter. */
export type ParameterChanges = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The parameters of the URL now. Those of the last render may lack a change that has just been made. */
export const readUrlParameters = (): URLSearchParams => new URLSearchParams(window.location.search);

/** Page state in the URL: the parameters, and a function that changes some of them (`replace`: without a new history entry). */
export function useUrlParameters(): readonly [URLSearchParams, (changes: ParameterChanges, replace?: boolean) => void] {
  const [parameters, setParameters] = useSearchParams();
  const change = useCallback(
    (changes: ParameterChanges, replace = false) =>
      setParameters(
        () => {
          const next = readUrlParameters();
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

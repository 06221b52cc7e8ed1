import { createContext, useContext } from 'react';

/** The nodes that are lit, while one is pointed at or focused; undefined: all the same. */
export const Highlight = createContext<ReadonlySet<string> | undefined>(undefined);

export function useIsDim(...ids: readonly string[]): boolean {
  const lit = useContext(Highlight);
  return lit !== undefined && !ids.every((id) => lit.has(id));
}

import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useView } from '../../time/use-view';
import { isoOf, stretchOf } from '../../time/view';
import { useMinute } from './use-minute';
import { AGAINST, windowsOf, type Stretch } from './windows';

/** The two windows, from the address; a live one moves with every minute. */
export function useWindows() {
  const [parameters, setParameters] = useSearchParams();
  const { view, isLive } = useView();
  const minute = useMinute(isLive);
  const momentOf = (name: string): number | undefined => {
    const ms = Date.parse(parameters.get(name) ?? '');
    return Number.isNaN(ms) ? undefined : ms;
  };
  const [around, baseFrom, baseTo] = [momentOf('around'), momentOf('baseFrom'), momentOf('baseTo')];
  const said = parameters.get('against') ?? '';
  const against = AGAINST.some(({ id }) => id === said) ? said : 'before';
  const windows = useMemo(() => {
    const baseline =
      baseFrom !== undefined && baseTo !== undefined && baseFrom < baseTo ? { from: baseFrom, to: baseTo } : undefined;
    return windowsOf({ against, around, baseline }, stretchOf(view, minute));
  }, [against, around, baseFrom, baseTo, view, minute]);
  const set = (said: Readonly<Record<string, string>>): void =>
    setParameters((current) => {
      const next = new URLSearchParams(current);
      for (const name of ['against', 'around', 'baseFrom', 'baseTo']) next.delete(name);
      for (const [name, value] of Object.entries(said)) next.set(name, value);
      return next;
    });
  const chosen = around !== undefined ? 'around' : baseFrom !== undefined && baseTo !== undefined ? 'own' : against;
  return {
    windows,
    chosen,
    around,
    choose: (id: string) => set({ against: id }),
    chooseBaseline: ({ from, to }: Stretch) => set({ baseFrom: isoOf(from), baseTo: isoOf(to) }),
  };
}

import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useDiagnostic } from '../../api/use-diagnostic';
import type { View } from '../../time/view';

export interface Causes {
  /** Names of what is to blame now, and of the cause that is looked at. */
  readonly names: ReadonlySet<string>;
  /** The cause that is looked at, from the address; "" is none. */
  readonly chosen: string;
  /** The chosen cause with whom it harms; undefined where none is chosen, or where it is no cause at the time of the map. */
  readonly path: ReadonlySet<string> | undefined;
  readonly leave: () => void;
}

/** What the diagnosis blames at the time of the map. */
export function useCauses(elsewhen: View | undefined): Causes {
  const [parameters, setParameters] = useSearchParams();
  const chosen = parameters.get('cause') ?? '';
  const { data } = useDiagnostic('diagnosis', elsewhen);
  const found = useMemo(() => {
    const blaming = (data?.diagnoses ?? []).filter(({ serviceName }) => serviceName !== null);
    const looked = blaming.find(({ serviceName }) => serviceName === chosen);
    // What is over is told by the diagnosis, and not by the map of now.
    const names = blaming
      .filter((one) => one.severity !== 'info' || one === looked)
      .map(({ serviceName }) => serviceName!);
    return { names: new Set(names), path: looked && new Set([chosen, ...looked.affectedServices]) };
  }, [data, chosen]);
  const leave = (): void =>
    setParameters((current) => {
      const next = new URLSearchParams(current);
      next.delete('cause');
      return next;
    });
  return { ...found, chosen, leave };
}

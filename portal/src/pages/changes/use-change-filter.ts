import { useSearchParams } from 'react-router';
import type { Schemas } from '../../api/client';

export interface ChangeFilter {
  readonly type: string;
  readonly service: string;
  readonly matches: (change: Schemas['Change']) => boolean;
  readonly choose: (name: 'type' | 'service', value: string) => void;
  readonly clear: () => void;
}

/** Which changes are shown, from the address; "" is any. */
export function useChangeFilter(): ChangeFilter {
  const [parameters, setParameters] = useSearchParams();
  const [type, service] = [parameters.get('type') ?? '', parameters.get('service') ?? ''];
  const set = (...said: readonly (readonly [string, string])[]): void =>
    setParameters((current) => {
      const next = new URLSearchParams(current);
      for (const [name, value] of said) {
        if (value === '') next.delete(name);
        else next.set(name, value);
      }
      return next;
    });
  return {
    type,
    service,
    matches: (change) => (type === '' || change.type === type) && (service === '' || change.serviceName === service),
    choose: (name, value) => set([name, value]),
    clear: () => set(['type', ''], ['service', '']),
  };
}

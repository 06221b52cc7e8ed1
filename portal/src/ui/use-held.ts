import { useRef } from 'react';
import { usePointedAt } from './use-pointed-at';

/** A live value that stands still while somebody points at what shows it, or until `release`, as long as it is about the same: `about` is what it answers. */
export function useHeld<Value>(value: Value, about: string) {
  const { isPointedAt, leave: release, handlers } = usePointedAt();
  const held = useRef({ value, about });
  if (!isPointedAt || held.current.about !== about) held.current = { value, about };
  return { value: held.current.value, release, handlers };
}

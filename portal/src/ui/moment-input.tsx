import { useState } from 'react';

interface MomentInputProps {
  /** What it holds at first, as `localInput` writes it. */
  readonly initial: string;
  /** Seconds between the moments that can be chosen. */
  readonly step: number;
  readonly min?: string;
  readonly max?: string;
  readonly className?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Where a moment is typed or picked. The browser keeps it: a value that is given back with each key makes Chromium forget half a year that is typed. */
export function MomentInput({ initial, onChange, ...more }: MomentInputProps) {
  const [first] = useState(initial);
  return (
    <input
      type="datetime-local"
      required
      defaultValue={first}
      onChange={(event) => onChange(event.target.value)}
      {...more}
    />
  );
}

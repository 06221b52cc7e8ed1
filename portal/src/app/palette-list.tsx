import { Command } from 'cmdk';
import { Server } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useDiagnostic } from '../api/use-diagnostic';
import { useGrid } from '../session/use-session';
import { WINDOWS } from '../time/view';
import { usePages } from './pages';
import { gridPath, thingPath } from './paths';
import styles from './command-palette.module.css';

const TRACE_ID = /^[0-9a-f]{32}$/i;

interface PaletteListProps {
  readonly onGo: (path: string) => void;
  /** Told how much time (ms) up to now is to be looked at. */
  readonly onWindow: (ms: number) => void;
}

/** What can be chosen, less with each letter. */
export function PaletteList({ onGo, onWindow }: PaletteListProps) {
  const [text, setText] = useState('');
  const { gridSecondaryId } = useGrid();
  const pages = usePages();
  const services = useDiagnostic('health').data?.services ?? [];
  const input = useRef<HTMLInputElement>(null);
  // The dialog would begin with the frame of the list, which hears no letters.
  useEffect(() => input.current?.focus(), []);
  const traceId = text.trim().toLowerCase();
  return (
    <Command label="Go to">
      <Command.Input
        ref={input}
        value={text}
        onValueChange={setText}
        placeholder="A page, a time, a service, a trace id …"
        className={styles.input}
      />
      <Command.List className={styles.list}>
        <Command.Empty className={styles.empty}>Nothing of that name.</Command.Empty>
        {TRACE_ID.test(traceId) && (
          <Command.Item className={styles.item} onSelect={() => onGo(thingPath(gridSecondaryId, 'traces', traceId))}>
            Open trace {traceId}
          </Command.Item>
        )}
        <Command.Group heading="Pages">
          {pages.map(({ path, title, key, icon: Icon }) => (
            <Command.Item
              key={path}
              value={title}
              className={styles.item}
              onSelect={() => onGo(gridPath(gridSecondaryId, path))}
            >
              <Icon size={15} aria-hidden /> <span>{title}</span> <kbd>g {key}</kbd>
            </Command.Item>
          ))}
        </Command.Group>
        <Command.Group heading="Time">
          {WINDOWS.map(({ name, label, ms }) => (
            <Command.Item key={name} className={styles.item} onSelect={() => onWindow(ms)}>
              {label}, live
            </Command.Item>
          ))}
        </Command.Group>
        {/* Found by their names; all of them would bury the rest. */}
        {text.trim() !== '' && services.length > 0 && (
          <Command.Group heading="Services">
            {services.map(({ serviceName }) => (
              <Command.Item
                key={serviceName}
                value={`service ${serviceName}`}
                className={styles.item}
                onSelect={() => onGo(thingPath(gridSecondaryId, 'services', serviceName))}
              >
                <Server size={15} aria-hidden /> <span>{serviceName}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
      </Command.List>
    </Command>
  );
}

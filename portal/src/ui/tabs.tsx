import { useId, type KeyboardEvent, type ReactNode } from 'react';
import { ReservedBoldWidth } from './reserved-bold-width';
import { isUnmodifiedKey } from './keyboard-navigation';
import styles from './tabs.module.css';

export interface Tab {
  readonly id: string;
  readonly title: string;
  /** Beside it, such as how many it shows. */
  readonly aside?: ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  /** What the chosen tab shows. */
  readonly children: ReactNode;
}

/** Tabs as WAI-ARIA describes them: arrows move, and what they reach is shown. */
export function Tabs({ label, tabs, chosen, onChoose, children }: TabsProps) {
  const id = useId();
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined || !isUnmodifiedKey(event)) return;
    const next = tabs[(tabs.findIndex((tab) => tab.id === chosen) + step + tabs.length) % tabs.length]!;
    onChoose(next.id);
    document.getElementById(`${id}-${next.id}`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={label} className={styles.list} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${id}-${tab.id}`}
            type="button"
            role="tab"
            aria-selected={tab.id === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === chosen ? 0 : -1}
            className={styles.tab}
            onClick={() => onChoose(tab.id)}
          >
            <ReservedBoldWidth text={tab.title} />
            {tab.aside !== undefined && <> {tab.aside}</>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
}

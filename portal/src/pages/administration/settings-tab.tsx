import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { momentText } from '../../format/moments';
import { Card } from '../../ui/card';
import { CopyButton } from '../../ui/copy-button';
import { QueryState } from '../../ui/query-state';
import { Skeleton } from '../../ui/skeleton';
import { rebased } from './settings';
import { SettingsForm, type SettingsDraft, type SettingsProps } from './settings-form';
import { Subscription } from './subscription';
import { useSettings } from './use-settings';
import styles from './administration.module.css';

export function SettingsTab() {
  const { query, take } = useSettings();
  const [draft, setDraft] = useState<SettingsDraft>();
  const goOnWith: SettingsProps['onTake'] = (grid, changed) => {
    if (changed !== undefined) setDraft((before) => rebased(before, changed, grid));
    take(grid);
  };
  return (
    <QueryState query={query} skeleton={<Skeleton height="22rem" />}>
      {(read) => (
        <div className="stack">
          <Identity grid={read.record} />
          <Card title="Settings">
            <SettingsForm read={read} onTake={goOnWith} draft={draft} onDraft={setDraft} />
          </Card>
          <Subscription read={read} onTake={goOnWith} />
        </div>
      )}
    </QueryState>
  );
}

function Identity({ grid: { gridSecondaryId, createdAt } }: { readonly grid: Schemas['Grid'] }) {
  return (
    <Card title="Grid">
      <div className={styles.secret}>
        <code>{gridSecondaryId}</code> <CopyButton text={gridSecondaryId} label="Copy id" />
      </div>
      <p className={styles.quiet}>Created {momentText(createdAt)}</p>
    </Card>
  );
}

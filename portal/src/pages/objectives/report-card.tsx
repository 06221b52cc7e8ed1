import { Download } from 'lucide-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, fetchBlob, unwrapResponse } from '../../api/api-client';
import { useGrid } from '../../session/use-session';
import { Card } from '../../ui/card';
import { saveFile } from '../../ui/save-file';
import controls from '../../ui/controls.module.css';
import styles from './objectives.module.css';

/** Saves the report on an objective in one month. */
export function ReportCard({ sloId }: { readonly sloId: string }) {
  const { gridSecondaryId } = useGrid();
  const [month, setMonth] = useState(() => new Date().toISOString().slice(0, 7));
  const save = useMutation({
    mutationFn: async (kind: 'md' | 'png') =>
      saveFile(
        `objective-${month}.${kind}`,
        kind === 'md'
          ? new Blob([await readMarkdown(gridSecondaryId, sloId, month)], { type: 'text/markdown' })
          : await fetchBlob(buildImagePath(gridSecondaryId, sloId, month)),
      ),
  });
  return (
    <Card title="Monthly report">
      <div className={controls.row}>
        <input
          type="month"
          className={controls.input}
          aria-label="Month of the report"
          value={month}
          onChange={(event) => setMonth(event.target.value)}
        />
        <button type="button" className={controls.button} disabled={save.isPending} onClick={() => save.mutate('md')}>
          <Download size={14} aria-hidden /> Markdown
        </button>
        <button type="button" className={controls.button} disabled={save.isPending} onClick={() => save.mutate('png')}>
          <Download size={14} aria-hidden /> PNG
        </button>
      </div>
      {save.error !== null && (
        <p className={controls.error} role="alert">
          {save.error.message}
        </p>
      )}
      <p className={styles.quiet}>Target, budget, worst days, alerts and incidents of a calendar month in UTC.</p>
    </Card>
  );
}

async function readMarkdown(gridSecondaryId: string, sloId: string, month: string): Promise<string> {
  const params = { path: { gridSecondaryId, sloId }, query: { month } };
  return (await unwrapResponse(api.GET('/apm/slos/{gridSecondaryId}/{sloId}/report', { params }))).markdown;
}

function buildImagePath(gridSecondaryId: string, sloId: string, month: string): string {
  const query = new URLSearchParams({ 'api-version': '2.0', month });
  return `/apm/slos/${encodeURIComponent(gridSecondaryId)}/${encodeURIComponent(sloId)}/report/render?${query.toString()}`;
}

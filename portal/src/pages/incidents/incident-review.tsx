import { Download } from 'lucide-react';
import { Card } from '../../ui/card';
import { saveFile } from '../../ui/save-file';
import { CopyButton } from '../../ui/copy-button';
import { useGrid } from '../../session/use-session';
import type { IncidentDetail } from './incident-queries';
import { writeExportCommand, writeReview } from './review-draft';
import controls from '../../ui/controls.module.css';
import styles from './incidents.module.css';

/** The draft of the review as Markdown, and the command that exports what was recorded at that time. */
export function ReviewCard({ incident }: { readonly incident: IncidentDetail }) {
  const { gridSecondaryId } = useGrid();
  const markdown = writeReview(incident, location.href);
  return (
    <Card title="Review">
      <div className={controls.row}>
        <CopyButton text={markdown} label="Copy review draft" />
        <button
          type="button"
          className={controls.button}
          onClick={() => saveFile(`incident-${incident.id}.md`, new Blob([markdown], { type: 'text/markdown' }))}
        >
          <Download size={14} aria-hidden /> Download
        </button>
        <CopyButton text={writeExportCommand(incident, gridSecondaryId)} label="Copy export command" />
      </div>
      <p className={styles.quiet}>
        The draft is Markdown. The command writes an incident file: all telemetry from half an hour before, to import
        anywhere.
      </p>
    </Card>
  );
}

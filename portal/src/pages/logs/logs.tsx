import { Radio, WrapText } from 'lucide-react';
import { useView } from '../../time/use-view';
import { Chips } from '../../ui/chips';
import { Page } from '../../ui/page';
import controls from '../../ui/controls.module.css';
import { chipsOf, NO_FILTERS } from './filters';
import { FoundLogs } from './found-logs';
import { LiveTail } from './live-tail';
import { LogFilterForm } from './log-filter-form';
import { LogHistogram } from './log-histogram';
import { SeverityChips } from './severity-chips';
import { useLogsView, type LogsView } from './use-log-filters';

/** What services wrote. */
export default function LogsPage() {
  const view = useLogsView();
  const { isLive } = useView();
  const chips = chipsOf(view.filters).map(({ text, without }) => ({ text, remove: () => view.change(without) }));
  return (
    <Page
      title="Logs"
      lead="What services wrote, newest first. Drag over the chart to narrow the time."
      actions={<Actions view={view} isLive={isLive} />}
    >
      <div className="stack">
        <LogFilterForm view={view} />
        <SeverityChips view={view} />
        <Chips label="Filters in use" chips={chips} onClear={() => view.change(NO_FILTERS)} />
        <LogHistogram filters={view.filters} />
        {isLive && view.isTailing ? (
          <LiveTail key={JSON.stringify(view.filters)} view={view} />
        ) : (
          <FoundLogs view={view} />
        )}
      </div>
    </Page>
  );
}

function Actions({
  view: { isWrapped, isTailing, set },
  isLive,
}: {
  readonly view: LogsView;
  readonly isLive: boolean;
}) {
  return (
    <>
      <button
        type="button"
        className={isWrapped ? controls.primary : controls.button}
        aria-pressed={isWrapped}
        onClick={() => set('wrap', !isWrapped)}
      >
        <WrapText size={15} aria-hidden /> Wrap
      </button>
      <button
        type="button"
        className={isTailing && isLive ? controls.primary : controls.button}
        aria-pressed={isTailing && isLive}
        disabled={!isLive}
        title={isLive ? 'New entries as they come' : 'Only where one looks at now'}
        onClick={() => set('tail', !isTailing)}
      >
        <Radio size={15} aria-hidden /> Follow
      </button>
    </>
  );
}

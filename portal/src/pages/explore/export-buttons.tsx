import { saveFile } from '../../ui/save-file';
import { Download } from 'lucide-react';
import { toAnswerTable, writeCsv } from './answer-export';
import type { QueryAnswer } from './use-explore-answer';
import controls from '../../ui/controls.module.css';

/** Saves the answer that is shown as a file. */
export function ExportButtons({ answer, name }: { readonly answer: QueryAnswer; readonly name: string }) {
  return (
    <>
      <button
        type="button"
        className={controls.button}
        onClick={() => saveFile(`${name}.csv`, new Blob([writeCsv(toAnswerTable(answer))], { type: 'text/csv' }))}
      >
        <Download size={15} aria-hidden /> CSV
      </button>
      <button
        type="button"
        className={controls.button}
        onClick={() =>
          saveFile(`${name}.json`, new Blob([JSON.stringify(answer, null, 2)], { type: 'application/json' }))
        }
      >
        <Download size={15} aria-hidden /> JSON
      </button>
    </>
  );
}

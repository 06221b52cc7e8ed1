import type { FormErrors } from '../../ui/form-field';
import { type AlertRuleDraft, changeSource } from './alert-rule-model';
import { RuleQueryFields } from './rule-query-fields';
import controls from '../../ui/controls.module.css';

interface RuleSourceChoiceProps {
  readonly draft: AlertRuleDraft;
  readonly errors: FormErrors;
  readonly onChange: (part: Partial<AlertRuleDraft>) => void;
}

/** Whether the rule watches a metric or a query, and the query. */
export function RuleSourceChoice({ draft, errors, onChange }: RuleSourceChoiceProps) {
  return (
    <div className="stack">
      <div role="group" aria-label="What the rule watches" className={controls.row}>
        {(['metric', 'query'] as const).map((source) => (
          <button
            key={source}
            type="button"
            className={source === draft.source ? controls.primary : controls.button}
            aria-pressed={source === draft.source}
            onClick={() => source !== draft.source && onChange(changeSource(draft, source))}
          >
            {source === 'metric' ? 'Metric' : 'Query'}
          </button>
        ))}
      </div>
      {draft.source === 'query' && (
        <RuleQueryFields query={draft.query} errors={errors} onChange={(query) => onChange({ query })} />
      )}
    </div>
  );
}

import { Status, type Level } from '../../ui/status';
import type { Verdict as Said } from './compared';

const LEVELS: Readonly<Record<Said, Level>> = { worse: 'critical', better: 'good', same: 'unknown', unknown: 'unknown' };
const WORDS: Readonly<Record<Said, string>> = { worse: 'Worse', better: 'Better', same: 'As before', unknown: 'Too little to say' };

export function Verdict({ verdict }: { readonly verdict: Said }) {
  return <Status level={LEVELS[verdict]}>{WORDS[verdict]}</Status>;
}

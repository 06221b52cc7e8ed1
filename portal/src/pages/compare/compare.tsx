import { Page } from '../../ui/page';

export default function ComparePage() {
  return <Page title="Compare">{null}</Page>;
}

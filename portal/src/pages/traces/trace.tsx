import { Page } from '../../ui/page';

export default function TracePage() {
  return <Page title="Trace">{null}</Page>;
}

import { Page } from '../../ui/page';

export default function TracesPage() {
  return <Page title="Traces">{null}</Page>;
}

import type { Admission } from '../steps/admission.js';
import type { LiveClient } from './client.js';

interface Group {
  readonly admission: Admission;
  readonly clients: Set<LiveClient>;
  checking: boolean;
  /** Asked while a check was under way, which may know less. */
  checkAgain: boolean;
}

/** Ends streams whose callers would not be let in any more. Asks once for all streams of the same credentials and Grid. */
export class Guard {
  private readonly groups = new Map<string, Group>();

  /** Answers how to stop watching. */
  watch(client: LiveClient, admission: Admission): () => void {
    const key = admission.key();
    let group = this.groups.get(key);
    if (group === undefined) this.groups.set(key, (group = { admission, clients: new Set(), checking: false, checkAgain: false }));
    const { clients } = group;
    clients.add(client);
    return () => {
      clients.delete(client);
      if (clients.size === 0 && this.groups.get(key)?.clients === clients) this.groups.delete(key);
    };
  }

  async check(): Promise<void> {
    await Promise.all(Array.from(this.groups.values(), (group) => endUnlessAdmitted(group)));
  }
}

async function endUnlessAdmitted(group: Group): Promise<void> {
  if (group.checking) {
    group.checkAgain = true;
    return;
  }
  group.checking = true;
  let holds: boolean;
  do {
    group.checkAgain = false;
    holds = await group.admission.holds().catch(untold);
  } while (holds && group.checkAgain);
  group.checking = false;
  if (!holds) for (const client of group.clients) client.end();
}

/** While nobody can tell, streams stay: nobody was thrown out. */
const untold = (): boolean => true;

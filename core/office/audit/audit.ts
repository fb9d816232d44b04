import type { Runtime } from '../../kernel/running/use-case.ts'
import type { Digest } from '../../ports/runtime.ts'
import type { Store } from '../../ports/store.ts'
import { chainsIn } from './audit-chain.ts'
import { entriesIn } from './audit-entry.ts'
import { auditedIn, type DeedWords } from './audited.ts'
import { changesBut } from './field-changes.ts'
import { auditQueue } from './link-entries.ts'
import type { Trail } from './trail.ts'
import { verifyChains } from './verify-chains.ts'

interface AuditSpec<W extends DeedWords> {
  /** All that its entries may say was done. */
  readonly actions: readonly W['action'][]
  /** Fields, by their paths, whose names do not tell that they hold a secret. */
  readonly secrets?: readonly string[]
  /** Fields that follow other changes and tell nothing of their own. */
  readonly untold?: readonly string[]
}

/**
 * The audit of a business: `const { audited, changesOf } = auditIn('estate', { actions })`. What was done is chained per
 * tenant or person, so that nobody alters, removes or adds an entry afterwards unseen.
 */
export const auditIn = <W extends DeedWords>(business: string, { actions, ...told }: AuditSpec<W>) => {
  const trail: Trail = { chains: chainsIn(business), entries: entriesIn(business, actions) }
  return {
    ...trail,
    audited: auditedIn<W>(trail),
    changesOf: changesBut(told),
    /** What follows every chain, and names what is wrong with it. */
    verify: (store: Store, digest: Digest) => verifyChains(trail, store, digest),
    /** What a store has to hold of it, and a worker to run. */
    part: {
      collections: [trail.chains, trail.entries],
      queues: (ports: Runtime & { readonly digest: Digest }) => [auditQueue(trail, ports)],
    },
  }
}

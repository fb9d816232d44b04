import { patch } from '../../kernel/records/change.ts'
import type { Field } from '../../kernel/records/record.ts'
import { all, eq, type Where } from '../../kernel/records/where.ts'
import { leaseGuard, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { accept, decideAndCommit, orThrow, type Runtime } from '../../kernel/running/use-case.ts'
import type { Digest } from '../../ports/runtime.ts'
import { byId, type Store } from '../../ports/store.ts'
import { type AuditChain, linkHash } from './audit-chain.ts'
import type { AuditEntry } from './audit-entry.ts'
import { entriesAfter, LINKED_AT_ONCE, type Trail } from './trail.ts'

/** Longer than a slice takes under load. */
const LINK_LEASE_SECONDS = 60
const CHAINS_AT_ONCE = 4

/** The queue of chains: their entries are linked in the order in which they were committed. */
export const auditQueue = (trail: Trail, ports: Runtime & { readonly digest: Digest }): Queue =>
  queueOf({
    collection: trail.chains,
    leaseSeconds: LINK_LEASE_SECONDS,
    atOnce: CHAINS_AT_ONCE,
    handle: async (claimed) => {
      for (;;) {
        const linked = await decideAndCommit(
          ports,
          (store) => readSlice(trail, store, claimed.id),
          (facts) => decideLinks(trail, ports.digest, claimed, facts),
        )
        if (orThrow(linked) === 'done') return
      }
    },
  })

interface Facts {
  readonly chain: AuditChain | null
  readonly entries: readonly AuditEntry[]
}

const readSlice = async (trail: Trail, store: Store, id: string): Promise<Facts> => {
  const chain = await store.find(byId(trail.chains, id))
  return { chain, entries: chain ? (await store.list(entriesAfter(trail, id, chain.linkedSeq))).records : [] }
}

/**
 * Links what comes next. Whoever else links the same chain comes to the same hashes, and one of the two commits counts; an
 * entry that came since the claim has made the chain due again.
 */
const decideLinks = (
  { chains, entries: audited }: Trail,
  digest: Digest,
  claimed: Pick<AuditChain, 'dueAt'>,
  { chain, entries }: Facts,
) => {
  if (!chain) return accept('done')
  let { headHash, linkedSeq } = chain
  const links = entries.flatMap((entry) => {
    // Behind a gap, which only somebody else's hand makes, nothing is linked: the audit names it.
    if (entry.seq !== linkedSeq + 1) return []
    const prevHash = headHash
    headHash = linkHash(digest, prevHash, entry)
    linkedSeq = entry.seq
    return [patch(audited, entry.id, { set: { prevHash, hash: headHash }, when: eq('hash', null) })]
  })
  const isWhole = links.length < LINKED_AT_ONCE
  const isOurs = isWhole && chain.dueAt === claimed.dueAt
  if (links.length === 0 && !isOurs) return accept('done')
  const own: readonly Where<Field<AuditChain>>[] = isOurs ? [leaseGuard(claimed), eq('seq', chain.seq)] : []
  const set = { linkedSeq, headHash, ...(isOurs ? { dueAt: null, attempts: 0 } : {}) }
  const when = all<Field<AuditChain>>(eq('linkedSeq', chain.linkedSeq), ...own)
  return accept(isWhole ? 'done' : 'more', ...links, patch(chains, chain.id, { set, when }))
}

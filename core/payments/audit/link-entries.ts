import { patch } from '../../kernel/records/change.ts'
import type { Field } from '../../kernel/records/collection.ts'
import { all, eq, gt, type Where } from '../../kernel/records/where.ts'
import { heldBy, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { decideAndCommit, decided, orThrow } from '../../kernel/running/use-case.ts'
import type { Digest } from '../../ports/digest.ts'
import { byId, type List, listOf, type Store } from '../../ports/store.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type AuditChain, auditChains, linkHash } from './audit-chain.ts'
import { type AuditEntry, auditEntries } from './audit-entry.ts'

/** Longer than a slice takes under load. */
const LINK_LEASE_SECONDS = 60
const CHAINS_AT_ONCE = 4
/** Entries that one commit links. */
export const LINKED_AT_ONCE = 200

/** The queue of chains: their entries are linked in the order in which they were committed. */
export const auditQueue = (ports: PaymentsPorts): Queue =>
  queueOf({
    collection: auditChains,
    leaseSeconds: LINK_LEASE_SECONDS,
    atOnce: CHAINS_AT_ONCE,
    handle: async (claimed) => {
      for (;;) {
        const linked = await decideAndCommit(
          ports,
          (store) => readSlice(store, claimed.id),
          (facts) => decideLinks(ports, claimed, facts),
        )
        if (orThrow(linked) === 'done') return
      }
    },
  })

/** Entries of a chain after a place, the first of them. */
export const entriesAfter = (chain: string, seq: number): List<AuditEntry> =>
  listOf(auditEntries, {
    where: all(eq<Field<AuditEntry>>('chain', chain), gt('seq', seq)),
    sort: { by: 'seq', dir: 'asc' },
    limit: LINKED_AT_ONCE,
  })

interface Facts {
  readonly chain: AuditChain | null
  readonly entries: readonly AuditEntry[]
}

const readSlice = async (store: Store, id: string): Promise<Facts> => {
  const chain = await store.find(byId(auditChains, id))
  return { chain, entries: chain ? (await store.list(entriesAfter(id, chain.linkedSeq))).records : [] }
}

/**
 * Links what comes next. Whoever else links the same chain comes to the same hashes, and one of the two commits counts; an
 * entry that came since the claim has made the chain due again.
 */
export const decideLinks = (
  { digest }: { readonly digest: Digest },
  claimed: Pick<AuditChain, 'dueAt'>,
  { chain, entries }: Facts,
) => {
  if (!chain) return decided('done')
  let { headHash, linkedSeq } = chain
  const links = entries.flatMap((entry) => {
    // Behind a gap, which only somebody else's hand makes, nothing is linked: the audit names it.
    if (entry.seq !== linkedSeq + 1) return []
    const prevHash = headHash
    headHash = linkHash(digest, prevHash, entry)
    linkedSeq = entry.seq
    return [patch(auditEntries, entry.id, { set: { prevHash, hash: headHash }, when: eq('hash', null) })]
  })
  const isWhole = links.length < LINKED_AT_ONCE
  const isOurs = isWhole && chain.dueAt === claimed.dueAt
  if (links.length === 0 && !isOurs) return decided('done')
  const own: readonly Where<Field<AuditChain>>[] = isOurs ? [heldBy(claimed), eq('seq', chain.seq)] : []
  const set = { linkedSeq, headHash, ...(isOurs ? { dueAt: null, attempts: 0 } : {}) }
  const when = all<Field<AuditChain>>(eq('linkedSeq', chain.linkedSeq), ...own)
  return decided(isWhole ? 'done' : 'more', ...links, patch(auditChains, chain.id, { set, when }))
}

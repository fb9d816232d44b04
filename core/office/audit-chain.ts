import { t } from '../fp.ts'
import { patch } from '../kernel/records/change.ts'
import type { Collection } from '../kernel/records/collection.ts'
import { type Field, orNull, record, word } from '../kernel/records/record.ts'
import { all, eq, gt, not, type Where } from '../kernel/records/where.ts'
import { leaseGuard, type Queue, queueOf, WAITING } from '../kernel/running/queue.ts'
import { accept, decideAndCommit, orThrow, type Runtime } from '../kernel/running/use-case.ts'
import { type Finding, scanSlices, verifyTwice } from '../kernel/running/verify.ts'
import type { Digest } from '../ports/runtime.ts'
import { byId, type Find, type List, listOf, type Store } from '../ports/store.ts'

const entryOf = (actions: readonly string[]) =>
  record({
    id: t.string,
    /** Whose it is: `account:7`, or `user:9` for what belongs to no account. */
    chain: t.string,
    /** Its place in the chain, without gaps, from 1. Taken at the moment of commit, like its time. */
    seq: t.number,
    createdAt: t.string,
    /** Null where nobody is signed in. */
    actorUserId: t.union([t.number, t.string, t.null]),
    action: word(...actions),
    /** What it was done to: `user:9`, `account:7`, `session:…`. */
    subject: t.string,
    /** JSON text: field to what it was and what it is; null where the action says it all. Secrets are named and never shown. */
    changes: orNull(t.string),
    address: orNull(t.string),
    device: orNull(t.string),
    /** The hash of the entry before it, and its own over both: null until the worker has linked it. */
    prevHash: orNull(t.string),
    hash: orNull(t.string),
  })

/** Who changed what, when and from where: written in the commit of the change itself. Source: decisions.md §12. */
export type AuditEntry = t.TypeOf<ReturnType<typeof entryOf>>

export const auditEntriesIn = (business: string, actions: readonly string[]): Collection<AuditEntry> => ({
  name: `${business}.audit`,
  ids: 'text',
  codec: entryOf(actions),
  owner: 'chain',
  keys: { place: ({ chain, seq }) => `${chain}|${seq}` },
  indexes: [{ sort: 'seq' }],
})

const auditChain = record({
  /** What it is of: `account:7`, `user:9`. */
  id: t.string,
  /** How many entries the chain has: the last one's place. */
  seq: t.number,
  /** The last entry's time, which never runs backwards. */
  lastAt: t.string,
  /** How many of them are linked, and the hash of the last that is. */
  linkedSeq: t.number,
  headHash: t.string,
  dueAt: orNull(t.string),
  attempts: t.number,
})

/** The keeper of a chain: the one record that every entry of it patches, and what the worker links by. */
export type AuditChain = t.TypeOf<typeof auditChain>

export const auditChainsIn = (business: string): Collection<AuditChain> => ({
  name: `${business}.audit-chains`,
  ids: 'text',
  codec: auditChain,
  owner: null,
  conditions: { [WAITING]: not(eq('dueAt', null)) },
  indexes: [{ sort: 'dueAt', when: WAITING, acrossOwners: true }],
})

/** What the first entry of a chain comes after. */
export const GENESIS = '0'.repeat(64)

/** The hash of an entry: over the one before it and all that the entry tells, in this order for ever. */
export const linkHash = (digest: Digest, prevHash: string, entry: AuditEntry): string => {
  const { chain, seq, id, createdAt, actorUserId, action, subject, changes, address, device } = entry
  const told = [chain, seq, id, createdAt, actorUserId, action, subject, changes, address, device]
  return digest.sha256(`${prevHash}\n${JSON.stringify(told)}`)
}

/** Where a business keeps what was done. */
export interface AuditTrail {
  readonly chains: Collection<AuditChain>
  readonly entries: Collection<AuditEntry>
}

/** Entries that one commit links. */
export const ENTRIES_PER_COMMIT = 200

/** Entries of a chain after a place, the first of them. */
export const entriesAfter = ({ entries }: Pick<AuditTrail, 'entries'>, chain: string, seq: number): List<AuditEntry> =>
  listOf(entries, {
    where: all(eq<'chain' | 'seq'>('chain', chain), gt('seq', seq)),
    sort: { by: 'seq', dir: 'asc' },
    limit: ENTRIES_PER_COMMIT,
  })

/** Longer than a slice takes under load. */
const LINK_LEASE_SECONDS = 60
const CHAINS_AT_ONCE = 4

/** The queue of chains: their entries are linked in the order in which they were committed. */
export const auditQueue = (trail: AuditTrail, ports: Runtime & { readonly digest: Digest }): Queue =>
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

const readSlice = async (trail: AuditTrail, store: Store, id: string): Promise<Facts> => {
  const chain = await store.find(byId(trail.chains, id))
  return { chain, entries: chain ? (await store.list(entriesAfter(trail, id, chain.linkedSeq))).records : [] }
}

/**
 * Links what comes next. Whoever else links the same chain comes to the same hashes, and one of the two commits counts; an
 * entry that came since the claim has made the chain due again.
 */
const decideLinks = (
  { chains, entries: audited }: AuditTrail,
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
  const isWhole = links.length < ENTRIES_PER_COMMIT
  const isOurs = isWhole && chain.dueAt === claimed.dueAt
  if (links.length === 0 && !isOurs) return accept('done')
  const own: readonly Where<Field<AuditChain>>[] = isOurs ? [leaseGuard(claimed), eq('seq', chain.seq)] : []
  const set = { linkedSeq, headHash, ...(isOurs ? { dueAt: null, attempts: 0 } : {}) }
  const when = all<Field<AuditChain>>(eq('linkedSeq', chain.linkedSeq), ...own)
  return accept(isWhole ? 'done' : 'more', ...links, patch(chains, chain.id, { set, when }))
}

/** How far a chain was followed. */
interface ChainState {
  readonly seq: number
  readonly lastAt: string
  /** The place and hash of the last entry that is linked. */
  readonly linkedSeq: number
  readonly hash: string
  readonly faults: readonly string[]
}

export const CHAIN_START: ChainState = { seq: 0, lastAt: '', linkedSeq: 0, hash: GENESIS, faults: [] }

/** What an entry must be after those before it. */
export const followEntry =
  (digest: Digest) =>
  (before: ChainState, entry: AuditEntry): ChainState => {
    const { seq, createdAt, hash, prevHash } = entry
    const at = `${entry.chain}: entry ${seq}`
    const isLinked = hash !== null && prevHash !== null
    const place = before.seq + 1
    return {
      seq,
      lastAt: createdAt,
      // What comes after is compared with the entry as it stands, so that one fault is told once.
      ...(isLinked ? { linkedSeq: seq, hash } : { linkedSeq: before.linkedSeq, hash: before.hash }),
      faults: [
        ...before.faults,
        ...(seq === place ? [] : [`${entry.chain}: entry ${place} is missing`]),
        ...(createdAt < before.lastAt ? [`${at} runs backwards`] : []),
        ...(isLinked && seq === place && prevHash !== before.hash ? [`${at} does not follow the one before it`] : []),
        ...(isLinked && hash !== linkHash(digest, prevHash, entry) ? [`${at} was altered`] : []),
      ],
    }
  }

/** What a chain's keeper must say after its last entry. */
export const checkChainEnd = (
  { id, seq, linkedSeq, headHash }: AuditChain,
  followed: ChainState,
): readonly string[] => [
  ...followed.faults,
  ...(seq === followed.seq ? [] : [`${id}: counts ${seq} entries, and the last is ${followed.seq}`]),
  ...(followed.linkedSeq >= linkedSeq
    ? []
    : [`${id}: ${linkedSeq} entries were linked, and ${followed.linkedSeq} are`]),
  ...(followed.linkedSeq === linkedSeq && followed.hash !== headHash
    ? [`${id}: ends otherwise than it was linked`]
    : []),
]

/**
 * Follows every chain entry by entry. A chain is followed as far as it counted when it was read, so that what is written
 * meanwhile is no fault; entries that the worker has not linked yet are told as waiting. Memory does not grow with the
 * records.
 */
export const verifyChains = async (trail: AuditTrail, store: Store, digest: Digest): Promise<Finding> => {
  const figures = { chains: 0, entries: 0, waiting: 0 }
  const faults: string[] = []
  for await (const slice of scanSlices(store, trail.chains)) {
    for (const { id } of slice) {
      const followed = await verifyTwice(() => followChain(trail, store, digest, id))
      figures.waiting += followed.waiting
      faults.push(...followed.faults)
    }
    figures.chains += slice.length
  }
  for await (const slice of scanSlices(store, trail.entries)) {
    faults.push(...(await unkept(trail, store, slice)))
    figures.entries += slice.length
  }
  return { area: 'audit trail', figures, faults }
}

const followChain = async (trail: AuditTrail, store: Store, digest: Digest, id: string) => {
  const chain = await store.find(byId(trail.chains, id))
  if (!chain) return { waiting: 0, faults: [`${id}: its keeper is gone`] }
  let followed = CHAIN_START
  for (;;) {
    const { records } = await store.list(entriesAfter(trail, id, followed.seq))
    const known = records.filter(({ seq }) => seq <= chain.seq)
    followed = known.reduce(followEntry(digest), followed)
    if (known.length < ENTRIES_PER_COMMIT) break
  }
  return { waiting: Math.max(0, chain.seq - followed.linkedSeq), faults: checkChainEnd(chain, followed) }
}

/** Entries that the keeper of their chain does not know. */
const unkept = async (
  { chains }: AuditTrail,
  store: Store,
  slice: readonly AuditEntry[],
): Promise<readonly string[]> => {
  const asks = slice.map(({ chain }): [string, Find<AuditChain>] => [chain, byId(chains, chain)])
  const found = await store.read(Object.fromEntries(asks))
  return slice
    .filter(({ chain, seq }) => (found[chain]?.seq ?? 0) < seq)
    .map(({ chain, seq }) => `${chain}: entry ${seq} is none that its keeper counted`)
}

import { type Finding, scanSlices, verifyTwice } from '../../kernel/running/verify.ts'
import type { Digest } from '../../ports/runtime.ts'
import { byId, type Find, type Store } from '../../ports/store.ts'
import { type AuditChain, GENESIS, linkHash } from './audit-chain.ts'
import type { AuditEntry } from './audit-entry.ts'
import { entriesAfter, LINKED_AT_ONCE, type Trail } from './trail.ts'

/** How far a chain was followed. */
interface Followed {
  readonly seq: number
  readonly lastAt: string
  /** The place and hash of the last entry that is linked. */
  readonly linkedSeq: number
  readonly hash: string
  readonly faults: readonly string[]
}

export const CHAIN_START: Followed = { seq: 0, lastAt: '', linkedSeq: 0, hash: GENESIS, faults: [] }

/** What an entry must be after those before it. */
export const followLink =
  (digest: Digest) =>
  (before: Followed, entry: AuditEntry): Followed => {
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
export const closeChain = ({ id, seq, linkedSeq, headHash }: AuditChain, followed: Followed): readonly string[] => [
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
export const verifyChains = async (trail: Trail, store: Store, digest: Digest): Promise<Finding> => {
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

const followChain = async (trail: Trail, store: Store, digest: Digest, id: string) => {
  const chain = await store.find(byId(trail.chains, id))
  if (!chain) return { waiting: 0, faults: [`${id}: its keeper is gone`] }
  let followed = CHAIN_START
  for (;;) {
    const { records } = await store.list(entriesAfter(trail, id, followed.seq))
    const known = records.filter(({ seq }) => seq <= chain.seq)
    followed = known.reduce(followLink(digest), followed)
    if (known.length < LINKED_AT_ONCE) break
  }
  return { waiting: Math.max(0, chain.seq - followed.linkedSeq), faults: closeChain(chain, followed) }
}

/** Entries that the keeper of their chain does not know. */
const unkept = async ({ chains }: Trail, store: Store, slice: readonly AuditEntry[]): Promise<readonly string[]> => {
  const asks = slice.map(({ chain }): [string, Find<AuditChain>] => [chain, byId(chains, chain)])
  const found = await store.read(Object.fromEntries(asks))
  return slice
    .filter(({ chain, seq }) => (found[chain]?.seq ?? 0) < seq)
    .map(({ chain, seq }) => `${chain}: entry ${seq} is none that its keeper counted`)
}

import {
  all,
  always,
  at,
  type Change,
  type Collection,
  ensure,
  eq,
  type Field,
  gt,
  type Id,
  insert,
  type Json,
  newRecord,
  orNull,
  patch,
  record,
  t,
  type Where,
  word,
} from '../kernel/records/record.ts'
import { leaseGuard, type Queue, queueOf, queueParts } from '../kernel/running/queue.ts'
import { accept, decideAndCommit, type Fresh, orThrow, type Runtime } from '../kernel/running/use-case.ts'
import { type Finding, faultsIn, scanSlices, verifyTwice } from '../kernel/running/verify.ts'
import type { Requester } from '../ports/identity.ts'
import type { Digest } from '../ports/runtime.ts'
import { byId, type Find, type List, listOf, type Store } from '../ports/store.ts'
import { type ComparedFields, type FieldChanges, type Fields, fieldComparer, HIDDEN } from './audit-changes.ts'

/** The origin of a request. */
export interface Origin extends Requester {
  readonly device: string | null
}

/** The user who makes a change, null if none is signed in, and the origin of the request. */
export interface AuditActor<I extends Id> {
  readonly userId: I | null
  readonly origin?: Origin | null | undefined
}

/** The types of a business's audit entries. */
export interface AuditTypes {
  readonly action: string
  /** The chain of an entry: `account:7`. */
  readonly chain: string
  /** The changed record: `user:9`. */
  readonly subject: string
  readonly userId: Id
}

export interface NewAuditEntry<W extends AuditTypes> {
  readonly chain: W['chain']
  readonly action: W['action']
  readonly subject: W['subject']
  /** The changed fields; absent for actions without any. With an empty object, nothing is recorded. */
  readonly changes?: FieldChanges | undefined
}

interface AuditSpec<W extends AuditTypes> extends ComparedFields {
  readonly actions: readonly W['action'][]
}

/**
 * Creates the audit of a business: `const { recordAudit, changesOf } = auditIn('estate', { actions })`. Entries form a
 * hash chain per tenant or user, so that `verify` detects a change, removal or insertion from outside.
 */
export const auditIn = <W extends AuditTypes>(business: string, { actions, ...fields }: AuditSpec<W>) => {
  const trail: AuditTrail = { chains: auditChainsIn(business), entries: auditEntriesIn(business, actions) }
  return {
    ...trail,
    /**
     * Returns the changes that record an entry, for the commit of the audited change. They depend on no read record, so
     * that entries of one chain commute. The first entry creates the chain's head; the worker links entries afterwards.
     */
    recordAudit: (fresh: Fresh, by: AuditActor<W['userId']>, entry: NewAuditEntry<W>): readonly Change[] =>
      recordEntry(trail, fresh, by, entry),
    /**
     * Returns the changes that erase values of linked entries of one chain, and the entry that seals what stays of
     * them; none if all are erased already. The hash of each entry stays as the digest of the erased values. The
     * business's `actions` must contain `VALUES_ERASED`.
     */
    eraseValues(
      digest: Digest,
      fresh: Fresh,
      { chain, subject }: Pick<NewAuditEntry<W>, 'chain' | 'subject'>,
      erasures: readonly EntryErasure[],
    ): readonly Change[] {
      const erased = erasures.flatMap(({ entry, parts }) => eraseEntry(trail, digest, fresh.now, entry, parts))
      const changes = Object.fromEntries(erased.map(({ id, seal }) => [id, seal]))
      return [
        ...erased.map(({ change }) => change),
        ...recordEntry(trail, fresh, { userId: null }, { chain, action: VALUES_ERASED, subject, changes }),
      ]
    },
    /** Compares a record with the fields that a change sets, for `changes` of an entry. */
    changesOf: fieldComparer(fields),
    /** Verifies every chain and names each fault. */
    verify: (store: Store, digest: Digest) => verifyChains(trail, store, digest),
    part: {
      collections: [trail.chains, trail.entries],
      queues: (ports: Runtime & { readonly digest: Digest }) => [auditQueue(trail, ports)],
    },
  }
}

const recordEntry = (
  { chains, entries }: AuditTrail,
  fresh: Fresh,
  by: AuditActor<Id>,
  { chain, action, subject, changes }: NewAuditEntry<AuditTypes>,
): readonly Change[] => {
  if (changes && Object.keys(changes).length === 0) return []
  const { steady } = fresh
  const head = at(chains, chain)
  const { address = null, device = null } = by.origin ?? {}
  const entry = newRecord(entries, {
    ...{ id: fresh.uuid(), chain, seq: 0, createdAt: '', actorUserId: by.userId, action, subject, address, device },
    changes: changes ? JSON.stringify(changes) : null,
  })
  const newHead = { id: chain, seq: 0, lastAt: steady, linkedSeq: 0, headHash: GENESIS, dueAt: null, attempts: 0 }
  return [
    ensure(chains, newHead),
    patch(chains, chain, { add: { seq: 1 }, max: { lastAt: steady }, set: { dueAt: steady }, when: always }),
    insert(entries, entry, { seq: [head, 'seq'], createdAt: [head, 'lastAt'] }),
  ]
}

const entryOf = (actions: readonly string[]) =>
  record({
    id: t.string,
    /** The chain of an account or company (`account:7`), or of a user (`user:9`) for actions outside any account. */
    chain: t.string,
    /** The position in the chain, from 1 without gaps. Assigned at the moment of commit, as is `createdAt`. */
    seq: t.number,
    createdAt: t.string,
    /** Null without a signed-in user. */
    actorUserId: t.union([t.number, t.string, t.null]),
    action: word(...actions),
    /** The changed record: `user:9`, `account:7`, `session:…`. */
    subject: t.string,
    /**
     * JSON: the old and new value of each changed field, without secrets (`FieldChanges`). Null for actions without
     * any.
     */
    changes: orNull(t.string),
    address: orNull(t.string),
    device: orNull(t.string),
    /** The hash of the entry before, and the hash of this entry with it. Null until the worker has linked the entry. */
    prevHash: orNull(t.string),
    hash: orNull(t.string),
    /**
     * Random, and hashed with the entry, so that erased values cannot be guessed from the hash. Null in an erased
     * entry.
     */
    salt: orNull(t.string),
    /** The time at which values were last erased; null without an erasure. */
    erasedAt: orNull(t.string),
  })

/** An audit entry: who changed what, when and from where. Written in the commit of the change itself. */
export type AuditEntry = t.TypeOf<ReturnType<typeof entryOf>>

/** An audit entry without the hashes of its chain and its salt. */
export type ShownEntry = Omit<AuditEntry, 'prevHash' | 'hash' | 'salt'>

export const shownEntry = ({ prevHash: _, hash: __, salt: ___, ...shown }: AuditEntry): ShownEntry => shown

const auditEntriesIn = (business: string, actions: readonly string[]): Collection<AuditEntry> => ({
  name: `${business}.audit`,
  ids: 'text',
  codec: entryOf(actions),
  owner: 'chain',
  keys: { place: ({ chain, seq }) => `${chain}|${seq}` },
  indexes: [{ sort: 'seq' }],
})

const auditChain = record({
  /** The name of the chain: `account:7`, `user:9`. */
  id: t.string,
  /** The number of entries, which is the `seq` of the last one. */
  seq: t.number,
  /** The time of the last entry; never decreases. */
  lastAt: t.string,
  /** The number of linked entries, and the hash of the last of them. */
  linkedSeq: t.number,
  headHash: t.string,
  dueAt: orNull(t.string),
  attempts: t.number,
})

/** The head of a chain. Every new entry patches it, and the worker links entries by it. */
export type AuditChain = t.TypeOf<typeof auditChain>

const auditChainsIn = (business: string): Collection<AuditChain> => ({
  name: `${business}.audit-chains`,
  ids: 'text',
  codec: auditChain,
  owner: null,
  ...queueParts(),
})

/** The `prevHash` of the first entry of a chain. */
export const GENESIS = '0'.repeat(64)

/** The fields that hashes cover. Their order must never change. */
const hashedFields = (entry: AuditEntry): readonly Json[] => {
  const { chain, seq, id, createdAt, actorUserId, action, subject, changes, address, device } = entry
  return [chain, seq, id, createdAt, actorUserId, action, subject, changes, address, device]
}

/**
 * Returns the hash of an entry: over the hash before it, its fields, and its salt; entries linked before 0.16.0 have
 * none.
 */
export const linkHash = (digest: Digest, prevHash: string, entry: AuditEntry): string => {
  const hashed = [...hashedFields(entry), ...(entry.salt === null ? [] : [entry.salt])]
  return digest.sha256(`${prevHash}\n${JSON.stringify(hashed)}`)
}

/**
 * The action of an entry that seals entries with erased values: its `changes` have the hash and the seal of each, by
 * id.
 */
export const VALUES_ERASED = 'audit.values-erased'

/** Returns the seal of an erased entry, which its own hash no longer verifies. */
const sealOf = (digest: Digest, entry: AuditEntry): string =>
  digest.sha256(JSON.stringify([...hashedFields(entry), entry.prevHash, entry.hash, entry.erasedAt]))

/** The values to erase: those of the changed fields, or the origin of the request. */
export interface ErasedParts {
  readonly changes: boolean
  readonly origin: boolean
}

export interface EntryErasure {
  readonly entry: AuditEntry
  readonly parts: ErasedParts
}

/** Erases values of a linked entry. The names of the changed fields stay. */
const eraseEntry = (trail: AuditTrail, digest: Digest, now: string, entry: AuditEntry, parts: ErasedParts) => {
  const changed: Fields = parts.changes && entry.changes !== null ? JSON.parse(entry.changes) : {}
  const changes = Object.keys(changed).length === 0 ? entry.changes : JSON.stringify(hideAll(changed))
  const origin = parts.origin ? { address: null, device: null } : { address: entry.address, device: entry.device }
  const after = { ...entry, changes, ...origin, salt: null, erasedAt: now }
  const isSame = changes === entry.changes && origin.address === entry.address && origin.device === entry.device
  if (isSame || entry.hash === null || entry.action === VALUES_ERASED) return []
  const set = { changes, ...origin, salt: null, erasedAt: now }
  const when = all(
    ...(['hash', 'changes', 'address', 'device', 'erasedAt'] as const).map((field) => eq(field, entry[field])),
  )
  const seal = { from: entry.hash, to: sealOf(digest, after) }
  return [{ id: entry.id, seal, change: patch(trail.entries, entry.id, { set, when }) }]
}

const hideAll = (changed: Fields): Fields => Object.fromEntries(Object.keys(changed).map((field) => [field, HIDDEN]))

export interface AuditTrail {
  readonly chains: Collection<AuditChain>
  readonly entries: Collection<AuditEntry>
}

export const ENTRIES_PER_COMMIT = 200

/** Queries the next entries of a chain after `seq`. */
export const entriesAfter = ({ entries }: Pick<AuditTrail, 'entries'>, chain: string, seq: number): List<AuditEntry> =>
  listOf(entries, {
    where: all(eq('chain', chain), gt('seq', seq)),
    sort: { by: 'seq', dir: 'asc' },
    limit: ENTRIES_PER_COMMIT,
  })

/** Queries the entries of an action on a record in a chain, in order. */
export const entriesAbout = (
  { entries }: Pick<AuditTrail, 'entries'>,
  { chain, subject, action }: Pick<AuditEntry, 'chain' | 'subject' | 'action'>,
): List<AuditEntry> =>
  listOf(entries, {
    where: all(eq('chain', chain), eq('subject', subject), eq('action', action)),
    sort: { by: 'seq', dir: 'asc' },
    limit: ENTRIES_PER_COMMIT,
  })

/** Exceeds the time of one slice under load. */
const LINK_LEASE_SECONDS = 60
const CHAINS_AT_ONCE = 4

/** The queue of chains with entries to link. Entries are linked in the order of their commits. */
const auditQueue = (trail: AuditTrail, ports: Runtime & { readonly digest: Digest }): Queue =>
  queueOf({
    collection: trail.chains,
    leaseSeconds: LINK_LEASE_SECONDS,
    atOnce: CHAINS_AT_ONCE,
    handle: async (claimed) => {
      for (;;) {
        const linked = await decideAndCommit(
          ports,
          async (store) => {
            const chain = await store.find(byId(trail.chains, claimed.id))
            return {
              chain,
              entries: chain ? (await store.list(entriesAfter(trail, chain.id, chain.linkedSeq))).records : [],
            }
          },
          (facts, fresh) => decideLinks(trail, ports.digest, claimed, facts, fresh),
        )
        if (orThrow(linked) === 'done') return
      }
    },
  })

interface LinkFacts {
  readonly chain: AuditChain | null
  readonly entries: readonly AuditEntry[]
}

/**
 * Links the next entries, with a salt each. Of two processes that link a chain, only one commits. The chain stays due
 * if an entry was committed since the claim.
 */
const decideLinks = (
  { chains, entries: auditEntries }: AuditTrail,
  digest: Digest,
  claimed: Pick<AuditChain, 'dueAt'>,
  { chain, entries }: LinkFacts,
  fresh: Pick<Fresh, 'uuid'>,
) => {
  if (!chain) return accept('done')
  let { headHash, linkedSeq } = chain
  const links = entries.flatMap((entry) => {
    // A gap appears only if an entry was deleted from outside. Linking stops there, and `verifyChains` reports the gap.
    if (entry.seq !== linkedSeq + 1) return []
    const prevHash = headHash
    const salt = fresh.uuid()
    headHash = linkHash(digest, prevHash, { ...entry, salt })
    linkedSeq = entry.seq
    return [patch(auditEntries, entry.id, { set: { prevHash, hash: headHash, salt }, when: eq('hash', null) })]
  })
  const isLastSlice = links.length < ENTRIES_PER_COMMIT
  const endsWork = isLastSlice && chain.dueAt === claimed.dueAt
  if (links.length === 0 && !endsWork) return accept('done')
  const endGuards: readonly Where<Field<AuditChain>>[] = endsWork ? [leaseGuard(claimed), eq('seq', chain.seq)] : []
  const set = { linkedSeq, headHash, ...(endsWork ? { dueAt: null, attempts: 0 } : {}) }
  const when = all(eq('linkedSeq', chain.linkedSeq), ...endGuards)
  return accept(isLastSlice ? 'done' : 'more', ...links, patch(chains, chain.id, { set, when }))
}

/**
 * Verifies every chain entry by entry, up to the `seq` that its head had when it was read, so that entries written
 * meanwhile are not faults. Entries that are not linked yet count as waiting. Memory use does not depend on the number
 * of records.
 */
const verifyChains = async (trail: AuditTrail, store: Store, digest: Digest): Promise<Finding> => {
  const figures = { chains: 0, entries: 0, waiting: 0 }
  let erased = 0
  const faults: string[] = []
  for await (const slice of scanSlices(store, trail.chains)) {
    for (const { id } of slice) {
      const verified = await verifyTwice(() => verifyChain(trail, store, digest, id))
      figures.waiting += verified.waiting
      faults.push(...verified.faults)
    }
    figures.chains += slice.length
  }
  for await (const slice of scanSlices(store, trail.entries)) {
    faults.push(...(await findUncounted(trail, store, slice)))
    figures.entries += slice.length
    erased += slice.filter(({ erasedAt }) => erasedAt !== null).length
  }
  return { area: 'audit trail', figures: { ...figures, ...(erased > 0 ? { erased } : {}) }, faults }
}

interface ErasedState {
  readonly seal: string
  readonly isSealed: boolean
  readonly fault: string
}

/** The state of a verification after some entries of a chain. */
interface ChainState {
  readonly seq: number
  readonly lastAt: string
  /** The `seq` and hash of the last linked entry. */
  readonly linkedSeq: number
  readonly hash: string
  /** The erased entries so far by id, and whether the last seal of each is that of its fields. */
  readonly erased: ReadonlyMap<string, ErasedState>
  readonly faults: readonly string[]
}

export const CHAIN_START: ChainState = {
  seq: 0,
  lastAt: '',
  linkedSeq: 0,
  hash: GENESIS,
  erased: new Map(),
  faults: [],
}

/** Adds an erased entry to the erased ones, and compares those that an entry seals. */
const followErasure = (digest: Digest, { erased }: ChainState, entry: AuditEntry): ChainState['erased'] => {
  if (entry.erasedAt !== null) {
    const fault = `${entry.chain}: entry ${entry.seq} was altered`
    return new Map(erased).set(entry.id, { seal: sealOf(digest, entry), isSealed: false, fault })
  }
  if (entry.action !== VALUES_ERASED || entry.changes === null) return erased
  const after = new Map(erased)
  for (const [id, seal] of Object.entries<FieldChanges[string]>(JSON.parse(entry.changes))) {
    const state = after.get(id)
    if (state && seal !== HIDDEN) after.set(id, { ...state, isSealed: state.seal === seal.to })
  }
  return after
}

/** Verifies an entry against the entries before it. */
export const followEntry =
  (digest: Digest) =>
  (before: ChainState, entry: AuditEntry): ChainState => {
    const { seq, createdAt, hash, prevHash } = entry
    const at = `${entry.chain}: entry ${seq}`
    const isLinked = hash !== null && prevHash !== null
    const expectedSeq = before.seq + 1
    return {
      seq,
      lastAt: createdAt,
      // Later entries are compared with this one as stored, so that one fault is reported once.
      ...(isLinked ? { linkedSeq: seq, hash } : { linkedSeq: before.linkedSeq, hash: before.hash }),
      erased: followErasure(digest, before, entry),
      faults: [
        ...before.faults,
        ...faultsIn([
          [seq !== expectedSeq, `${entry.chain}: entry ${expectedSeq} is missing`],
          [createdAt < before.lastAt, `${at} is dated earlier than the entry before it`],
          [isLinked && seq === expectedSeq && prevHash !== before.hash, `${at} does not follow the one before it`],
          [isLinked && entry.erasedAt === null && hash !== linkHash(digest, prevHash, entry), `${at} was altered`],
        ]),
      ],
    }
  }

/** Returns the faults of a chain: those of its entries, and the differences between its head and its last entries. */
export const checkChainEnd = ({ id, seq, linkedSeq, headHash }: AuditChain, end: ChainState): readonly string[] => [
  ...end.faults,
  ...[...end.erased.values()].flatMap(({ isSealed, fault }) => (isSealed ? [] : [fault])),
  ...faultsIn([
    [seq !== end.seq, `${id}: its head counts ${seq} entries, but the last one is ${end.seq}`],
    [
      end.linkedSeq < linkedSeq,
      `${id}: its head counts ${linkedSeq} linked entries, but the last one is ${end.linkedSeq}`,
    ],
    [
      end.linkedSeq === linkedSeq && end.hash !== headHash,
      `${id}: the hash of its last linked entry is not that of its head`,
    ],
  ]),
]

const verifyChain = async (trail: AuditTrail, store: Store, digest: Digest, id: string) => {
  const chain = await store.find(byId(trail.chains, id))
  if (!chain) return { waiting: 0, faults: [`${id}: its head is missing`] }
  let state = CHAIN_START
  for (;;) {
    const { records } = await store.list(entriesAfter(trail, id, state.seq))
    const counted = records.filter(({ seq }) => seq <= chain.seq)
    state = counted.reduce(followEntry(digest), state)
    if (counted.length < ENTRIES_PER_COMMIT) break
  }
  return { waiting: Math.max(0, chain.seq - state.linkedSeq), faults: checkChainEnd(chain, state) }
}

/** Returns a fault for each entry beyond the count of its chain's head. */
const findUncounted = async (
  { chains }: AuditTrail,
  store: Store,
  slice: readonly AuditEntry[],
): Promise<readonly string[]> => {
  const queries = slice.map(({ chain }): [string, Find<AuditChain>] => [chain, byId(chains, chain)])
  const found = await store.read(Object.fromEntries(queries))
  return slice
    .filter(({ chain, seq }) => (found[chain]?.seq ?? 0) < seq)
    .map(({ chain, seq }) => `${chain}: entry ${seq} is not counted by the chain's head`)
}

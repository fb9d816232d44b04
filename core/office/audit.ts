import { type Change, ensure, insert, patch } from '../kernel/records/change.ts'
import { at, type Id, type Json } from '../kernel/records/record.ts'
import { always } from '../kernel/records/where.ts'
import type { Fresh } from '../kernel/running/fresh.ts'
import type { Runtime } from '../kernel/running/use-case.ts'
import type { Requester } from '../ports/identity.ts'
import type { Digest } from '../ports/runtime.ts'
import type { Store } from '../ports/store.ts'
import { type AuditTrail, auditChainsIn, auditEntriesIn, auditQueue, GENESIS, verifyChains } from './audit-chain.ts'

interface AuditSpec<W extends AuditTypes> {
  /** All that its entries may say was done. */
  readonly actions: readonly W['action'][]
  /** Fields, by their paths, whose names do not tell that they hold a secret. */
  readonly secrets?: readonly string[]
  /** Fields that follow other changes and tell nothing of their own. */
  readonly ignored?: readonly string[]
}

/**
 * The audit of a business: `const { audited, changesOf } = auditIn('estate', { actions })`. What was done is chained per
 * tenant or person, so that nobody alters, removes or adds an entry afterwards unseen.
 */
export const auditIn = <W extends AuditTypes>(business: string, { actions, ...told }: AuditSpec<W>) => {
  const trail: AuditTrail = { chains: auditChainsIn(business), entries: auditEntriesIn(business, actions) }
  return {
    ...trail,
    recordAudit: auditedIn<W>(trail),
    changesOf: fieldComparer(told),
    /** What follows every chain, and names what is wrong with it. */
    verify: (store: Store, digest: Digest) => verifyChains(trail, store, digest),
    /** What a store has to hold of it, and a worker to run. */
    part: {
      collections: [trail.chains, trail.entries],
      queues: (ports: Runtime & { readonly digest: Digest }) => [auditQueue(trail, ports)],
    },
  }
}

/** Where a request comes from. */
export interface Origin extends Requester {
  readonly device: string | null
}

/** Who does something and from where: somebody as they came in, or nobody who is signed in. */
export interface AuditActor<I extends Id> {
  readonly userId: I | null
  readonly origin?: Origin | null | undefined
}

/** The words in which a business tells of its deeds, for types. */
export interface AuditTypes {
  readonly action: string
  /** Whose chain it stands in: `account:7`. */
  readonly chain: string
  /** What it was done to. */
  readonly subject: string
  /** Who did it. */
  readonly userId: Id
}

/** What was done. */
export interface NewAuditEntry<W extends AuditTypes> {
  readonly chain: W['chain']
  readonly action: W['action']
  readonly subject: W['subject']
  /** Left out where the action says it all. Where there are none, nothing was done. */
  readonly changes?: FieldChanges
}

/**
 * The changes that record a deed, for the commit that does it. They depend on nothing that was read, so that deeds of one
 * chain commute; the chain begins with its first entry, and the worker links the entries afterwards.
 */
export const auditedIn =
  <W extends AuditTypes>({ chains, entries }: AuditTrail) =>
  (
    fresh: Fresh,
    by: AuditActor<W['userId']>,
    { chain, action, subject, changes }: NewAuditEntry<W>,
  ): readonly Change[] => {
    if (changes && Object.keys(changes).length === 0) return []
    const { steady } = fresh
    const keeper = at(chains, chain)
    const entry = {
      id: fresh.uuid(),
      chain,
      seq: 0,
      createdAt: '',
      actorUserId: by.userId,
      action,
      subject,
      changes: changes ? JSON.stringify(changes) : null,
      address: by.origin?.address ?? null,
      device: by.origin?.device ?? null,
      prevHash: null,
      hash: null,
    }
    const begun = { id: chain, seq: 0, lastAt: steady, linkedSeq: 0, headHash: GENESIS, dueAt: null, attempts: 0 }
    return [
      ensure(chains, begun),
      patch(chains, chain, { add: { seq: 1 }, max: { lastAt: steady }, set: { dueAt: steady }, when: always }),
      insert(entries, entry, { seq: [keeper, 'seq'], createdAt: [keeper, 'lastAt'] }),
    ]
  }

/** What became of each field, by its path (`limits.chargeMinCents`); of a secret it tells only that it changed. */
export type FieldChanges = Readonly<Record<string, { readonly from: Json; readonly to: Json } | typeof HIDDEN>>

type Fields = { readonly [field: string]: Json | undefined }

const HIDDEN = '***'
/** What is kept of a secret ends so. */
const SECRET = /(hash|sealed|token|secret|password|apikey)$/i
/** They follow every change and tell nothing of their own. */
const UNTOLD = ['updatedAt', 'search']

/**
 * Which fields a change sets to something else, before and after; those that it leaves out stay. Objects are told field by
 * field, so that a secret within one is hidden too.
 */
export const fieldComparer = ({
  secrets = [],
  untold = [],
}: {
  readonly secrets?: readonly string[]
  readonly untold?: readonly string[]
}) => {
  const unsaid = new Set([...UNTOLD, ...untold])
  const isSecret = (path: string): boolean => SECRET.test(path) || secrets.includes(path)
  return (before: Fields, set: Fields): FieldChanges =>
    Object.fromEntries(
      Object.entries(set)
        .filter(([field, value]) => value !== undefined && !unsaid.has(field))
        .flatMap(([field, value]) => compared(isSecret, field, before[field] ?? null, value ?? null)),
    )
}

const compared = (
  isSecret: (path: string) => boolean,
  path: string,
  from: Json,
  to: Json,
): [string, FieldChanges[string]][] => {
  if (isSecret(path)) return isSame(from, to) ? [] : [[path, HIDDEN]]
  if (isObject(from) || isObject(to)) {
    const [old, now] = [isObject(from) ? from : {}, isObject(to) ? to : {}]
    const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])]
    return fields.flatMap((field) => compared(isSecret, `${path}.${field}`, old[field] ?? null, now[field] ?? null))
  }
  return isSame(from, to) ? [] : [[path, { from, to }]]
}

const isSame = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b)

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

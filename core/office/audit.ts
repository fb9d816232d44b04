import { always, at, type Change, ensure, type Id, insert, type Json, patch } from '../kernel/records/record.ts'
import type { Fresh, Runtime } from '../kernel/running/use-case.ts'
import type { Requester } from '../ports/identity.ts'
import type { Digest } from '../ports/runtime.ts'
import type { Store } from '../ports/store.ts'
import { type AuditTrail, auditChainsIn, auditEntriesIn, auditQueue, GENESIS, verifyChains } from './audit-chain.ts'

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

/** An entry to record. */
export interface NewAuditEntry<W extends AuditTypes> {
  readonly chain: W['chain']
  readonly action: W['action']
  readonly subject: W['subject']
  /** Absent if the action says it all. With an empty object, nothing is recorded. */
  readonly changes?: FieldChanges
}

interface AuditSpec<W extends AuditTypes> extends ComparedFields {
  readonly actions: readonly W['action'][]
}

/**
 * Creates the audit of a business: `const { recordAudit, changesOf } = auditIn('estate', { actions })`. Entries form a hash
 * chain per tenant or user, so that a change, removal or insertion from outside is detected by `verify`.
 */
export const auditIn = <W extends AuditTypes>(business: string, { actions, ...fields }: AuditSpec<W>) => {
  const trail: AuditTrail = { chains: auditChainsIn(business), entries: auditEntriesIn(business, actions) }
  return {
    ...trail,
    /**
     * Returns the changes that record an entry, for the commit of the audited change. They depend on no read record, so that
     * entries of one chain commute. The first entry creates the chain's head; the worker links entries afterwards.
     */
    recordAudit(
      fresh: Fresh,
      by: AuditActor<W['userId']>,
      { chain, action, subject, changes }: NewAuditEntry<W>,
    ): readonly Change[] {
      if (changes && Object.keys(changes).length === 0) return []
      const { chains, entries } = trail
      const { steady } = fresh
      const head = at(chains, chain)
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
      const newHead = { id: chain, seq: 0, lastAt: steady, linkedSeq: 0, headHash: GENESIS, dueAt: null, attempts: 0 }
      return [
        ensure(chains, newHead),
        patch(chains, chain, { add: { seq: 1 }, max: { lastAt: steady }, set: { dueAt: steady }, when: always }),
        insert(entries, entry, { seq: [head, 'seq'], createdAt: [head, 'lastAt'] }),
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

/** The old and new value of each changed field, by its path (`limits.chargeMinCents`); for a secret only `***`. */
export type FieldChanges = Readonly<Record<string, { readonly from: Json; readonly to: Json } | typeof HIDDEN>>

type Fields = { readonly [field: string]: Json | undefined }

const HIDDEN = '***'
/** Matches names of fields with secrets, also hashed or sealed. */
const SECRET = /(hash|sealed|token|secret|password|apikey)$/i
/** Fields that follow from other changes. */
const IGNORED = ['updatedAt', 'search']

interface ComparedFields {
  /** Paths of fields with secrets whose names `SECRET` does not match. */
  readonly secrets?: readonly string[]
  /** Further fields that follow from other changes. */
  readonly ignored?: readonly string[]
}

/**
 * Returns a function that compares a record with the fields to set; absent fields stay as they are. Objects are compared field
 * by field, so that a secret within one is hidden too.
 */
export const fieldComparer = ({ secrets = [], ignored = [] }: ComparedFields) => {
  const skipped = new Set([...IGNORED, ...ignored])
  const isSecret = (path: string): boolean => SECRET.test(path) || secrets.includes(path)
  return (before: Fields, set: Fields): FieldChanges =>
    Object.fromEntries(
      Object.entries(set)
        .filter(([field, value]) => value !== undefined && !skipped.has(field))
        .flatMap(([field, value]) => compare(isSecret, field, before[field] ?? null, value ?? null)),
    )
}

const compare = (
  isSecret: (path: string) => boolean,
  path: string,
  from: Json,
  to: Json,
): [string, FieldChanges[string]][] => {
  if (isSecret(path)) return isEqual(from, to) ? [] : [[path, HIDDEN]]
  if (isObject(from) || isObject(to)) {
    const [old, now] = [isObject(from) ? from : {}, isObject(to) ? to : {}]
    const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])]
    return fields.flatMap((field) => compare(isSecret, `${path}.${field}`, old[field] ?? null, now[field] ?? null))
  }
  return isEqual(from, to) ? [] : [[path, { from, to }]]
}

const isEqual = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b)

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

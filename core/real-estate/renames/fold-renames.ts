import { isLeft } from '../../fp.ts'
import { remove } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import type { Field, Rec } from '../../kernel/records/record.ts'
import { all, eq, not, type Where } from '../../kernel/records/where.ts'
import { applyOutcome, type Lease, leaseGuard, type Queue, queueOf } from '../../kernel/running/queue.ts'
import { accept, decideAndCommit, orThrow, type Runtime } from '../../kernel/running/use-case.ts'
import { byId, listOf } from '../../ports/store.ts'
import { brokers } from '../records/broker.ts'
import { clients } from '../records/client.ts'
import { commission } from '../records/commission.ts'
import { contract } from '../records/contract.ts'
import { payment } from '../records/payment.ts'
import { properties } from '../records/property.ts'
import { proposal } from '../records/proposal.ts'
import { visit } from '../records/visit.ts'
import { type Rename, renames } from './rename.ts'

/** What folds the search text of a record anew: any resource that has copies. */
interface Copying {
  readonly collection: Collection<Rec>
  update(
    facts: {
      readonly record: Rec
      readonly keyHolders: object
      readonly references: readonly []
      readonly storedReferences: readonly []
    },
    given: object,
    fresh: object,
    kept: object,
  ): ReturnType<typeof proposal.update>
}

/** A resource whose records hold a copy of another's name, and the field by which they name that one. */
interface Copy {
  readonly in: Copying
  readonly by: string
  readonly copy: string
}

/** Resources of every record type stand here side by side: each is asked for fields that it has. */
const copy = (of: object, by: string, name: string): Copy => ({ in: of as Copying, by, copy: name })

const DEALS = [proposal, contract, payment, visit, commission]

const COPIES: Readonly<Record<Rename['kind'], readonly Copy[]>> = {
  property: DEALS.map((each) => copy(each, 'propertyId', 'propertyCode')),
  client: DEALS.map((each) => copy(each, 'clientId', 'clientName')),
  broker: [copy(commission, 'brokerId', 'brokerName')],
}

const RECORDS_A_SLICE = 100
const FOLD_LEASE_SECONDS = 60
const FOLDS_AT_ONCE = 8

const nameOf = async ({ store }: Runtime, { kind, subjectId }: Rename): Promise<string | null> => {
  if (kind === 'property') return (await store.find(byId(properties, subjectId)))?.code ?? null
  if (kind === 'client') return (await store.find(byId(clients, subjectId)))?.name ?? null
  return (await store.find(byId(brokers, subjectId)))?.name ?? null
}

/** Gives one record the name as it is, and folds its search text anew. */
const foldOne = (
  runtime: Runtime,
  { in: of, by, copy: field }: Copy,
  found: Rec,
  { subjectId }: Rename,
  name: string,
) =>
  decideAndCommit(
    runtime,
    (store) => store.find(byId(of.collection, found.id)),
    (record, fresh) => {
      if (record?.[by] !== subjectId || record[field] === name) return accept(null)
      const made = of.update({ record, keyHolders: {}, references: [], storedReferences: [] }, {}, fresh, {
        [field]: name,
      })
      return isLeft(made) ? accept(null) : accept(null, ...made.right.changes)
    },
  )

/** Goes through the records that hold another name, until none does. */
const foldAll = async (runtime: Runtime, where: Copy, rename: Rename, lease: Lease<Rename>): Promise<void> => {
  const { store, clock } = runtime
  const from = where.in.collection
  for (;;) {
    const name = await nameOf(runtime, rename)
    if (name === null) return
    const outdated = all(
      eq('companyId', rename.companyId),
      eq(where.by, rename.subjectId),
      not(eq(where.copy, name)),
    ) as Where<Field<Rec>>
    const { records } = await store.list(listOf(from, { where: outdated, when: 'live', limit: RECORDS_A_SLICE }))
    for (const record of records) orThrow(await foldOne(runtime, where, record, rename, name))
    if (records.length < RECORDS_A_SLICE || !(await lease.renew(clock.now()))) return
  }
}

/** The queue of names that changed: what holds a copy of one is found by it again. Source: 03-real-estate.md, search. */
export const renameQueue = (runtime: Runtime): Queue =>
  queueOf({
    collection: renames,
    owner: 'companyId',
    leaseSeconds: FOLD_LEASE_SECONDS,
    atOnce: FOLDS_AT_ONCE,
    async handle(rename, _report, lease) {
      const { store, clock } = runtime
      for (const each of COPIES[rename.kind]) await foldAll(runtime, each, rename, lease)
      const held = await lease.renew(clock.now())
      if (!held) return
      if (clock.steady() < held.until) await applyOutcome(store, renames, held, { dueAt: held.until })
      else await store.commit([remove(renames, held.id, leaseGuard(held))])
    },
  })

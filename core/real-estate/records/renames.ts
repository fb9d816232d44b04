import { isLeft } from '../../failure.ts'
import {
  all,
  always,
  type Change,
  type Collection,
  ensure,
  eq,
  type Field,
  not,
  orNull,
  patch,
  record,
  remove,
  t,
  word,
} from '../../kernel/records/record.ts'
import { applyOutcome, type Lease, leaseGuard, type Queue, queueOf, queueParts } from '../../kernel/running/queue.ts'
import { accept, decideAndCommit, type Fresh, orThrow, type Runtime } from '../../kernel/running/use-case.ts'
import { addSeconds } from '../../kernel/values/day.ts'
import { byId, listOf } from '../../ports/store.ts'
import { type Event, type EventType, subscriber } from '../office.ts'
import { commission } from './commission.ts'
import { contract } from './contract.ts'
import { payment } from './payment.ts'
import { brokers, clients } from './people.ts'
import { properties } from './property.ts'
import { type Proposal, proposal } from './proposal.ts'
import { visit } from './visit.ts'

const RENAMED_KINDS = ['property', 'client', 'broker'] as const

const rename = record({
  /** The kind and id of the renamed record: `property:3f2b…`. */
  id: t.string,
  companyId: t.string,
  kind: word(...RENAMED_KINDS),
  subjectId: t.string,
  /** The time of the last pass: a request that began before the rename may still store the former name. */
  until: t.string,
  dueAt: orNull(t.string),
  attempts: t.number,
})

type Rename = t.TypeOf<typeof rename>

export const renames: Collection<Rename> = {
  name: 'estate.renames',
  ids: 'text',
  codec: rename,
  owner: null,
  ...queueParts('companyId'),
}

/** Exceeds the time of a request, which may have read the former name. */
const REQUEST_SECONDS = 60

const EVENTS = {
  'property.renamed': 'property',
  'client.renamed': 'client',
  'broker.renamed': 'broker',
} as const satisfies { readonly [T in EventType]?: Rename['kind'] }

const kindOf = (type: Event['type']): Rename['kind'] | null =>
  type in EVENTS ? EVENTS[type as keyof typeof EVENTS] : null

const queueRename = ({ companyId, subjectId }: Event, kind: Rename['kind'], { steady }: Fresh): readonly Change[] => {
  const id = `${kind}:${subjectId}`
  const due = { until: addSeconds(steady, REQUEST_SECONDS), dueAt: steady, attempts: 0 }
  return [ensure(renames, { id, companyId, kind, subjectId, ...due }), patch(renames, id, { set: due, when: always })]
}

/** Queues a rename, since the number of copies to update is not limited. */
export const renameSubscriber = subscriber({
  name: 'renames',
  types: ['property.renamed', 'client.renamed', 'broker.renamed'],
  read: async () => null,
  decide(event, _, fresh) {
    const kind = kindOf(event.type)
    return kind === null ? [] : queueRename(event, kind, fresh)
  },
})

/** A resource with copies of a name, its field with the reference, and its field with the copy. */
interface Copy {
  readonly resource: Pick<typeof proposal, 'collection' | 'update'>
  readonly reference: Field<Proposal>
  readonly copy: Field<Proposal>
}

/** The resources have different record types; each is accessed only by fields that it has. */
const copy = (resource: object, reference: string, name: string) => ({ resource, reference, copy: name }) as Copy

const DEALS = [proposal, contract, payment, visit, commission]

const COPIES: Readonly<Record<Rename['kind'], readonly Copy[]>> = {
  property: DEALS.map((each) => copy(each, 'propertyId', 'propertyCode')),
  client: DEALS.map((each) => copy(each, 'clientId', 'clientName')),
  broker: [copy(commission, 'brokerId', 'brokerName')],
}

const RECORDS_PER_SLICE = 100
const RENAME_LEASE_SECONDS = 60
const RENAMES_AT_ONCE = 8

const nameOf = async ({ store }: Runtime, { kind, subjectId }: Rename): Promise<string | null> => {
  if (kind === 'property') return (await store.find(byId(properties, subjectId)))?.code ?? null
  if (kind === 'client') return (await store.find(byId(clients, subjectId)))?.name ?? null
  return (await store.find(byId(brokers, subjectId)))?.name ?? null
}

const updateCopy = (
  runtime: Runtime,
  { resource, reference, copy: field }: Copy,
  outdated: Proposal,
  { subjectId }: Rename,
  name: string,
) =>
  decideAndCommit(
    runtime,
    (store) => store.find(byId(resource.collection, outdated.id)),
    (record, fresh) => {
      if (record?.[reference] !== subjectId || record[field] === name) return accept(null)
      const decision = resource.update({ record, keyHolders: {}, references: [], storedReferences: [] }, {}, fresh, {
        [field]: name,
      })
      return isLeft(decision) ? accept(null) : accept(null, ...decision.right.changes)
    },
  )

const updateCopies = async (runtime: Runtime, target: Copy, rename: Rename, lease: Lease<Rename>): Promise<void> => {
  const { store, clock } = runtime
  const { collection } = target.resource
  for (;;) {
    const name = await nameOf(runtime, rename)
    if (name === null) return
    const outdated = all(
      eq('companyId', rename.companyId),
      eq(target.reference, rename.subjectId),
      not(eq(target.copy, name)),
    )
    const { records } = await store.list(
      listOf(collection, { where: outdated, when: 'live', limit: RECORDS_PER_SLICE }),
    )
    for (const record of records) orThrow(await updateCopy(runtime, target, record, rename, name))
    if (records.length < RECORDS_PER_SLICE || !(await lease.renew(clock.now()))) return
  }
}

export const renameQueue = (runtime: Runtime): Queue =>
  queueOf({
    collection: renames,
    owner: 'companyId',
    leaseSeconds: RENAME_LEASE_SECONDS,
    atOnce: RENAMES_AT_ONCE,
    async handle(rename, _report, lease) {
      const { store, clock } = runtime
      for (const each of COPIES[rename.kind]) await updateCopies(runtime, each, rename, lease)
      const leased = await lease.renew(clock.now())
      if (!leased) return
      if (clock.steady() < leased.until) await applyOutcome(store, renames, leased, { dueAt: leased.until })
      else await store.commit([remove(renames, leased.id, leaseGuard(leased))])
    },
  })

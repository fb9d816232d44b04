import fc from 'fast-check'
import type { PendingCommit } from '../../../core/kernel/records/apply-commits.ts'
import {
  always,
  at,
  type Change,
  check,
  ensure,
  eq,
  gte,
  insert,
  not,
  patch,
  remove,
  type Where,
} from '../../../core/kernel/records/record.ts'
import {
  type Account,
  account,
  accounts,
  claim,
  claims,
  entries,
  entry,
  type Thing,
  thing,
  things,
} from '../../fixtures/things.ts'

/** A few ids, keys and values, so that random changes collide. */
export interface Place {
  readonly shopId: string
  readonly ids: readonly number[]
  readonly accountIds: readonly string[]
}

const IDS = 5

export const placeOf = (index: number): Place => ({
  shopId: `shop ${index}`,
  ids: Array.from({ length: IDS }, (_, place) => 1 + index * IDS + place),
  accountIds: [`a${index}`, `b${index}`],
})

const one = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)

const fieldsOf = ({ shopId }: Place): fc.Arbitrary<Partial<Thing>> =>
  fc.record(
    {
      document: one(null, '1', '2', '😀'),
      code: one(null, `${shopId} x`, `${shopId} y`),
      status: one(null, 'open', 'paid'),
      valueCents: one(null, 0, 5, -5),
      size: one(null, 1, 2),
      active: one(null, true, false),
      createdDay: one(null, '2026-01-01', '2026-01-02'),
      labels: one(null, [], ['a']),
      removedAt: one(null, null, '2026-01-03'),
    },
    { requiredKeys: [] },
  )

const guard: fc.Arbitrary<Where<keyof Thing>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Where<keyof Thing>>(always) },
  { weight: 1, arbitrary: one(null, 'open', 'paid').map((status) => eq<keyof Thing>('status', status)) },
  { weight: 1, arbitrary: one(1, 2).map((size) => not(gte<keyof Thing>('size', size))) },
)

const thingChange = (place: Place): fc.Arbitrary<Change> => {
  const id = one(...place.ids)
  const increments = fc.record({ valueCents: one(1, -2), size: one(3) }, { requiredKeys: [] })
  const bounds = fc.record({ createdDay: one('2026-01-02', '2025-01-01'), size: one(2) }, { requiredKeys: [] })
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(id, fieldsOf(place))
        .map(([id, fields]) => insert(things, thing(id, { ...fields, shopId: place.shopId }))),
    },
    {
      weight: 5,
      arbitrary: fc
        .tuple(id, fieldsOf(place), increments, bounds, guard)
        .map(([id, set, add, max, when]) => patch(things, id, { set, add, max, when })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(id, fieldsOf(place))
        .map(([id, fields]) => ensure(things, thing(id, { ...fields, shopId: place.shopId }))),
    },
    { weight: 1, arbitrary: fc.tuple(id, guard).map(([id, when]) => check(things, id, when)) },
    { weight: 2, arbitrary: fc.tuple(id, guard).map(([id, when]) => remove(things, id, when)) },
    { weight: 1, arbitrary: id.map((id) => patch(things, id, { set: { size: 0.5 }, when: always })) },
  )
}

const accountChange = ({ shopId, accountIds, ids }: Place): fc.Arbitrary<Change[]> => {
  const id = one(...accountIds)
  const spend = (id: string, cents: number): Change =>
    patch(accounts, id, { add: { availableCents: -cents }, when: gte<keyof Account>('availableCents', cents) })
  return fc.oneof(
    id.map((id) => [insert(accounts, account(id, { shopId, availableCents: 5 }))]),
    fc
      .tuple(id, one(...ids))
      .map(([id, entryId]) => [ensure(accounts, account(id, { shopId })), ...post(id, entryId, 1)]),
    fc.tuple(id, one(1, 3)).map(([id, cents]) => [spend(id, cents)]),
    fc.tuple(id, one(...ids), one(1, -2)).map(([id, entryId, valueCents]) => post(id, entryId, valueCents)),
    fc.tuple(id, one(...ids)).map(([id, entryId]) => post(id, entryId, 1).slice(1)),
  )
}

const post = (accountId: string, entryId: number, valueCents: number): Change[] => [
  patch(accounts, accountId, {
    add: { seq: 1, balanceCents: valueCents },
    max: { lastAt: `t${entryId}` },
    when: always,
  }),
  insert(entries, entry(entryId, accountId, { valueCents }), {
    seq: [at(accounts, accountId), 'seq'],
    balanceCents: [at(accounts, accountId), 'balanceCents'],
    at: [at(accounts, accountId), 'lastAt'],
  }),
]

/** A commit in a place. Some have a hook that stores a taken value. */
const randomCommit = (place: Place): fc.Arbitrary<PendingCommit> =>
  fc
    .tuple(
      fc.array(
        fc.oneof(
          thingChange(place).map((change) => [change]),
          accountChange(place),
        ),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
      fc.option(one(...place.accountIds), { freq: 1 }),
    )
    .map(([changes, hook]) => ({
      changes: changes.flat(),
      ...(hook !== null && { hook: hookOf(changes.flat(), hook) }),
    }))

const hookOf = (changes: readonly Change[], name: string): NonNullable<PendingCommit['hook']> => {
  const entry = changes.find((change) => change.kind === 'insert' && change.take)
  return (taken) => [insert(claims, claim(name, { note: entry ? `${taken(entry.at, 'seq')}` : null }))]
}

/** Batches of simultaneous commits. */
export const randomBatches = (
  place: Place,
  batches: number,
  together: number,
): fc.Arbitrary<readonly (readonly PendingCommit[])[]> =>
  fc.array(fc.array(randomCommit(place), { minLength: 1, maxLength: together }), {
    minLength: batches,
    maxLength: batches,
  })

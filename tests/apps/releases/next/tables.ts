import { collectionsOf } from '../../../../apps/host/host.ts'
import { openStore } from '../../../../apps/host/open-store.ts'
import { payments } from '../../../../apps/payments/app.ts'
import { t as io } from '../../../../core/fp.ts'
import type { Change } from '../../../../core/kernel/records/change.ts'
import type { AnyCollection, TallyRow } from '../../../../core/kernel/records/collection.ts'
import type { Id, Json, Rec } from '../../../../core/kernel/records/record.ts'
import { fieldCodecs, orNull, record } from '../../../../core/kernel/records/record.ts'
import { all, eq, type Where } from '../../../../core/kernel/records/where.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'

const HIGH_CENTS = 5_000

/** A field that no earlier release knows, and what it is of records of theirs. */
const bandOf = ({ valueCents }: Rec): string => (Number(valueCents) >= HIGH_CENTS ? 'high' : 'low')

/** What the next release makes of a charge that it inserts. */
const asInserted = (made: Rec): Rec => ({ ...made, nextNote: null, nextBand: bandOf(made) })

const asWritten = (change: Change): Change =>
  (change.kind === 'insert' || change.kind === 'ensure') && change.at[0] === charges.name
    ? { ...change, record: asInserted(change.record) }
    : change

/** What the next release says of charges: of everything that may change one. `twins` share a text of its new key. */
const nextOf = (collection: AnyCollection, twins: readonly Id[]): AnyCollection => {
  const { conditions = {}, keys = {}, indexes = [], tallies = [] } = collection
  const fields = { ...(fieldCodecs(collection.codec) as io.Props), nextNote: orNull(io.string), nextBand: io.string }
  const [first, ...others] = tallies
  const changed = (row: TallyRow): TallyRow => ({ ...row, by: [...row.by, 'nextBand'] })
  return {
    ...collection,
    codec: record(fields) as AnyCollection['codec'],
    upgrades: { nextBand: bandOf },
    conditions: {
      ...conditions,
      // The same by another text, so that all that serves it is made anew.
      ...(conditions.listed && { listed: all(conditions.listed) }),
      high: eq('nextBand', 'high'),
    },
    keys: { ...keys, twin: ({ id }) => (twins.includes(id) ? 'twins' : `${id}`) },
    indexes: [...indexes.slice(1), { eq: 'nextBand', sort: 'createdAt' }],
    tallies: [
      ...(first ? [changed(first)] : []),
      ...others,
      { by: ['accountId', 'nextBand'], sum: ['valueCents'], when: 'high' },
    ],
  }
}

export const nextCollections = (twins: readonly Id[]): readonly AnyCollection[] =>
  collectionsOf([payments]).map((collection) =>
    collection.name === charges.name ? nextOf(collection, twins) : collection,
  )

/** Charges as the next release asks for them. */
export const nextCharges = (twins: readonly Id[]): AnyCollection => nextOf(charges, twins)

/** The conditions of the next release that no earlier one could answer, with what they say of a record. */
export const NEXT_QUESTIONS: readonly (readonly [when: string | undefined, where: Where, band: Json])[] = [
  [undefined, eq('nextBand', 'low'), 'low'],
  ['high', all(), 'high'],
]

/** Opens a store as the next release does, whose charges have fields more. */
export const openAsNext =
  (twins: readonly Id[]): typeof openStore =>
  async (url, _collections, options) => {
    const store = await openStore(url, nextCollections(twins), options)
    return {
      ...store,
      commit: (changes, hook) => store.commit(changes.map(asWritten), hook && ((taken) => hook(taken).map(asWritten))),
    }
  }

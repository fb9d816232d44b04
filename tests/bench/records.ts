import {
  type AnyCollection,
  always,
  at,
  type Change,
  type Collection,
  insert,
  patch,
  t,
} from '../../core/kernel/records/record.ts'

const noteCodec = t.strict({
  id: t.Int,
  accountId: t.Int,
  name: t.string,
  valueCents: t.Int,
  createdAt: t.string,
  removedAt: t.union([t.string, t.null]),
})
export type Note = t.OutputOf<typeof noteCodec>

/** A small record, paged by its owner and counted. */
export const notes: Collection<Note> = {
  name: 'bench.notes',
  ids: 'integer',
  codec: noteCodec,
  owner: 'accountId',
  indexes: [{ sort: 'createdAt' }],
  tallies: [{ by: ['accountId'], sum: [] }],
}

const YEAR_2026_MS = 1_767_225_600_000

export const note = (id: number): Note => ({
  id,
  accountId: id % 10,
  name: `Maria da Conceição ${id}`,
  valueCents: 1_000 + id,
  createdAt: new Date(YEAR_2026_MS + id * 1_000).toISOString(),
  removedAt: null,
})

const bookCodec = t.strict({ id: t.Int, balanceCents: t.Int, availableCents: t.Int, seq: t.Int })
export type Book = t.OutputOf<typeof bookCodec>
export const books: Collection<Book> = {
  name: 'bench.books',
  ids: 'integer',
  codec: bookCodec,
  owner: null,
}

export const book = (id: number): Book => ({ id, balanceCents: 0, availableCents: 0, seq: 0 })

const entryCodec = t.strict({
  id: t.Int,
  accountId: t.Int,
  seq: t.Int,
  valueCents: t.Int,
  balanceCents: t.Int,
  journalId: t.Int,
})
type Entry = t.OutputOf<typeof entryCodec>
const entries: Collection<Entry> = {
  name: 'bench.entries',
  ids: 'integer',
  codec: entryCodec,
  owner: 'accountId',
  indexes: [{ sort: 'seq' }],
  tallies: [{ by: ['accountId'], sum: ['valueCents'] }],
}

/** Entries without a tally. */
export const lines: Collection<Entry> = { ...entries, name: 'bench.lines', tallies: [] }

const journalCodec = t.strict({ id: t.Int, kind: t.string, legs: t.array(t.strict({ book: t.string, cents: t.Int })) })
export const journals: Collection<t.OutputOf<typeof journalCodec>> = {
  name: 'bench.journals',
  ids: 'integer',
  codec: journalCodec,
  owner: null,
}

export const benchCollections: readonly AnyCollection[] = [notes, books, entries, lines, journals]

export const journal = (accountId: number, id: number, cents: number) => ({
  id,
  kind: 'payment',
  legs: [
    { book: `main:${accountId}`, cents },
    { book: 'clearing', cents: -cents },
  ],
})

/** Returns the changes of a payment: the balance of the account, its entry, and the journal with all legs. */
export const posting = (accountId: number, id: number, into = entries): readonly Change[] => {
  const cents = 100
  return [
    patch(books, accountId, { add: { balanceCents: cents, seq: 1 }, when: always }),
    insert(
      into,
      { id, accountId, seq: 0, valueCents: cents, balanceCents: 0, journalId: id },
      { balanceCents: [at(books, accountId), 'balanceCents'], seq: [at(books, accountId), 'seq'] },
    ),
    insert(journals, journal(accountId, id, cents)),
  ]
}

import test from 'ava'
import fc from 'fast-check'
import { memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { insert } from '../../../../core/kernel/records/record.ts'
import { type Entry, entries, ledgerAccounts, newLedgerAccount } from '../../../../core/payments/ledger/ledger.ts'
import { paymentsCollections } from '../../../../core/payments/payments.ts'
import { listTransactions, readBalance, type TransactionFilter } from '../../../../core/payments/statements/entries.ts'
import { transactionView } from '../../../../core/payments/statements/views.ts'
import { onWire } from '../../kernel/input/reads.ts'
import { aBook, anEntry } from '../records.ts'
import { NOW, openPayments, right } from '../world.ts'

const DAYS = ['2026-11-21', '2026-11-22', '2026-11-23']
const STATUSES = [1, 2, 4, 5]
const TYPES = [1, 3, 6]

const words = ['jose', 'maria', 'mensalidade']
const entryOver = fc.record({
  accountId: fc.constantFrom(1, 2),
  valueCents: fc.integer({ min: -500, max: 500 }).filter((cents) => cents !== 0),
  day: fc.constantFrom(...DAYS),
  typeId: fc.constantFrom(...TYPES),
  status: fc.constantFrom(...STATUSES),
  search: fc.constantFrom(...words),
})
const whole = fc.tuple(fc.constantFrom(...DAYS), fc.constantFrom(...DAYS)).map((days) => {
  const [from = '', to = ''] = days.sort()
  return { from, to }
})
const open = fc.constantFrom(...DAYS).chain((day) => fc.constantFrom({}, { from: day }, { to: day }))
const filterOver: fc.Arbitrary<TransactionFilter> = fc.record(
  {
    search: fc.constantFrom('JOSÉ', 'ari', 'x'),
    typeIds: fc.subarray([...TYPES, 99], { minLength: 1 }),
    types: fc.subarray(['1', 'pix-in', 'pix-in-fee', '6'], { minLength: 1 }),
    typeId: fc.subarray(TYPES, { minLength: 1 }),
    status: fc.constantFrom(-1, 1, 4, 0),
    created: fc.oneof(open, whole),
    paid: fc.oneof(fc.constant({}), whole),
    between: open,
    page: fc.integer({ min: 1, max: 3 }),
    perPage: fc.integer({ min: 1, max: 5 }),
  },
  { requiredKeys: [] },
)

const typeOf = (word: string): number => ({ 'pix-in': 1, 'pix-in-fee': 3 })[word] ?? Number(word)
const isWithin = (day: string, { from = '', to = '9' }: NonNullable<TransactionFilter['created']>) =>
  day >= from && day <= to
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Sorts the entries as the ledger posts them: by account and day. */
const posted = (overs: readonly (typeof entryOver extends fc.Arbitrary<infer E> ? E : never)[]): readonly Entry[] =>
  [1, 2].flatMap((accountId) =>
    overs
      .map((each, index) => ({ ...each, id: index + 1 }))
      .filter((each) => each.accountId === accountId)
      .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
      .map((each, index) => anEntry({ ...each, seq: index + 1 })),
  )

test('lists the matching page, and sums all matches', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(entryOver, { maxLength: 30 }),
      filterOver,
      fc.boolean(),
      async (overs, over, isPosted) => {
        const { ports } = openPayments()
        const all = isPosted ? posted(overs) : overs.map((each, index) => anEntry({ ...each, id: index + 1 }))
        const seq = all.filter(({ accountId }) => accountId === 1).length
        await ports.store.commit(all.map((entry) => insert(entries, entry)))
        if (isPosted) await ports.store.commit([insert(ledgerAccounts, { ...aBook, seq })])
        const { search, types, typeId, typeIds, status = -1, page = 1, perPage = 15 } = over
        const named = [...(types ?? []).map(typeOf), ...(typeId ?? []), ...(typeIds ?? [])]
        const matching = all
          .filter(
            (entry) =>
              entry.accountId === 1 &&
              (search === undefined || entry.search.includes(plain(search))) &&
              (named.length === 0 || named.includes(entry.typeId)) &&
              (status === -1 || entry.status === status) &&
              [over.created, over.paid, over.between].every((range) => isWithin(entry.day, range ?? {})),
          )
          .sort((a, b) => b.seq - a.seq)
        const { types: byType, ...pageOf } = right(await listTransactions(ports)({ accountId: 1 }, over)())
        const sum = (sign: 1 | -1) =>
          matching
            .filter(({ valueCents }) => Math.sign(valueCents) === sign)
            .reduce((total, { valueCents }) => total + Math.abs(valueCents), 0)
        const sums = [...new Set(matching.map(({ typeId }) => typeId))].map((id) => {
          const of = matching.filter(({ typeId }) => typeId === id)
          return [id, of.length, of.reduce((total, { valueCents }) => total + valueCents, 0)] as const
        })
        t.deepEqual(
          byType.map(({ type, count, valueCents }) => [type.id, count, valueCents] as const),
          sums.sort(([a], [b]) => a - b),
        )
        t.deepEqual(pageOf, {
          records: matching.slice((page - 1) * perPage, page * perPage),
          page,
          perPage,
          total: matching.length,
          incomeCents: sum(1),
          expensesCents: sum(-1),
        })
      },
    ),
    { numRuns: 150 },
  )
})

test('does not count an entry that is posted during the read of a later day', async (t) => {
  const { ports } = openPayments()
  const line = anEntry({ id: 1, accountId: 1, valueCents: 100 })
  await ports.store.commit([insert(entries, line), insert(ledgerAccounts, { ...aBook, seq: 1 })])
  let reads = 0
  const read: typeof ports.store.read = async (asks) => {
    reads += 1
    if (reads === 2) await ports.store.commit([insert(entries, { ...line, id: 2, seq: 2 })])
    return ports.store.read(asks)
  }
  const listed = await listTransactions({ ...ports, store: { ...ports.store, read } })(
    { accountId: 1 },
    { created: { from: '2026-11-24' } },
  )()
  t.like(listed, { right: { records: [], total: 0, incomeCents: 0 } })
  t.is(reads, 2)
})

test('reads the balance of the main book, and 0 without a book', async (t) => {
  const store = memoryStore(paymentsCollections)
  const { ports } = openPayments()
  const balanceOf = (accountId: number) => readBalance({ ...ports, store })({ accountId })()
  await store.commit([newLedgerAccount(1, 'main', NOW), newLedgerAccount(1, 'card', NOW)])
  t.like(await balanceOf(1), { right: { balanceCents: 0 } })
  t.like(await balanceOf(2), { right: { balanceCents: 0 } })
})

test('shows an entry in signed reais, with its time in São Paulo', (t) => {
  const payer = { name: 'Zé', document: '1', bank: null, branch: null, account: null }
  const amounts = { valueCents: -99, balanceCents: 14_951 }
  const entry = anEntry({ id: 9, accountId: 1, ...amounts, typeId: 3, txid: 'T', endToEnd: 'E', payer })
  const about = { txid: 'T', endtoend: 'E', payer, receiver: null }
  t.deepEqual(onWire(transactionView, entry), {
    id: 9,
    datetime: '2026-11-23T10:05:09-03:00',
    description: 'Mensalidade',
    value: -0.99,
    balance: 149.51,
    type: { id: 3, slug: 'pix-in-fee', name: 'Tarifa Pix In' },
    status: { id: 1, title: 'Confirmado' },
    ...about,
    metadata: about,
  })
  const titles = [2, 4, 5].map((status) => onWire(transactionView, { ...entry, status }).status.title)
  t.deepEqual(titles, ['Pendente', 'Estornado', 'Cartão'])
})

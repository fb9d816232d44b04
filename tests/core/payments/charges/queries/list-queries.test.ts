import test, { type ExecutionContext } from 'ava'
import { eq } from '../../../../../core/kernel/records/record.ts'
import { type Charge, charges } from '../../../../../core/payments/charges/charge.ts'
import { type ChargeFilter, chargeFilter } from '../../../../../core/payments/charges/queries/list.ts'
import { paymentsCollections } from '../../../../../core/payments/payments.ts'
import { type List, listOf, type Store } from '../../../../../core/ports/store.ts'
import { GROWING } from '../../../../bench/lists/history.ts'
import { questions } from '../../../../bench/lists/questions.ts'
import { openSqlite, recording } from '../../../observed-store.ts'
import { openPayments } from '../../world.ts'
import { assertPages, fillWithCharges, pageQuery } from './random-pages.ts'

const SIZE = 4_000

const opened = async (t: ExecutionContext) => {
  const store = await openSqlite(t, paymentsCollections)
  await fillWithCharges(store, SIZE)
  return store
}

const day = { from: '2022-03-15', to: '2022-03-15' }
const half = { from: '2023-01-01', to: '2023-06-30' }
const years = { from: '2023-01-01', to: '2024-12-31' }
const paidIn = { from: '2023-02-01', to: '2023-03-17' }

interface Plan {
  /** The fields of the index that serves the page. */
  readonly by: string
  /** The number of the tally with the total; absent if the index of the page gives it. */
  readonly tally?: number
  readonly isSorted?: true
  /** The index also has the fields of the filter and of the order, so that only the records of the page are read. */
  readonly isCovered?: true
}

const plans: readonly (readonly [string, ChargeFilter, Plan])[] = [
  ['no filter', {}, { by: 'accountId=', tally: 2 }],
  ['order by id', { orderBy: 'id' }, { by: 'accountId=', tally: 2 }],
  ['order by due date', { orderBy: 'dueDate' }, { by: 'accountId=', tally: 2 }],
  ['order by payment date', { orderBy: 'paymentDate', orderDir: 'asc' }, { by: 'accountId=', tally: 2 }],
  ['a far page', { page: 130 }, { by: 'accountId= createdAt> createdAt<', tally: 2 }],
  ['a page in the middle', { page: 40 }, { by: 'accountId= createdAt> createdAt<', tally: 2 }],
  ['a far page by due date', { orderBy: 'dueDate', page: 130 }, { by: 'accountId= dueDate> dueDate<', tally: 2 }],
  ['a status', { statuses: ['paidwithpix'] }, { by: 'accountId= status=', tally: 2 }],
  ['what is pending', { statuses: ['pending'] }, { by: 'accountId= status=', tally: 2 }],
  ['what was deleted', { statuses: ['DELETED'] }, { by: 'accountId= status=', tally: 0 }],
  [
    'two statuses',
    { statuses: ['failed', 'paidwithpix'] },
    { by: 'accountId= status= createdAt> createdAt<', tally: 2, isSorted: true },
  ],
  ['two rare statuses', { statuses: ['failed', 'cancelled'] }, { by: 'accountId= status=', tally: 2, isSorted: true }],
  [
    'an old day by due date',
    { created: day, orderBy: 'dueDate' },
    { by: 'accountId= createdAt> createdAt<', tally: 1, isSorted: true },
  ],
  ['a method', { methods: ['PIX'] }, { by: 'accountId= paymentMethod=', tally: 2 }],
  ['a client', { clientId: 1 }, { by: 'accountId= clientId=' }],
  ['an old day', { created: day }, { by: 'accountId= createdAt> createdAt<', tally: 1 }],
  ['half a year', { created: half }, { by: 'accountId= createdAt> createdAt<', tally: 1 }],
  ['since a day', { created: { from: '2022-03-15' } }, { by: 'accountId= createdAt>', tally: 1 }],
  ['due on a day', { due: day }, { by: 'accountId= dueDate> dueDate<', tally: 3, isSorted: true }],
  ['due in two years', { due: years }, { by: 'accountId= createdAt> createdAt<', tally: 3 }],
  ['due in half a year', { due: half }, { by: 'accountId= dueDate> dueDate<', tally: 3, isSorted: true }],
  ['the same by due date', { due: half, orderBy: 'dueDate' }, { by: 'accountId= dueDate> dueDate<', tally: 3 }],
  [
    'the same by payment date',
    { due: half, orderBy: 'paymentDate' },
    { by: 'accountId= dueDate> dueDate<', tally: 3, isSorted: true, isCovered: true },
  ],
  [
    'a client by due date',
    { clientId: 1, orderBy: 'dueDate' },
    { by: 'accountId= clientId=', isSorted: true, isCovered: true },
  ],
  [
    'a client by payment date',
    { clientId: 1, orderBy: 'paymentDate' },
    { by: 'accountId= clientId=', isSorted: true, isCovered: true },
  ],
  [
    'a rare status by payment date',
    { statuses: ['failed'], orderBy: 'paymentDate' },
    { by: 'accountId= status=', tally: 2, isSorted: true, isCovered: true },
  ],
  ['paid on a day', { paid: day }, { by: 'accountId= paymentDate> paymentDate<', tally: 4, isSorted: true }],
  [
    'paid by its day',
    { paid: paidIn, orderBy: 'paymentDate' },
    { by: 'accountId= paymentDate> paymentDate<', tally: 4 },
  ],
  [
    'a status, a method and a client',
    { statuses: ['failed'], methods: ['BOLETO'], clientId: 1 },
    { by: 'accountId= clientId=' },
  ],
  [
    'a status due in half a year',
    { due: half, statuses: ['failed'] },
    { by: 'accountId= status= createdAt> createdAt<', tally: 7 },
  ],
  ['a search, which walks', { search: 'joaquina' }, { by: 'accountId=' }],
]

test('sums charges from a tally, unless a filter names a client, a search or days of payment', async (t) => {
  const store = await openSqlite(t, paymentsCollections)
  for (const filter of [{}, { due: half }, { created: half }, { methods: ['PIX'] }, { statuses: ['paid'] }] as const) {
    const { asked, recorded } = recording(store)
    await openPayments({ store: recorded }).pay.charges.summarize({ accountId: GROWING }, filter)()
    const plans = await Promise.all(asked.map((each) => store.explain(each)))
    t.regex(plans[0] ?? '', /tally/, JSON.stringify(filter))
    // The charges that were paid in part are found by their own index, or among those of the days of issue.
    const found = 'created' in filter ? /f_status=\? AND f_createdAt>\?/ : /f_accountId=\? AND f_valuePaidCents>\?/
    t.regex(plans[2] ?? '', found, JSON.stringify(filter))
  }
})

const leads = /SEARCH payments\.charges USING (?:COVERING )?INDEX \S+ \(([^)]*)\)/

test('reads the page of each filter and order through its own index, and its total from a tally if one counts it', async (t) => {
  const store = await opened(t)
  for (const [name, filter, { by, tally, isSorted = false, isCovered = false }] of plans) {
    const plan = await store.explain(await pageQuery(filter))
    const [lead = '', named] = leads.exec(plan) ?? []
    const fields = named?.replaceAll(/f_|\?/g, '').replaceAll(' AND', '')
    t.is(fields, by, `${name}\n${plan}`)
    t.is(plan.includes('TEMP B-TREE'), isSorted, `${name}\n${plan}`)
    if (isCovered) t.regex(lead, / COVERING /, `${name}\n${plan}`)
    t.is(/_tally_(\d)/.exec(plan)?.[1], tally?.toString(), `${name}\n${plan}`)
  }
})

/** Filters that are used alone. */
const alone = (filters: readonly ChargeFilter[]): readonly string[] =>
  filters.map((filter) => Object.keys(filter).filter((name) => name !== 'orderDir')).flatMap(onlyOne)
const onlyOne = (names: readonly string[]): readonly string[] => (names.length === 1 ? names : [])

test('covers every filter and order in the plans and in the bench', (t) => {
  const all = Object.keys(chargeFilter.table).filter((name) => !['orderDir', 'perPage'].includes(name))
  const planned = alone(plans.map(([, filter]) => filter))
  const measured = alone(questions.flatMap(({ filter }) => filter ?? []))
  for (const name of all) t.deepEqual([planned.includes(name), measured.includes(name)], [true, true], name)
})

test('returns the same far page by days from either end, also if some records have no day', async (t) => {
  const { ports: plain } = openPayments()
  const store = await opened(t)
  await fillWithCharges(plain.store, SIZE)
  const listed = async (from: Store, page: number, sort: List<Charge>['sort']) => {
    const where = eq<keyof Charge & string>('accountId', GROWING)
    const asked = { where, when: 'listed', ...(sort && { sort }), limit: 100, offset: page * 100, total: true }
    const { records, total } = await from.list(listOf(charges, asked))
    return { total, ids: records.map(({ id }) => id) }
  }
  for (const by of ['paymentDate', 'createdDay'] as const)
    for (const dir of ['asc', 'desc'] as const)
      for (let page = 0; page <= SIZE / 100; page += 7) {
        const [found, expected] = await Promise.all([store, plain.store].map((one) => listed(one, page, { by, dir })))
        t.deepEqual(found, expected, `${by} ${dir} ${page}`)
      }
})

test('returns the same pages as a store that reads every record', async (t) => {
  await assertPages(t, await opened(t), SIZE, 100)
})

import { eq, gte, insert, patch } from '../../../core/kernel/records/record.ts'
import { byId, listOf, type Store } from '../../../core/ports/store.ts'
import { inFlight, rates } from '../rates.ts'
import { book, books, lines, note, notes, posting } from '../records.ts'
import type { Figure } from '../table.ts'
import type { Raw, Stage } from './stage.ts'

const LANES = 16
const ACCOUNTS = 100
const NOTES = 500
const MANY_CENTS = 1_000_000_000
/** Ids of books without postings start here. */
const NEW_FROM = 1_000_000
const TURNS = { rounds: 5, roundMs: 500 }

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1)

interface Compared {
  readonly name: string
  readonly lanes: number
  readonly ours: (number: number) => Promise<unknown>
  readonly raw: (number: number) => Promise<unknown>
  readonly atLeast: number
}

/** Measures the operations of the store port against the same operations of the driver alone. */
export const operationFigures = async (stage: Stage): Promise<readonly Figure[]> => {
  const [store, raw] = [await stage.store(), await stage.raw()]
  const rich = numbers(ACCOUNTS).map((id) => ({ ...book(id), availableCents: MANY_CENTS }))
  await store.commit(numbers(NOTES).map((id) => insert(notes, note(id))))
  await store.commit(rich.map((one) => insert(books, one)))
  await raw.fill(numbers(NOTES).map(note), rich)
  const figures: Figure[] = []
  for (const { name, lanes, ours, raw: floor, atLeast } of [...reads(store, raw), ...commits(store, raw)]) {
    const taken = await rates(inFlight(lanes, ours), inFlight(lanes, floor), TURNS)
    figures.push({ name: `${name}, ${lanes} in flight`, unit: '/s', ...taken, of: 'driver alone', aim: { atLeast } })
  }
  return figures
}

const reads = (store: Store, raw: Raw): readonly Compared[] => {
  const sort = { by: 'createdAt', dir: 'desc' } as const
  const page = (number: number, total: boolean) =>
    store.list(listOf(notes, { where: eq('accountId', number % 10), sort, limit: 15, total }))
  const idOf = (number: number) => 1 + (number % NOTES)
  const rows = [
    ['find by id', (number) => store.find(byId(notes, idOf(number))), (number) => raw.find(idOf(number))],
    ['page of 15', (number) => page(number, false), (number) => raw.page(number % 10)],
    ['page of 15 with total', (number) => page(number, true), (number) => raw.pageWithTotal(number % 10)],
  ] as const satisfies readonly (readonly [string, Compared['ours'], Compared['raw']])[]
  return rows.map(([name, ours, floor]) => ({ name, lanes: LANES, ours, raw: floor, atLeast: 0.7 }))
}

const commits = (store: Store, raw: Raw): readonly Compared[] => {
  let last = 0
  const next = (): number => {
    last += 1
    return last
  }
  const accountOf = (number: number): number => 1 + (number % ACCOUNTS)
  const spend = (id: number) =>
    store.commit([patch(books, id, { add: { availableCents: -1 }, when: gte('availableCents', 1) })])
  const forms = [
    {
      name: 'one record inserted',
      atLeast: 0.7,
      ours: () => store.commit([insert(books, book(NEW_FROM + next()))]),
      raw: () => raw.insert(NEW_FROM + next()),
    },
    {
      name: 'one record patched, guarded',
      atLeast: 0.7,
      ours: (number: number) => spend(accountOf(number)),
      raw: (number: number) => raw.spend(accountOf(number)),
    },
    {
      name: 'transaction of three records',
      atLeast: 0.6,
      ours: (number: number) => store.commit(posting(accountOf(number), next(), lines)),
      raw: (number: number) => raw.post(accountOf(number), next()),
    },
  ]
  return forms.flatMap((form) => [1, LANES].map((lanes) => ({ ...form, lanes })))
}

import { failure, invalid, isLeft, issue, left, right, throttled } from '../../failure.ts'
import { day as dayField, type InputOf, input, required } from '../../kernel/input/mod.ts'
import { eq } from '../../kernel/records/record.ts'
import { slicesOf } from '../../kernel/running/slices.ts'
import { freshOf, unavailable, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { type Day, dayOf } from '../../kernel/values/day.ts'
import { groupOf, type Store, StoreUnavailable } from '../../ports/store.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { compareSlice, type SliceOutcome } from './compare.ts'
import { countsOf, type Difference, differences, FIRST_POSITION, type Position, type Run } from './records.ts'

/** The day to compare, which must be over. */
export const reconciledDay = input('ReconciledDay', { day: required(dayField({ about: 'Dia, em São Paulo' })) })
export type ReconciledDay = InputOf<typeof reconciledDay>

/** The result of a comparison. */
export interface ReconciliationResult {
  readonly day: Day
  readonly missing: number
  readonly extra: number
  readonly different: number
  /** Movements whose record at the bank cannot be read. */
  readonly unreadable: number
  /** Reads the differences page by page; they are stored for thirty days. */
  differences(): AsyncIterable<Difference>
}

const RETRY_AFTER_SECONDS = 60

export const reconcile = (ports: PaymentsPorts) => (submitted: ReconciledDay) =>
  withValidInput(ports, reconciledDay, submitted, ({ day }) =>
    useCaseOf<ReconciliationResult>()(async () => {
      if (day >= dayOf(ports.clock.steady())) return left(invalid([issue('day', 'day')]))
      const bank = ports.bank.movements
      if (!bank) return left(failure('refused', 'bank.unsupported'))
      const run: Run = { id: freshOf(ports).fresh.uuid(), day }
      try {
        for (let position: Position | null = FIRST_POSITION; position !== null; ) {
          const slice: SliceOutcome = await compareSlice(ports, bank, run, position)
          if (isLeft(slice)) return left(throttled('bank.unavailable', RETRY_AFTER_SECONDS))
          const { changes, next } = slice.right
          if (changes.length > 0 && !(await ports.store.commit(changes)).ok) return left(unavailable('store.busy'))
          position = next
        }
        return right({
          day,
          ...countsOf(
            await ports.store.group(groupOf(differences, { where: eq('runId', run.id), by: ['what'], sum: [] })),
          ),
          differences: () => readDifferences(ports.store, run),
        })
      } catch (error) {
        if (error instanceof StoreUnavailable) return left(unavailable('store.unavailable'))
        throw error
      }
    }),
  )

async function* readDifferences(store: Store, { id: runId }: Run): AsyncIterable<Difference> {
  const walk = { from: differences, where: eq('runId', runId), sort: 'id' as const }
  for await (const slice of slicesOf(store, walk)) yield* slice
}

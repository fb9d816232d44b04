import { type Failure, failure } from '../../failure.ts'
import { type Either, isLeft, left, right } from '../../fp.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { day } from '../../kernel/input/scalars.ts'
import { guid } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { type Day, dayOf } from '../../kernel/values/day.ts'
import { halfUpRatio } from '../../kernel/values/money.ts'
import type { Actor } from '../actor.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { contractFields } from '../records/contract.ts'
import { periodsOf } from '../terms/stretches.ts'
import { termOf } from '../terms/term.ts'
import type { ContractDetail } from './contract-view.ts'
import { readContract } from './read-contract.ts'

/** On which day somebody leaves. */
export const terminationDay = input('TerminationDay', {
  on: inQuery.day({ about: 'Dia da saída; hoje, se não informado' }),
})
export type TerminationDay = InputOf<typeof terminationDay>

/** What leaving early costs; cents. */
export interface TerminationQuote {
  readonly contractId: string
  /** The last day. */
  readonly on: Day
  readonly startDate: Day
  readonly endDate: Day
  /** What was agreed for who leaves at once. */
  readonly terminationFineCents: number
  /** Months of the term that are left, and of the whole of it; 2 decimals. */
  readonly remainingMonths: number
  readonly totalMonths: number
  readonly fineCents: number
  /** What is due by that day and not paid. */
  readonly openPayments: number
  readonly openValueCents: number
  readonly totalCents: number
}

const DECIMALS = 100

const NO_FINE = failure('conflict', 'contract.no-termination-fine')
const ENDED = failure('conflict', 'contract.ended')

/**
 * The fine of who leaves on a day: what was agreed, in proportion to what is left of the term, from the period that runs on, half up.
 * Fails: `contract.ended`, `contract.no-termination-fine`. Source: Lei 8.245, art. 4.
 */
export const terminationQuote = (
  { contract, payments }: Pick<ContractDetail, 'contract' | 'payments'>,
  on: Day,
): Either<Failure<'contract.ended' | 'contract.no-termination-fine', never>, TerminationQuote> => {
  const { id: contractId, endDate, terminationFineCents, status } = contract
  if (status !== 'Active') return left(ENDED)
  if (terminationFineCents === null) return left(NO_FINE)
  // While a contract that was renewed ahead is in its former period, all of the new one remains.
  const periods = periodsOf(contract)
  const { startDate } = periods.findLast((each) => each.startDate <= on) ?? periods[0] ?? contract
  const total = termOf(startDate, endDate)
  const served = termOf(startDate, on < endDate ? on : endDate)
  const remaining = total.parts * served.of - served.parts * total.of
  const fineCents = halfUpRatio(
    BigInt(terminationFineCents) * BigInt(remaining),
    BigInt(total.parts) * BigInt(served.of),
  )
  const open = payments.filter((each) => isOwed(each.status) && each.dueDate <= on)
  const openValueCents = open.reduce((sum, { valueCents }) => sum + valueCents, 0)
  return right({
    ...{ contractId, on, startDate, endDate, terminationFineCents, fineCents, openValueCents },
    remainingMonths: halfUpRatio(remaining * DECIMALS, total.of * served.of) / DECIMALS,
    totalMonths: halfUpRatio(total.parts * DECIMALS, total.of) / DECIMALS,
    openPayments: open.length,
    totalCents: fineCents + openValueCents,
  })
}

const isOwed = (status: ContractDetail['payments'][number]['status']): boolean =>
  status === 'Pending' || status === 'Defaulted'

/** What leaving a contract early costs on a day. */
export const quoteTermination =
  (ports: RealEstatePorts) =>
  (actor: Actor, id: string, given: TerminationDay = {}) =>
    withValidInput(ports, terminationDay, given, ({ on = dayOf(ports.clock.steady()) }) =>
      useCaseOf<TerminationQuote>()(async () => {
        const found = await readContract(ports)(actor, id)()
        return isLeft(found) ? found : terminationQuote(found.right, on)
      }),
    )

const { startDate, endDate } = contractFields

/** What leaving early costs, as the API shows it. */
export const terminationQuoteView = view(
  'TerminationQuote',
  {
    contractId: guid({ about: 'Identificador do contrato' }),
    on: day({ about: 'Último dia' }),
    startDate,
    endDate,
    terminationFineCents: output.money({ wire: 'terminationFine', about: 'Multa combinada para a saída imediata' }),
    totalMonths: output.number({ about: 'Meses do período em curso' }),
    remainingMonths: output.number({ about: 'Meses que faltam cumprir' }),
    fineCents: output.money({ wire: 'fine', about: 'Multa proporcional ao tempo que falta' }),
    openPayments: output.count({ about: 'Pagamentos vencidos até o dia e não pagos' }),
    openValueCents: output.money({ wire: 'openValue', about: 'Valor desses pagamentos' }),
    totalCents: output.money({ wire: 'total', about: 'Multa e pagamentos em aberto' }),
  },
  (of: TerminationQuote) => of,
)

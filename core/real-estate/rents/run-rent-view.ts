import { nullIfAbsent, withDefault } from '../../kernel/input/field.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { flag, instant, month, oneOf } from '../../kernel/input/scalars.ts'
import { guid } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { Payment } from '../records/payment.ts'
import { paymentView } from './payment-view.ts'
import { SKIPPED, type Skipped } from './rent-of-month.ts'

/** The month for which rents are made. */
export const rentRun = input('NewRentRun', {
  period: month({ about: 'Mês' }),
  dryRun: withDefault(flag({ about: 'Se nada é criado, e só se mostra o que seria' }), false),
})
export type NewRentRun = InputOf<typeof rentRun>

/** A lease for which no rent was made, and the reason. */
export interface SkippedLease {
  readonly contractId: string
  readonly propertyCode: string
  readonly code: Skipped
}

/** The result of a run: every lease of the company is in one of its lists. */
export interface RentRun {
  readonly period: string
  readonly dryRun: boolean
  readonly created: readonly Payment[]
  readonly skipped: readonly SkippedLease[]
}

const REASONS: Readonly<Record<Skipped, string>> = {
  'rent.billed': 'Já existe um pagamento de aluguel deste mês.',
  'lease.ended': 'O prazo do contrato terminou, ou o contrato foi encerrado, antes deste mês.',
  'lease.not-begun': 'O contrato começa depois deste mês.',
  'lease.not-let': 'O imóvel não esteve alugado por este contrato em nenhum dia deste mês.',
  'rent.worthless': 'O aluguel proporcional é menor que um centavo.',
}

const skippedLease = view(
  'SkippedLease',
  {
    contractId: guid({ about: 'Identificador do contrato' }),
    propertyCode: output.text({ about: 'Código do imóvel' }),
    code: oneOf(SKIPPED, { about: 'Por que, para programas' }),
    reason: output.text({ about: 'Por que, para pessoas' }),
  },
  (of: SkippedLease) => ({ ...of, reason: REASONS[of.code] }),
)

/** A rent that was made, or that would be. */
const madeRent = view(
  'MadeRent',
  {
    ...paymentView.table,
    id: nullIfAbsent(guid({ about: 'Identificador; null quando nada é criado' })),
    createdAt: nullIfAbsent(instant({ about: 'Criação; null quando nada é criado' })),
  },
  ({ payment, isDry }: { readonly payment: Payment; readonly isDry: boolean }) => ({
    ...paymentView.of(payment),
    ...(isDry && { id: null, createdAt: null }),
  }),
)

export const rentRunView = view(
  'RentRun',
  {
    period: month({ about: 'Mês' }),
    dryRun: flag({ about: 'Se nada foi criado' }),
    created: output.views(madeRent, { about: 'Os aluguéis criados' }),
    skipped: output.views(skippedLease, { about: 'Os contratos de locação sem aluguel novo, e por que' }),
  },
  (of: RentRun) => ({ ...of, created: of.created.map((payment) => ({ payment, isDry: of.dryRun })) }),
)

import { nullIfAbsent, required } from '../../kernel/input/field.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { instant, month, oneOf } from '../../kernel/input/scalars.ts'
import { guid } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import { paymentFields } from '../records/payment.ts'
import { FLOWS, type OwnerStatement, type StatementEntry } from './owner-statement.ts'

/** Of which month a statement is. */
export const periodFields = { period: required(inQuery.month({ about: 'Mês em que foi pago' })) }
export const statementPeriod = input('OwnerStatementPeriod', periodFields)
export type StatementPeriod = InputOf<typeof statementPeriod>

const ownerView = view(
  'StatementOwner',
  { id: guid({ about: 'Identificador' }), name: output.text({ about: 'Nome' }) },
  (of: OwnerStatement['owner']) => of,
)

const propertyView = view(
  'StatementProperty',
  { id: nullIfAbsent(guid({ about: 'Identificador' })), code: output.text({ about: 'Código' }) },
  ({ propertyId: id, propertyCode: code }: StatementEntry) => ({ id, code }),
)

const { type, period, notes } = paymentFields

const entryView = view(
  'StatementEntry',
  {
    paymentId: guid({ about: 'Identificador do pagamento' }),
    contractId: guid({ about: 'Identificador do contrato' }),
    property: output.view(propertyView, { about: 'O imóvel' }),
    type,
    period,
    paidAt: instant({ about: 'Quando foi pago' }),
    flow: oneOf(FLOWS, { about: 'In: entra; Out: sai; Listed: só é informado' }),
    valueCents: output.money({ wire: 'value', about: 'Quanto foi pago' }),
    administrationPercentage: nullIfAbsent(output.number({ about: 'Taxa de administração, em %; null se não há' })),
    administrationCents: output.money({ wire: 'administration', about: 'Taxa de administração' }),
    notes,
  },
  (of: StatementEntry) => ({ ...of, property: of }),
)

/** A statement as the API shows it. */
export const ownerStatementView = view(
  'OwnerStatement',
  {
    owner: output.view(ownerView, { about: 'O proprietário' }),
    period: month({ about: 'Mês em que foi pago' }),
    entries: output.views(entryView, { about: 'O que foi pago, na ordem em que foi' }),
    incomeCents: output.money({ wire: 'totalIncome', about: 'Aluguéis e multas de locações' }),
    administrationCents: output.money({ wire: 'totalAdministration', about: 'Taxas de administração' }),
    expensesCents: output.money({ wire: 'totalExpenses', about: 'Condomínio, IPTU e despesas de administração' }),
    netCents: output.money({ wire: 'net', about: 'O que cabe ao proprietário' }),
  },
  (of: OwnerStatement) => of,
)

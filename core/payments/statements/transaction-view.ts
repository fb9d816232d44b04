import { nullable } from '../../kernel/input/field.ts'
import { id, timestamp } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { Party } from '../../ports/bank.ts'
import type { Entry } from '../ledger/entry.ts'
import { type TransactionType, transactionType } from '../ledger/transaction-type.ts'
import type { TransactionPage } from './entry-page.ts'

/** Source: 02-billing.md, Transaction and statement items. */
export const STATUS_TITLES: Readonly<Record<number, string>> = {
  1: 'Confirmado',
  2: 'Pendente',
  4: 'Estornado',
  5: 'Cartão',
}

export const transactionTypeView = view(
  'TransactionType',
  { id: id({ about: 'Identificador' }), slug: output.text({ about: 'Código' }), name: output.text({ about: 'Nome' }) },
  (type: TransactionType) => type,
)

const statusView = view(
  'TransactionStatus',
  { id: id({ about: 'Identificador' }), title: output.text({ about: 'Situação' }) },
  (status: number) => ({ id: status, title: STATUS_TITLES[status] ?? '' }),
)

const partyView = view(
  'Party',
  {
    name: output.text({ about: 'Nome' }),
    document: output.text({ about: 'Documento' }),
    bank: nullable(output.text({ about: 'Banco' })),
    branch: nullable(output.text({ about: 'Agência' })),
    account: nullable(output.text({ about: 'Conta' })),
  },
  (party: Party) => party,
)

type Told = Pick<Entry, 'txid' | 'endToEnd' | 'payer' | 'receiver'>

const toldView = view(
  'TransactionMetadata',
  {
    txid: nullable(output.text({ about: 'Identificador do Pix' })),
    endToEnd: nullable(output.text({ wire: 'endtoend', about: 'endToEndId do pagamento' })),
    payer: nullable(output.view(partyView, { about: 'Quem pagou' })),
    receiver: nullable(output.view(partyView, { about: 'Quem recebeu' })),
  },
  (told: Told) => told,
)

/**
 * A line of a statement as the API shows it: signed reais, and the balance after it.
 * Source: 02-billing.md, Transaction and statement items; decisions.md §4 and §11.
 */
export const transactionView = view(
  'Transaction',
  {
    id: id({ about: 'Identificador' }),
    datetime: timestamp({ about: 'Quando foi lançada' }),
    description: output.text({ about: 'Descrição' }),
    valueCents: output.money({ wire: 'value', about: 'Valor; negativo é débito' }),
    balanceCents: output.money({ wire: 'balance', about: 'Saldo depois dela' }),
    type: nullable(output.view(transactionTypeView, { about: 'Tipo' })),
    status: output.view(statusView, { about: 'Situação' }),
    ...toldView.table,
    metadata: output.view(toldView, { about: 'Os mesmos dados do pagamento, juntos' }),
  },
  (entry: Entry) => ({ ...entry, type: transactionType(entry.typeId) ?? null, metadata: entry }),
)

/** The sums of a statement. Source: 02-billing.md, Statements; decisions.md §11, Sums. */
export const sumsView = view(
  'StatementSums',
  {
    total: output.count({ wire: 'total_transactions', about: 'Quantas transações' }),
    incomeCents: output.money({ wire: 'income_value', about: 'Total de entradas' }),
    expensesCents: output.money({ wire: 'expenses_value', about: 'Total de saídas, sem sinal' }),
  },
  (page: TransactionPage) => page,
)

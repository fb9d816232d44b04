import { nullable } from '../../kernel/input/field.ts'
import { id, oneOf, timestamp } from '../../kernel/input/scalars.ts'
import { output, view } from '../../kernel/input/view.ts'
import { BANK_ACCOUNT_TYPES } from '../../ports/bank.ts'
import { enumerations } from '../enumerations/enumerations.ts'
import { bankCodeOf } from './recipients/recipient-view.ts'
import { shownDocument, type Withdrawal } from './withdrawal.ts'

/** What a record calls each status; of one that awaits, nobody is told. Source: decisions.md §5. */
const VALUES = { awaiting: 'pending', pending: 'pending', completed: 'concluido', failed: 'failed' } as const

const statusView = view(
  'WithdrawalStatus',
  {
    value: oneOf(['pending', 'concluido', 'failed'], { about: 'Situação' }),
    title: output.text({ about: 'Situação, por extenso' }),
    description: output.text({ about: 'O que quer dizer' }),
  },
  (status: Withdrawal['status']) => {
    const listed = enumerations.withdrawStatuses.find(({ value }) => value === status)
    const { title, description } = listed ?? enumerations.withdrawStatuses[0]
    return { value: VALUES[status], title, description }
  },
)

/** Source: 02-billing.md, Withdraw record; decisions.md §5 and §11. */
export const withdrawalView = view(
  'Withdrawal',
  {
    id: id({ about: 'Identificador' }),
    txid: output.text({ about: 'Identificador do Pix' }),
    endToEndId: nullable(output.text({ wire: 'endtoendid', about: 'endToEndId do Pix; nulo até o banco responder' })),
    valueCents: output.money({ wire: 'value', about: 'Valor' }),
    status: output.view(statusView, { about: 'Situação' }),
    name: output.text({ about: 'Nome de quem recebe' }),
    document: output.text({ about: 'CPF ou CNPJ de quem recebe; mascarado quando achado pela chave' }),
    key: nullable(output.text({ wire: 'key_pix', about: 'Chave Pix; nula em um Pix por dados bancários' })),
    bankCode: output.text({ about: 'Código COMPE do banco, ou o ISPB' }),
    branch: output.text({ about: 'Agência' }),
    account: output.text({ wire: 'account_number', about: 'Conta' }),
    accountType: oneOf(BANK_ACCOUNT_TYPES, { about: 'Tipo da conta' }),
    message: nullable(output.text({ about: 'Mensagem a quem recebe' })),
    createdAt: timestamp({ about: 'Criação' }),
  },
  (withdrawal: Withdrawal) => ({
    ...withdrawal,
    valueCents: withdrawal.valueCents ?? 0,
    document: shownDocument(withdrawal),
    bankCode: bankCodeOf(withdrawal.ispb),
  }),
)

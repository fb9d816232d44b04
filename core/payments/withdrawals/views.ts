import {
  type InputOf,
  id,
  input,
  inQuery,
  nullable,
  oneOf,
  output,
  pageFields,
  timestamp,
  view,
} from '../../kernel/input/mod.ts'
import { all, eq } from '../../kernel/records/record.ts'
import { searchIn } from '../../kernel/resources/queries.ts'
import { BANK_ACCOUNT_TYPES } from '../../ports/bank.ts'
import { listPage, type PageOf, type Store } from '../../ports/store.ts'
import { eventView } from '../events.ts'
import { type Entry, PIX_OUT, postedPayments } from '../ledger/ledger.ts'
import { accountQuery, accountRead, findOwn } from '../payments-ports.ts'
import { bankCodeOf } from './recipients.ts'
import { shownDocument, type Withdrawal, withdrawals } from './withdrawal.ts'

/** The statuses with their Portuguese titles. */
export const WITHDRAWAL_STATUSES = [
  { value: 'pending', title: 'Pendente', description: 'Aguardando o banco' },
  { value: 'completed', title: 'Pago', description: 'Transferência concluída' },
  { value: 'failed', title: 'Falhou', description: 'Transferência não realizada' },
] as const

const VALUES = { awaiting: 'pending', pending: 'pending', completed: 'concluido', failed: 'failed' } as const

const statusView = view(
  'WithdrawalStatus',
  {
    value: oneOf(['pending', 'concluido', 'failed'], { about: 'Situação' }),
    title: output.text({ about: 'Situação, por extenso' }),
    description: output.text({ about: 'O que quer dizer' }),
  },
  (status: Withdrawal['status']) => {
    const listed = WITHDRAWAL_STATUSES.find(({ value }) => value === status)
    const { title, description } = listed ?? WITHDRAWAL_STATUSES[0]
    return { value: VALUES[status], title, description }
  },
)

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

/** The body of a webhook about a withdrawal. */
export const withdrawalEventView = eventView(
  'WithdrawalEvent',
  ['withdraw.completed', 'withdraw.failed'],
  withdrawalView,
  'O saque, como a API o mostrava então',
)

export const withdrawalFilter = input('WithdrawalFilter', {
  ...pageFields,
  search: inQuery.text({ about: 'Nome, documento, txid ou endToEndId' }),
})
export type WithdrawalFilter = InputOf<typeof withdrawalFilter>

/** A page of withdrawals, with the search text. */
export interface PageOfWithdrawals extends PageOf<Withdrawal> {
  readonly search: string | null
}

export const listWithdrawals = accountQuery(
  withdrawalFilter,
  async ({ store }, accountId, filter): Promise<PageOfWithdrawals> => {
    const { search = null } = filter
    const listed = await listPage(store, withdrawals, filter, {
      where: all(eq('accountId', accountId), ...(search ? [searchIn('search', search)] : [])),
      when: 'handed',
      sort: { by: 'handedAt', dir: 'desc' },
    })
    return { ...listed, search }
  },
)

/** A withdrawal with its statement entry; null until it is posted. */
export interface WithdrawalDetail {
  readonly withdrawal: Withdrawal
  readonly entry: Entry | null
}

export const withEntry = async (store: Store, withdrawal: Withdrawal): Promise<WithdrawalDetail> => {
  const { accountId, endToEndId } = withdrawal
  if (endToEndId === null) return { withdrawal, entry: null }
  const { records } = await store.list(postedPayments(endToEndId, [PIX_OUT.id], accountId))
  return { withdrawal, entry: records[0] ?? null }
}

export const readWithdrawal = accountRead(
  'withdrawal.unknown',
  async ({ store }, accountId, id: number | null): Promise<WithdrawalDetail | null> => {
    const found = await findOwn(store, withdrawals, accountId, id)
    return found && found.handedAt !== null ? withEntry(store, found) : null
  },
)

import {
  type AnyView,
  id,
  nullable,
  output,
  pick,
  timestamp,
  type View,
  view,
  viewBy,
} from '../../../core/kernel/input/mod.ts'
import type { ShownAccount } from '../../../core/payments/accounts/account.ts'
import { bankByCode } from '../../../core/payments/banks.ts'
import { type Entry, transactionType } from '../../../core/payments/ledger/ledger.ts'
import type { KeyLookupResult } from '../../../core/payments/withdrawals/key-lookup.ts'
import { bankCodeOf, bankNameOf, recipientView } from '../../../core/payments/withdrawals/recipients.ts'
import { type WithdrawalDetail, withdrawalView } from '../../../core/payments/withdrawals/views.ts'
import { shownDocument, type Withdrawal } from '../../../core/payments/withdrawals/withdrawal.ts'

/** A paid withdrawal, for the documentation. */
export const withdrawalExample = {
  id: 1,
  txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M',
  endtoendid: 'E0118152120301121130500123456789',
  value: 10,
  status: { value: 'concluido', title: 'Pago', description: 'Transferência concluída' },
  name: 'Maria da Silva',
  document: '***.456.789-**',
  key_pix: 'maria@example.com',
  bank_code: '341',
  branch: '0001',
  account_number: '12345-6',
  account_type: 'CORRENTE',
  message: null,
  created_at: '2030-11-21T10:05:09-03:00',
}

export const answerExample = {
  end_to_end_id: withdrawalExample.endtoendid,
  paid_at: '2030-11-21T13:05:09.123Z',
  receiver: {
    name: withdrawalExample.name,
    document: withdrawalExample.document,
    ispb: '60701190',
    branch: withdrawalExample.branch,
    account: withdrawalExample.account_number,
    account_type: withdrawalExample.account_type,
  },
}

export const recipientExample = {
  id: 1,
  account_id: 1,
  pix_key: 'maria@example.com',
  name: 'Maria da Silva',
  document: '***.456.789-**',
  bank_name: 'ITAÚ UNIBANCO S.A.',
  bank_code: '341',
  branch: '0001',
  account: '12345-6',
  account_type: 'CORRENTE',
  count: 1,
  last_used_at: '2030-11-21T10:05:09-03:00',
}

/** A payment to a bank account. The document is not masked, because the caller sent it. */
export const accountWithdrawalExample = { ...withdrawalExample, document: '12345678909', key_pix: null }

export const accountPaymentExample = {
  amount: 10,
  bank_code: '341',
  agency: '0001',
  account: '12345-6',
  beneficiary_name: 'Maria da Silva',
  beneficiary_document: '123.456.789-09',
  pin: '135790',
}

export const DONE = 'Transferência Pix realizada com sucesso'
const PENDING = 'Transferência Pix em processamento'

const isPending = ({ withdrawal }: WithdrawalDetail): boolean => withdrawal.status === 'pending'
export const messageOf = (detail: WithdrawalDetail): string => (isPending(detail) ? PENDING : DONE)

/** The reply before the bank's answer: 202. */
export const pendingStatus = { status: 202, when: isPending } as const

/** Turns a view of a withdrawal into a view of its detail. */
const detailView = (view: AnyView<Withdrawal>): AnyView<WithdrawalDetail> => ({
  name: view.name,
  on: (side) => {
    const { schema, encode } = view.on(side)
    return { schema, encode: ({ withdrawal }) => encode(withdrawal) }
  },
})

export const recordView = detailView(withdrawalView)

/** The record with the bank's answer. */
export const fullRecordView = detailView(
  view(
    'FullWithdrawal',
    { ...withdrawalView.table, json: nullable(output.json({ about: 'O que o banco respondeu' })) },
    (withdrawal: Withdrawal) => ({
      ...withdrawalView.of(withdrawal),
      json: withdrawal.answer === null ? null : JSON.parse(withdrawal.answer),
    }),
  ),
)

const entryTable = {
  id: id({ about: 'Identificador da transação' }),
  valueCents: output.money({ wire: 'value', about: 'Valor; negativo, pois é débito' }),
  balanceCents: output.money({ wire: 'balance', about: 'Saldo depois dela' }),
}
const datetime = timestamp({ about: 'Quando foi lançada' })

const typeView = view(
  'WithdrawalEntryType',
  { slug: output.text({ about: 'Código' }), name: output.text({ about: 'Nome' }) },
  ({ typeId }: Entry) => ({ slug: transactionType(typeId)?.slug ?? '', name: transactionType(typeId)?.name ?? '' }),
)

const entryBeside = (entryView: View<Entry>) =>
  view(
    null,
    { transaction: nullable(output.view(entryView, { about: 'O lançamento no extrato; nulo enquanto não há' })) },
    ({ entry }: WithdrawalDetail) => ({ transaction: entry }),
  )

export const paidEntry = entryBeside(view('PaidEntry', entryTable, (entry: Entry) => entry))
export const withdrawalEntry = entryBeside(
  view(
    'WithdrawalEntry',
    { ...entryTable, typeId: id({ about: 'Tipo da transação' }), datetime },
    (entry: Entry) => entry,
  ),
)
export const typedEntry = entryBeside(
  view(
    'TypedWithdrawalEntry',
    { ...entryTable, datetime, type: output.view(typeView, { about: 'Tipo da transação' }) },
    (entry: Entry) => ({ ...entry, type: entry }),
  ),
)

const paidTable = pick(withdrawalView.table, 'txid', 'endToEndId', 'valueCents')

/** Shows a pending withdrawal by `recordView`, a paid one by `paid`. */
const recordOr = (paid: AnyView<WithdrawalDetail>): AnyView<WithdrawalDetail> =>
  viewBy([paid, recordView], (detail) => (isPending(detail) ? recordView : paid))

export const paidView = recordOr(
  detailView(
    view('PaidWithdrawal', { ...paidTable, date: timestamp({ about: 'Quando saiu' }) }, (withdrawal: Withdrawal) => ({
      ...withdrawalView.of(withdrawal),
      date: withdrawal.updatedAt,
    })),
  ),
)

export const paidReceiverView = recordOr(
  detailView(
    view(
      'PaidReceiver',
      {
        ...paidTable,
        receiverName: output.text({ about: 'Nome de quem recebeu' }),
        receiverDocument: output.text({ about: 'CPF ou CNPJ, mascarado' }),
        receiverBankName: output.text({ about: 'Banco' }),
        receiverAgency: output.text({ about: 'Agência' }),
        receiverAccount: output.text({ about: 'Conta' }),
        receiverAccountType: output.text({ about: 'Tipo da conta' }),
      },
      (withdrawal: Withdrawal) => ({
        ...withdrawalView.of(withdrawal),
        receiverName: withdrawal.name,
        receiverDocument: shownDocument(withdrawal),
        receiverBankName: bankNameOf(withdrawal.ispb),
        receiverAgency: withdrawal.branch,
        receiverAccount: withdrawal.account,
        receiverAccountType: withdrawal.accountType,
      }),
    ),
  ),
)

const storedRecipient = nullable(
  output.view(recipientView, { about: 'O destinatário já guardado; nulo se nunca recebeu' }),
)
const internalId = id({ about: 'Identifica a consulta na confirmação' })
const accountBalance = output.money({ wire: 'account_balance', about: 'Saldo da conta' })

const partyView = view(
  'LookedUpParty',
  {
    nome: output.text({ about: 'Nome' }),
    documento: output.text({ about: 'CPF ou CNPJ; o de quem recebe, mascarado' }),
    conta: output.text({ about: 'Conta' }),
    banco: output.text({ about: 'Banco' }),
  },
  (party: Readonly<Record<'nome' | 'documento' | 'conta' | 'banco', string>>) => party,
)

const payerOf = ({ name, document, account, bankCode }: ShownAccount) => ({
  nome: name,
  documento: document,
  conta: account,
  banco: bankByCode(bankCode)?.name ?? bankCode,
})

export const startedView = view(
  'StartedWithdrawal',
  {
    txid: withdrawalView.table.txid,
    data: timestamp({ about: 'Quando a chave foi consultada' }),
    endToEndId: nullable(output.text({ wire: 'endToEndId', about: 'Nulo até o banco pagar' })),
    valor: nullable(output.money({ about: 'Valor; nulo se não foi informado' })),
    pagador: output.view(partyView, { about: 'Quem paga' }),
    recebedor: output.view(partyView, { about: 'Quem recebe' }),
    internalId,
    accountBalance,
    storedRecipient,
  },
  ({ withdrawal, account, balanceCents, recipient }: KeyLookupResult) => ({
    txid: withdrawal.txid,
    data: withdrawal.createdAt,
    endToEndId: withdrawal.endToEndId,
    valor: withdrawal.valueCents,
    pagador: payerOf(account),
    recebedor: {
      nome: withdrawal.name,
      documento: shownDocument(withdrawal),
      conta: withdrawal.account,
      banco: bankNameOf(withdrawal.ispb),
    },
    internalId: withdrawal.id,
    accountBalance: balanceCents,
    storedRecipient: recipient,
  }),
)

const lookedUpView = view(
  'LookedUpKey',
  {
    internalId,
    ...pick(withdrawalView.table, 'name', 'document', 'bankCode', 'branch', 'account', 'accountType', 'key'),
    accountBalance,
  },
  ({ withdrawal, balanceCents }: KeyLookupResult) => ({
    ...withdrawal,
    internalId: withdrawal.id,
    document: shownDocument(withdrawal),
    bankCode: bankCodeOf(withdrawal.ispb),
    accountBalance: balanceCents,
  }),
)

const reusedView = view(
  'ReusedLookup',
  { internalId, accountBalance, storedRecipient },
  ({ withdrawal, balanceCents, recipient }: KeyLookupResult) => ({
    internalId: withdrawal.id,
    accountBalance: balanceCents,
    storedRecipient: recipient,
  }),
)

/** A key that was looked up within the last hour is not shown again. */
export const lookupView: AnyView<KeyLookupResult> = viewBy([lookedUpView, reusedView], ({ isReused }) =>
  isReused ? reusedView : lookedUpView,
)

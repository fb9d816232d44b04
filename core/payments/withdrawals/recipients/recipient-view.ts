import { nullable } from '../../../kernel/input/field.ts'
import { id, oneOf, timestamp } from '../../../kernel/input/scalars.ts'
import { output, view } from '../../../kernel/input/view.ts'
import { BANK_ACCOUNT_TYPES } from '../../../ports/bank.ts'
import { bankByIspb } from '../../banks.ts'
import { shownDocument } from '../withdrawal.ts'
import type { PartyWithRecipients } from './list-recipients.ts'
import type { Recipient } from './recipient.ts'

/** What people call a bank: its three digits where it has them. */
export const bankCodeOf = (ispb: string): string => bankByIspb(ispb)?.code ?? ispb

export const bankNameOf = (ispb: string): string => bankByIspb(ispb)?.name ?? ispb

/** Source: 02-billing.md, Stored recipient. */
export const recipientView = view(
  'Recipient',
  {
    id: id({ about: 'Identificador' }),
    accountId: id({ about: 'Conta que o pagou' }),
    pixKey: nullable(output.text({ about: 'Chave Pix; nula em um Pix por dados bancários' })),
    name: output.text({ about: 'Nome' }),
    document: output.text({ about: 'CPF ou CNPJ; mascarado quando achado pela chave' }),
    bankName: output.text({ about: 'Banco' }),
    bankCode: output.text({ about: 'Código COMPE do banco, ou o ISPB' }),
    branch: output.text({ about: 'Agência' }),
    account: output.text({ about: 'Conta' }),
    accountType: oneOf(BANK_ACCOUNT_TYPES, { about: 'Tipo da conta' }),
    count: output.count({ about: 'Quantas transferências recebeu' }),
    lastUsedAt: timestamp({ about: 'A última delas' }),
  },
  (recipient: Recipient) => ({
    ...recipient,
    pixKey: recipient.key,
    document: shownDocument(recipient),
    bankName: bankNameOf(recipient.ispb),
    bankCode: bankCodeOf(recipient.ispb),
  }),
)

/** Source: 02-billing.md, GET /legacypay/withdraws/recipients; decisions.md §11, Withdrawals. */
export const paidPartyView = view(
  'PaidParty',
  {
    name: output.text({ about: 'Nome' }),
    document: output.text({ about: 'CPF ou CNPJ; mascarado quando achado pela chave' }),
    pixRecipients: output.views(recipientView, { about: 'Onde já recebeu, do último ao primeiro' }),
  },
  ({ name, document, recipients }: PartyWithRecipients) => ({
    name,
    // Where nobody gave the document, nobody is shown it.
    document: shownDocument({ key: recipients.some(({ key }) => key === null) ? null : '', document }),
    pixRecipients: recipients,
  }),
)

import { failure, left } from '../../failure.ts'
import { input, nullable, output, SNAKE_CASE, view } from '../../kernel/input/mod.ts'
import { eq } from '../../kernel/records/record.ts'
import { accept, type Fresh, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import type { Party, ReceivedPix } from '../../ports/bank.ts'
import { byKey, listOf, type Store } from '../../ports/store.ts'
import { type Account, accounts, UNKNOWN_ACCOUNT } from '../accounts/account.ts'
import { reserveUnique } from '../claim.ts'
import { NO_RECORD, recordEvent } from '../events.ts'
import { type Entry, PAYMENT_TYPE_IDS, post, postedPayments, TRANSFER_IN } from '../ledger/ledger.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { uuidOfOpenTxid } from '../pix/pix-id.ts'
import { idAtBank, type PostedPayment, paymentFields, paymentLines, reachOf } from './payment.ts'

/** A bank's notice of a Pix without a known title, with the key that received it. */
const receivedPix = input('ReceivedPix', {
  txid: nullable(idAtBank),
  endToEndId: idAtBank,
  pixKey: idAtBank,
  ...paymentFields,
})

export interface CreditedPix extends PostedPayment {
  readonly accountId: number
}

/** A received Pix without the key that identifies its account. */
type Credit = Omit<ReceivedPix, 'pixKey'>

/** Posts a Pix that reached an account without a charge, once. */
export const receivePix = (ports: PaymentsPorts) => (raw: ReceivedPix) =>
  withValidInput(ports, receivedPix, raw, (pix) =>
    useCase(
      ports,
      async (store) => ({ account: await accountOf(store, pix), posted: await postedOf(store, pix) }),
      (facts, fresh) => decideReceived(facts, pix, fresh),
    ),
  )

/** Returns the account of the key that received a Pix; if no account has it, that of the open code that was paid. */
export const accountOf = async (
  store: Store,
  { pixKey, txid }: Pick<ReceivedPix, 'pixKey' | 'txid'>,
): Promise<Account | null> => {
  const uuid = txid === null ? null : uuidOfOpenTxid(txid)
  return (await accountOfKey(store, pixKey)) ?? (uuid === null ? null : await store.find(byKey(accounts, 'uuid', uuid)))
}

/** Returns the oldest account with the key. */
const accountOfKey = async (store: Store, pixKey: string): Promise<Account | null> => {
  const sort = { by: 'createdAt', dir: 'asc' } as const
  const { records } = await store.list(listOf(accounts, { where: eq('pixKey', pixKey), sort, limit: 1 }))
  return records[0] ?? null
}

/** Includes internal transfers: they are Pix too, and are already posted when the bank notifies of them. */
const CREDIT_TYPE_IDS = [...PAYMENT_TYPE_IDS, TRANSFER_IN.id]

/** Returns the entry that posted a payment with this id, if any. */
export const postedOf = async (
  store: Store,
  { endToEndId }: Pick<ReceivedPix, 'endToEndId'>,
): Promise<Entry | null> => {
  const { records } = await store.list(postedPayments(endToEndId, CREDIT_TYPE_IDS))
  return records[0] ?? null
}

/** Decides on the credit of a Pix without a charge, once. */
const decideReceived = (
  { account, posted }: { readonly account: Account | null; readonly posted: Entry | null },
  pix: Credit,
  fresh: Fresh,
) => {
  if (posted) {
    // The Pix was credited before, for a charge or a transfer.
    if (posted.valueCents !== pix.valueCents) return left(failure('conflict', 'payment.contradictory'))
    return accept<CreditedPix>({ accountId: posted.accountId, posted: false })
  }
  if (!account) return left(UNKNOWN_ACCOUNT)
  const { id: accountId } = account
  const { endToEndId, txid, payer } = pix
  return accept<CreditedPix>(
    { accountId, posted: true, ...reachOf(account) },
    reserveUnique('pix-in', endToEndId, `account ${accountId}`, accountId),
    ...post(fresh, {
      accountId,
      kind: 'main',
      cause: `pix-in:${endToEndId}`,
      lines: paymentLines('PIX', account, { ...pix, method: 'pix' }),
      details: { description: DESCRIPTION, chargeId: null, txid, endToEnd: endToEndId, payer, receiver: null },
    }),
    recordEvent(fresh, 'pix.received', {
      accountId,
      subjectId: NO_RECORD,
      data: receivedPixView.on(SNAKE_CASE).encode(pix),
      urls: [],
    }),
  )
}

const DESCRIPTION = 'Pix recebido'

const payerView = view(
  'PixPayer',
  { name: output.text({ about: 'Nome' }), document: output.text({ about: 'Documento' }) },
  ({ name, document }: Party) => ({ name, document }),
)

/** A Pix without a charge, as webhooks show it. */
export const receivedPixView = view('ReceivedPix', {
  endToEndId: output.text({ about: 'endToEndId do pagamento' }),
  txid: nullable(output.text({ about: 'Identificador do Pix, se tem' })),
  valueCents: output.money({ wire: 'value', about: 'Valor' }),
  payer: nullable(output.view(payerView, { about: 'Quem pagou' })),
})

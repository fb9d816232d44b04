import { epochSeconds } from '../../kernel/values/day.ts'
import { formatTaxId, isCpf, maskTaxId } from '../../kernel/values/tax-id.ts'
import { parseId } from '../../kernel/values/text.ts'
import type { Party } from '../../ports/bank.ts'
import type { Receipt, ReceiptParty } from '../../ports/documents.ts'
import { byId } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import { returnedOf, returnedText } from '../charges/detail.ts'
import { refundedOf, refundsOf } from '../charges/refund-records.ts'
import { type Entry, entries, isPartOfPayment, transactionType } from '../ledger/ledger.ts'
import { accountRead, type PaymentsPorts } from '../payments-ports.ts'
import { STATUS_TITLES } from '../statements/views.ts'
import { holderOf } from './document.ts'

/** The receipt of one transaction. */
export interface ReceiptPdf {
  /** The id of the transaction. */
  readonly id: number
  /** In seconds since 1970. */
  readonly drawnAt: number
  readonly pdf: Uint8Array
}

const placeOf = ({ bank, branch, account }: Party): string | null => {
  const parts = [bank && `Banco ${bank}`, branch && `agência ${branch}`, account && `conta ${account}`]
  return parts.filter((part) => part !== null && part !== '').join(', ') || null
}

/** Masks a CPF, since receipts are forwarded. */
const partyOf = (party: Party | null): ReceiptParty | null =>
  party && {
    name: party.name,
    document: isCpf(party.document) ? maskTaxId(party.document) : formatTaxId(party.document),
    bankAccount: placeOf(party),
  }

/** Returns the account, for the side that the entry does not name. */
const ownSide = ({ name, document }: Account): ReceiptParty => ({
  name,
  document: formatTaxId(document),
  bankAccount: null,
})

/** Returns the payer and the receiver; none of a part of a payment, which they did not pay to each other. */
const sidesOf = (entry: Entry, account: Account): Pick<Receipt, 'payer' | 'receiver'> => {
  const { payer, receiver } = entry
  return isPartOfPayment(entry)
    ? { payer: null, receiver: null }
    : {
        payer: partyOf(payer) ?? (receiver && ownSide(account)),
        receiver: partyOf(receiver) ?? (payer && ownSide(account)),
      }
}

const MOST_REFUNDS = 1_000

/** Returns the refunds of a received Pix in words; null for other entries, and without a refund. */
const returnedOfEntry = async ({ store }: Pick<PaymentsPorts, 'store'>, entry: Entry): Promise<string | null> => {
  const { accountId, chargeId, valueCents, endToEnd } = entry
  if (chargeId === null || endToEnd === null || valueCents < 0) return null
  const { records } = await store.list(refundsOf({ id: chargeId, accountId }, MOST_REFUNDS))
  const refundedCents = refundedOf(entry, records)
  const returned = returnedOf({ amountPaidCents: valueCents, refundedCents })
  return returned && returnedText(returned)
}

const pdfOf = async (ports: PaymentsPorts, entry: Entry, account: Account): Promise<ReceiptPdf> => {
  const issuedAt = ports.clock.now()
  const { id, typeId, status, datetime, valueCents, description, endToEnd, txid } = entry
  const pdf = await ports.statementRenderer.receiptPdf({
    id,
    type: transactionType(typeId)?.name ?? `${typeId}`,
    status: STATUS_TITLES[status] ?? `${status}`,
    at: datetime,
    issuedAt,
    valueCents,
    description,
    refundNote: await returnedOfEntry(ports, entry),
    ...sidesOf(entry, account),
    endToEndId: endToEnd,
    txid,
    holder: holderOf(account),
  })
  return { id, drawnAt: epochSeconds(issuedAt), pdf }
}

export const readReceipt = accountRead('transaction.unknown', async (ports, accountId, pathId: string) => {
  const id = parseId(pathId)
  if (id === null) return null
  const { entry, account } = await ports.store.read({ entry: byId(entries, id), account: byId(accounts, accountId) })
  return entry?.accountId === accountId && account ? pdfOf(ports, entry, account) : null
})

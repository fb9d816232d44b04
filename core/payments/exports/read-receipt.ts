import { failure } from '../../failure.ts'
import { left, right } from '../../fp.ts'
import { all, eq } from '../../kernel/records/where.ts'
import { useCaseOf } from '../../kernel/running/use-case.ts'
import { epochSeconds } from '../../kernel/values/day.ts'
import { formatTaxId, isCpf, maskTaxId } from '../../kernel/values/tax-id.ts'
import { parseId } from '../../kernel/values/text.ts'
import type { Party } from '../../ports/bank.ts'
import type { Receipt, ReceiptParty } from '../../ports/documents.ts'
import { byId, listOf } from '../../ports/store.ts'
import { type Account, accounts } from '../accounts/account.ts'
import type { Actor } from '../actor.ts'
import { refunds } from '../charges/refund-records.ts'
import { returnedOf, returnedText } from '../charges/views.ts'
import { type Entry, entries } from '../ledger/ledger.ts'
import { isFee, transactionType } from '../ledger/transaction-type.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { STATUS_TITLES } from '../statements/views.ts'
import { holderOf } from './document.ts'

/** The receipt of one transaction, of which, and when it was drawn, in seconds since 1970. */
export interface ReceiptPdf {
  readonly id: number
  readonly drawnAt: number
  readonly pdf: Uint8Array
}

const UNKNOWN = failure('not-found', 'transaction.unknown')

const placeOf = ({ bank, branch, account }: Party): string | null => {
  const parts = [bank && `Banco ${bank}`, branch && `agência ${branch}`, account && `conta ${account}`]
  return parts.filter((part) => part !== null && part !== '').join(', ') || null
}

/** A receipt is passed on: of a person's document the middle is enough. */
const partyOf = (party: Party | null): ReceiptParty | null =>
  party && {
    name: party.name,
    document: isCpf(party.document) ? maskTaxId(party.document) : formatTaxId(party.document),
    bankAccount: placeOf(party),
  }

/** The account itself, on the side that is not told. */
const ownSide = ({ name, document }: Account): ReceiptParty => ({
  name,
  document: formatTaxId(document),
  bankAccount: null,
})

/** Who paid whom. The two sides of a payment have not paid each other its fee. */
const sidesOf = ({ typeId, payer, receiver }: Entry, account: Account): Pick<Receipt, 'payer' | 'receiver'> =>
  isFee(typeId)
    ? { payer: null, receiver: null }
    : {
        payer: partyOf(payer) ?? (receiver && ownSide(account)),
        receiver: partyOf(receiver) ?? (payer && ownSide(account)),
      }

const MOST_REFUNDS = 1_000

/** Returns the refunds of a received Pix in words; null for other entries, and without a refund. */
const returnedOfEntry = async ({ store }: Pick<PaymentsPorts, 'store'>, entry: Entry): Promise<string | null> => {
  const { id, accountId, chargeId, valueCents, endToEnd } = entry
  if (chargeId === null || endToEnd === null || valueCents < 0) return null
  const where = all<'accountId' | 'chargeId'>(eq('accountId', accountId), eq('chargeId', chargeId))
  const sort = { by: 'createdAt', dir: 'desc' } as const
  const { records } = await store.list(listOf(refunds, { where, sort, limit: MOST_REFUNDS }))
  const given = records.filter(({ entryId, status }) => entryId === id && status === 'completed')
  const returned = returnedOf({
    amountPaidCents: valueCents,
    refundedCents: given.reduce((sum, each) => sum + each.valueCents, 0),
  })
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

/** One transaction of the account as a PDF to be passed on. Source: 02-billing.md, generate-pdf and download-pdf. */
export const readReceipt =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, id: string) =>
    useCaseOf<ReceiptPdf>()(async () => {
      const wanted = parseId(id)
      if (wanted === null) return left(UNKNOWN)
      const { entry, account } = await ports.store.read({
        entry: byId(entries, wanted),
        account: byId(accounts, accountId),
      })
      return entry?.accountId === accountId && account ? right(await pdfOf(ports, entry, account)) : left(UNKNOWN)
    })

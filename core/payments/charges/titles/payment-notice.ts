import { type Issue, issue } from '../../../failure.ts'
import { isInstant } from '../../../kernel/values/day.ts'
import { MAX_AMOUNT_CENTS } from '../../../kernel/values/money.ts'
import { storableText } from '../../../kernel/values/text.ts'
import type { Party, PaymentNotice } from '../../../ports/bank.ts'

/** As a bank tells it: nothing of it is what it should be until it was looked at. */
type Told = { readonly [field in keyof PaymentNotice]?: unknown }

const METHODS: readonly PaymentNotice['method'][] = ['pix', 'boleto']
/** Of a Pix an id has 25 to 35 letters and digits; other banks have signs of their own. */
const ID = /^[!-~]{1,100}$/
const MAX_ID_CHARS = 100

/**
 * What of a bank's notice cannot be believed, by its fields: an amount that is not positive whole cents or more than any
 * charge asks, an unknown method, no instant, ids that are not visible ASCII, payers that are none.
 */
export const noticeIssues = (notice: PaymentNotice) => {
  const { txid, endToEndId, method, valueCents, paidAt, payer }: Told = Object(notice)
  const wrong = [
    [isId(txid), issue('txid', 'text')],
    [isId(endToEndId), issue('endToEndId', 'text')],
    [METHODS.some((known) => known === method), issue('method', 'one-of', { values: METHODS.join(', ') })],
    [Number.isSafeInteger(valueCents), issue('valueCents', 'integer')],
    [!Number.isSafeInteger(valueCents) || Number(valueCents) > 0, issue('valueCents', 'integer.min', { min: 1 })],
    [
      !Number.isSafeInteger(valueCents) || Number(valueCents) <= MAX_AMOUNT_CENTS,
      issue('valueCents', 'integer.max', { max: MAX_AMOUNT_CENTS }),
    ],
    [typeof paidAt === 'string' && isInstant(paidAt), issue('paidAt', 'instant')],
    [payer === null || isParty(payer), issue('payer', 'object')],
  ] satisfies readonly (readonly [isRight: boolean, otherwise: Issue])[]
  return wrong.flatMap(([isRight, otherwise]) => (isRight ? [] : [otherwise]))
}

const isId = (id: unknown): id is string => typeof id === 'string' && ID.test(id)

const isParty = (payer: unknown): boolean => {
  const { name, document, bank, branch, account }: { readonly [field in keyof Party]?: unknown } = Object(payer)
  const isText = (value: unknown): boolean => typeof value === 'string'
  return [name, document].every(isText) && [bank, branch, account].every((value) => value === null || isText(value))
}

/** The payer as the ledger keeps it: no money is refused for how a name is written. */
export const payerOf = ({ payer }: PaymentNotice): Party | null => {
  if (payer === null) return null
  const { name, document, bank, branch, account } = payer
  const kept = (text: string | null) => (text === null ? null : storableText(text))
  return {
    name: storableText(name),
    document: storableText(document),
    bank: kept(bank),
    branch: kept(branch),
    account: kept(account),
  }
}

/** What the operator is told of a notice that was refused: its ids, as far as they are any, and nobody's name. */
export const factsOf = (notice: PaymentNotice): Readonly<Record<string, string>> => {
  const { txid, endToEndId }: Told = Object(notice)
  const shown = (id: unknown): string => (typeof id === 'string' ? id.slice(0, MAX_ID_CHARS) : typeof id)
  return { txid: shown(txid), endToEndId: shown(endToEndId) }
}

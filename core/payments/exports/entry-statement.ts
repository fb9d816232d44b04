import type { Instant } from '../../kernel/values/day.ts'
import { formatTaxId } from '../../kernel/values/tax-id.ts'
import type { Party } from '../../ports/bank.ts'
import type { Statement, StatementDay, StatementHolder, StatementLine } from '../../ports/documents.ts'
import type { Account } from '../accounts/account.ts'
import { bankByCode } from '../banks.ts'
import { accountBalanceOf, CONFIRMED, type Entry } from '../ledger/entry.ts'
import { transactionType } from '../ledger/transaction-type.ts'
import { STATUS_TITLES } from '../statements/transaction-view.ts'
import { isNarrowed, type Selection } from './selection.ts'

/** Whose account it is, as paper has it. */
export const holderOf = ({ name, document, bankCode, agency, account }: Account): StatementHolder => {
  const bank = bankByCode(bankCode)
  return {
    name,
    document: formatTaxId(document),
    bank: bank === null ? bankCode : `${bankCode} - ${bank.name}`,
    agency,
    account,
  }
}

const partyLine = (party: Party | null): string | null =>
  party && [party.name, formatTaxId(party.document)].filter((text) => text !== '').join(' - ')

const lineOf = (entry: Entry): StatementLine => {
  const { datetime, typeId, description, valueCents, payer, receiver } = entry
  return {
    at: datetime,
    type: transactionType(typeId)?.name ?? `${typeId}`,
    description,
    party: partyLine(valueCents < 0 ? receiver : payer),
    valueCents,
    balanceCents: accountBalanceOf(entry),
  }
}

const narrowingWords = ({ typeIds, search, status }: Selection): string | null => {
  const words = [
    ...(typeIds === null ? [] : [typeIds.map((id) => transactionType(id)?.name ?? `${id}`).join(', ')]),
    ...(status === null ? [] : [`situação ${STATUS_TITLES[status] ?? status}`]),
    ...(search === null ? [] : [`busca por “${search}”`]),
  ]
  return words.length === 0 ? null : words.join('; ')
}

const dayEnds = (days: readonly Entry[][], openingCents: number): readonly StatementDay[] => {
  let balance = openingCents
  return days.map((entered) => {
    const opening = balance
    balance = entered.findLast(({ status }) => status === CONFIRMED)?.balanceCents ?? balance
    return { day: entered[0]?.day ?? '', openingCents: opening, closingCents: balance, lines: entered.map(lineOf) }
  })
}

const byDay = (entered: readonly Entry[]): readonly Entry[][] => {
  const days: Entry[][] = []
  for (const entry of entered) {
    const last = days.at(-1)
    if (last?.[0]?.day === entry.day) last.push(entry)
    else days.push([entry])
  }
  return days
}

const sumOf = (entered: readonly Entry[], direction: Entry['direction']): number =>
  entered
    .filter((entry) => entry.status === CONFIRMED && entry.direction === direction)
    .reduce((sum, { valueCents }) => sum + Math.abs(valueCents), 0)

/**
 * Entries as a statement, from what the account had before them. Days have their balances where nothing of them is left out.
 * Source: decisions.md §4; §11, Sums.
 */
export const statementOf = (
  of: Selection,
  account: Account,
  entered: readonly Entry[],
  openingCents: number,
  issuedAt: Instant,
): Statement => {
  const days = dayEnds(byDay(entered), openingCents)
  const common = { holder: holderOf(account), from: of.fromDay, to: of.toDay, issuedAt }
  if (isNarrowed(of)) {
    const listed = days.map((day) => ({ ...day, openingCents: null, closingCents: null }))
    return { ...common, sums: null, filters: narrowingWords(of), days: listed }
  }
  const closingCents = days.at(-1)?.closingCents ?? openingCents
  const [incomeCents, expensesCents] = [sumOf(entered, 'in'), sumOf(entered, 'out')]
  return { ...common, sums: { openingCents, closingCents, incomeCents, expensesCents }, filters: null, days }
}

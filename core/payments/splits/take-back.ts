import { output, view } from '../../kernel/input/mod.ts'
import { all, always, type Change, eq, gte, orNull, patch, record, t } from '../../kernel/records/record.ts'
import { splitByWeights, truncateRatio } from '../../kernel/values/money.ts'
import { byId, type Store } from '../../ports/store.ts'
import type { Account } from '../accounts/account.ts'
import {
  type Line,
  ledgerAccountId,
  ledgerAccounts,
  releaseBalance,
  reserveBalance,
  type ShareLine,
  SPLIT_RETURN,
} from '../ledger/ledger.ts'
import { readShares, type ShareField, type SplitShare, shareDetails, splitShares } from './share.ts'

const callRecord = record({
  shareId: t.number,
  /** The receiving account. */
  accountId: t.number,
  /** The amount that the receiver returns. */
  cents: t.number,
  /** The part of its share that the receiver lacked and the issuer pays. */
  lackCents: t.number,
})

/** The part of a refund that the receiver of a share returns. */
export type CalledShare = t.TypeOf<typeof callRecord>

export const storedCalls = orNull(t.array(callRecord))

/** The shares of the payments of a charge, by journal, and what their receivers have. */
export interface CallableShares {
  readonly byJournal: ReadonlyMap<string, readonly SplitShare[]>
  /** The available balances of the receivers, by account. */
  readonly available: ReadonlyMap<number, number>
}

/** Reads the shares of these payments of a charge; none for a charge without splits. */
export const readCallable = async (
  store: Store,
  { splits }: { readonly splits: readonly unknown[] | null },
  payments: readonly { readonly journalId: string }[],
): Promise<CallableShares> => {
  const byJournal = new Map<string, readonly SplitShare[]>()
  const available = new Map<number, number>()
  if (splits === null) return { byJournal, available }
  for (const { journalId } of payments) byJournal.set(journalId, await readShares(store, { journalId }))
  for (const accountId of new Set([...byJournal.values()].flat().map((share) => share.accountId))) {
    const book = await store.find(byId(ledgerAccounts, ledgerAccountId(accountId, 'main')))
    available.set(accountId, Math.max(0, book?.availableCents ?? 0))
  }
  return { byJournal, available }
}

/** A refund of a payment. */
export interface RefundOfPayment {
  readonly journalId: string
  readonly paidCents: number
  /** The earlier refunds of the payment, pending ones included. */
  readonly beforeCents: number
  readonly valueCents: number
}

/** The parts of a refund that the receivers return. */
export interface Calls {
  /** Null for a payment without shares. */
  readonly shares: readonly CalledShare[] | null
  /** The sum of what the receivers return. */
  readonly cents: number
  readonly changes: readonly Change[]
}

/**
 * Calls the shares of refunds in proportion, in whole at the latest with the last cent of a payment, and reserves them: first from
 * what is held, then from the available balance. What a receiver lacks the issuer pays.
 */
export const callShares = (facts: CallableShares, requested: readonly RefundOfPayment[]): readonly Calls[] => {
  const available = new Map(facts.available)
  return requested.map((refund) => {
    const shares = facts.byJournal.get(refund.journalId) ?? []
    if (shares.length === 0) return { shares: null, cents: 0, changes: [] }
    const called = shares.map((share, index) => {
      const dueCents = dueCalls(shares, refund)[index] ?? 0
      const fromHeld = Math.min(dueCents, share.heldCents)
      const free = available.get(share.accountId) ?? 0
      const fromBalance = Math.min(dueCents - fromHeld, free)
      available.set(share.accountId, free - fromBalance)
      return { share, dueCents, fromHeld, fromBalance }
    })
    return {
      shares: called.map(({ share: { id: shareId, accountId }, dueCents, fromHeld, fromBalance }) => ({
        ...{ shareId, accountId, cents: fromHeld + fromBalance, lackCents: dueCents - fromHeld - fromBalance },
      })),
      cents: called.reduce((sum, { fromHeld, fromBalance }) => sum + fromHeld + fromBalance, 0),
      changes: called.flatMap(({ share: { id, accountId, calledCents }, dueCents, fromHeld, fromBalance }) => [
        patch(splitShares, id, {
          add: { calledCents: dueCents, heldCents: -fromHeld, reservedCents: fromHeld + fromBalance },
          when: all<ShareField>(eq('calledCents', calledCents), gte('heldCents', fromHeld)),
        }),
        ...(fromBalance === 0 ? [] : [reserveBalance(accountId, fromBalance)]),
      ]),
    }
  })
}

/** Returns the amount that each share owes to a refund, together at most the refund. */
const dueCalls = (shares: readonly SplitShare[], refund: RefundOfPayment): readonly number[] => {
  const { paidCents, beforeCents, valueCents } = refund
  const credited = shares.map(({ creditedCents }) => creditedCents)
  const sharedCents = credited.reduce((sum, cents) => sum + cents, 0)
  const targetCents = truncateRatio(BigInt(sharedCents) * BigInt(beforeCents + valueCents), paidCents)
  const targets = splitByWeights(targetCents, credited)
  const before = shares.reduce((sum, { calledCents }) => sum + calledCents, 0)
  let left = Math.max(0, Math.min(valueCents, targetCents - before))
  return shares.map(({ calledCents }, index) => {
    const due = Math.min(left, Math.max(0, (targets[index] ?? 0) - calledCents))
    left -= due
    return due
  })
}

/** The parts of a refund that fall to the receivers of shares, summed. */
export const callsView = view(
  'RefundedSplits',
  {
    returnedCents: output.money({ wire: 'returned', about: 'Quanto volta de quem recebeu' }),
    owedCents: output.money({ wire: 'owed', about: 'Quanto faltava a quem recebeu, e sai da conta que emitiu' }),
  },
  (shares: readonly CalledShare[]) => ({
    returnedCents: calledCents(shares),
    owedCents: shares.reduce((sum, { lackCents }) => sum + lackCents, 0),
  }),
)

type Called = readonly CalledShare[] | null

/** Returns the sum of what receivers return of a refund. */
export const calledCents = (shares: Called): number => (shares ?? []).reduce((sum, { cents }) => sum + cents, 0)

/** The changes that release the called shares of a refund that failed. */
export const releaseCalls = (shares: Called): readonly Change[] =>
  (shares ?? []).flatMap(({ shareId, accountId, cents, lackCents }) => [
    patch(splitShares, shareId, { add: { calledCents: -cents - lackCents, reservedCents: -cents }, when: always }),
    ...(cents === 0 ? [] : [releaseBalance(accountId, cents)]),
  ])

/** The postings of the called shares of a refund: credits of the issuer, and debits of the receivers. */
export const settleCalls = (shares: Called, issuer: Account) => {
  const returned = (shares ?? []).filter(({ cents }) => cents > 0)
  return {
    lines: returned.map(({ cents }): Line => ({ type: SPLIT_RETURN, valueCents: cents, against: 'shares' })),
    shares: returned.map(
      ({ accountId, cents }): ShareLine => ({
        ...{ accountId, type: SPLIT_RETURN, valueCents: -cents, heldCents: 0 },
        details: { ...shareDetails(issuer), payer: null, receiver: shareDetails(issuer).payer },
      }),
    ),
    changes: returned.flatMap(({ shareId, accountId, cents }) => [
      patch(splitShares, shareId, { add: { reservedCents: -cents }, when: always }),
      releaseBalance(accountId, cents),
    ]),
  }
}

/** A refund that was returned after it had failed is paid by the issuer alone, because its shares were released. */
export const lateCalls = (shares: Called): { readonly shares: Called; readonly changes: readonly Change[] } => ({
  shares: shares?.map((each) => ({ ...each, cents: 0, lackCents: each.cents + each.lackCents })) ?? null,
  changes: (shares ?? []).map(({ shareId, cents, lackCents }) =>
    patch(splitShares, shareId, { add: { calledCents: cents + lackCents }, when: always }),
  ),
})

import { failure, invalid, issue } from '../../../failure.ts'
import { isLeft, left, right } from '../../../fp.ts'
import { insert } from '../../../kernel/records/change.ts'
import type { Fresh } from '../../../kernel/running/fresh.ts'
import { accept, useCase, useCaseOf, withValidInput } from '../../../kernel/running/use-case.ts'
import type { Instant } from '../../../kernel/values/day.ts'
import { byId, byKey, type Store } from '../../../ports/store.ts'
import { type Account, accounts } from '../../accounts/account.ts'
import { type ShownAccount, shownAccount } from '../../accounts/shown-account.ts'
import type { Sent } from '../../duplicate-window.ts'
import { type LedgerAccount, ledgerAccountId, ledgerAccounts } from '../../ledger/ledger-account.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { isCurrent, type KeyLookup, keepLookup, keyLookups } from '../keepers/key-lookup.ts'
import { sentId, sentWithdrawals } from '../keepers/sent-withdrawal.ts'
import { type Recipient, recipientKey, recipients } from '../recipients/recipient.ts'
import { type Withdrawal, withdrawals } from '../withdrawal.ts'
import { askKey, type FoundHolder } from './ask-key.ts'
import { UNSUPPORTED } from './begin-pay-out.ts'
import { newWithdrawal, type WithdrawalPayer } from './new-withdrawal.ts'
import { type AskedLookup, type KeyLookupGiven, keyLookup } from './withdrawal-inputs.ts'

/** A key that was looked up: the withdrawal that awaits its confirmation, and what it may be of. */
export interface LookedUp {
  readonly withdrawal: Withdrawal
  /** Whether it was there before, and nobody was asked. */
  readonly isReused: boolean
  readonly account: ShownAccount
  /** What the account has, in cents, with what is reserved of it. */
  readonly balanceCents: number
  readonly recipient: Recipient | null
}

/** What becomes of the same again within the hour: it is given once more, or refused. */
export type Repeats = 'reused' | 'refused'

interface Facts {
  readonly account: Account | null
  readonly book: LedgerAccount | null
  readonly sent: Sent | null
  readonly lookup: KeyLookup | null
  /** The withdrawal of that look-up. */
  readonly looked: Withdrawal | null
  readonly recipient: Recipient | null
}

/**
 * Looks a key up at the bank, and keeps a withdrawal to whose it is until it is confirmed. Within the hour the same key and value
 * is the same look-up.
 * Fails: `fields` (`pix-key`, `balance.insufficient`, `withdrawal.started`), `account.unknown`, `organization.inactive`,
 * `bank.unsupported`, `key.throttled`, `key.unknown`, `bank.refused`, `bank.unavailable`.
 * Source: 02-billing.md, POST /recipients and POST /legacypay/withdraws; decisions.md §5 and §11.
 */
export const lookUpKey =
  (ports: PaymentsPorts) =>
  (payer: WithdrawalPayer, given: KeyLookupGiven, repeats: Repeats = 'reused') =>
    withValidInput(ports, keyLookup, given, (asked) =>
      useCaseOf<LookedUp>()(async (hooks) => {
        const read = (store: Store) => readFacts(store, payer, asked)
        const early = looksUp(ports, await read(ports.store), asked, repeats, ports.clock.steady())
        if (isLeft(early)) return early
        // A look-up that is reused asks the bank nothing.
        const { account, current } = early.right
        const found = current ? right(null) : await askKey(ports, account, asked.key)()
        if (isLeft(found)) return found
        return useCase(ports, read, (facts, fresh) =>
          decideLookup(ports, facts, payer, { ...asked, found: found.right, repeats }, fresh),
        )(hooks)
      }),
    )

const readFacts = async (
  store: Store,
  { accountId }: WithdrawalPayer,
  { key, valueCents }: AskedLookup,
): Promise<Facts> => {
  const same = sentId({ accountId, destination: key, valueCents })
  const found = await store.read({
    account: byId(accounts, accountId),
    book: byId(ledgerAccounts, ledgerAccountId(accountId, 'main')),
    sent: byId(sentWithdrawals.collection, same),
    lookup: byId(keyLookups, same),
    recipient: byKey(recipients, 'destination', recipientKey(accountId, key)),
  })
  return { ...found, looked: found.lookup && (await store.find(byId(withdrawals, found.lookup.withdrawalId))) }
}

/**
 * Decides whether a key may be looked up, before the bank is asked; `current` is the look-up that is reused, if any. The balance is
 * checked afterwards: a key that does not exist is reported first. Source: decisions.md §11, Withdrawals.
 */
const looksUp = (
  { bank }: Pick<PaymentsPorts, 'bank'>,
  { account, sent, lookup, looked }: Facts,
  { valueCents }: Pick<AskedLookup, 'valueCents'>,
  repeats: Repeats,
  now: Instant,
) => {
  if (!account || account.removedAt !== null) return left(failure('not-found', 'account.unknown'))
  if (account.status !== 'ACTIVE') return left(failure('forbidden', 'organization.inactive'))
  if (!bank.payOuts) return left(UNSUPPORTED)
  const current = lookup && isCurrent(lookup, now) ? looked : null
  const isStarted = (current !== null && current.status !== 'failed') || sentWithdrawals.isRepeat(sent, now)
  // Only what names a value is the same as something else.
  if (repeats === 'refused' && valueCents !== null && isStarted) return wrongValue('withdrawal.started')
  return right({ account, current: repeats === 'reused' && current?.status === 'awaiting' ? current : null })
}

const wrongValue = <const C extends string>(code: C) => left(invalid([issue('valueCents', code)]))

export const decideLookup = (
  { bank }: Pick<PaymentsPorts, 'bank'>,
  facts: Facts,
  payer: WithdrawalPayer,
  asked: AskedLookup & { readonly found: FoundHolder | null; readonly repeats: Repeats },
  fresh: Fresh,
) => {
  const again = looksUp({ bank }, facts, asked, asked.repeats, fresh.steady)
  if (isLeft(again)) return again
  const { book, recipient, lookup } = facts
  const { account, current } = again.right
  const { found, key, valueCents } = asked
  if (valueCents !== null && (book?.availableCents ?? 0) < valueCents + account.taxes.pixOutCents)
    return wrongValue('balance.insufficient')
  const told = { account: shownAccount(account), recipient, balanceCents: book?.balanceCents ?? 0 }
  if (current) return accept<LookedUp>({ ...told, withdrawal: current, isReused: true })
  // It was confirmed meanwhile: the next request gets another one.
  if (found === null) return left(failure('conflict', 'withdrawal.used'))
  const { holder, lookupSince } = found
  const withdrawal = newWithdrawal(bank, payer, { ...holder, key }, { ...asked, lookupSince }, fresh)
  return accept<LookedUp>(
    { ...told, withdrawal, isReused: false },
    insert(withdrawals, withdrawal),
    keepLookup(withdrawal, lookup, fresh.steady),
  )
}

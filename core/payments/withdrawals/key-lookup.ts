import { failure, invalid, issue } from '../../failure.ts'
import { isLeft, left, right, t } from '../../fp.ts'
import { type Change, insert, patch } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record } from '../../kernel/records/record.ts'
import { eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { KEY_LOOKUPS_PER_HOUR } from '../../limits.ts'
import type { BankAccountHolder } from '../../ports/bank.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { type Account, accounts, type ShownAccount, shownAccount } from '../accounts/account.ts'
import { BANK_AWAY, notLeftBy } from '../bank/operation.ts'
import { boundedCounts, givePlaceBack, hourlyBound, takePlace } from '../bounded-count.ts'
import type { Sent } from '../duplicate-window.ts'
import { type LedgerAccount, ledgerAccountId, ledgerAccounts } from '../ledger/ledger.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type DecodedLookup, type KeyLookupInput, keyLookup } from './inputs.ts'
import { REPEAT_SECONDS, sentId, sentWithdrawals } from './limits.ts'
import { type Recipient, recipientKey, recipients } from './recipients.ts'
import { BANK_UNSUPPORTED, newWithdrawal, type Withdrawal, type WithdrawalPayer, withdrawals } from './withdrawal.ts'

const lookup = record({
  /** Account, destination and value. */
  id: t.string,
  accountId: t.number,
  /** The withdrawal that it has begun. */
  withdrawalId: t.number,
  startedAt: t.string,
  expiresAt: orNull(t.string),
})

/** The keeper of a look-up: the last one of a key with a value, by which the same again is known. */
export type KeyLookup = t.TypeOf<typeof lookup>

export const keyLookups: Collection<KeyLookup> = {
  name: 'payments.key-lookups',
  ids: 'text',
  codec: lookup,
  owner: 'accountId',
  indexes: [{ sort: 'expiresAt', acrossOwners: true }],
}

/** Whether it is the same one still. */
export const isCurrent = ({ startedAt }: Pick<KeyLookup, 'startedAt'>, now: Instant): boolean =>
  now < addSeconds(startedAt, REPEAT_SECONDS)

/** Keeps the look-up that a withdrawal comes of, in the place of an earlier one. */
export const storeLookup = (
  of: Pick<Withdrawal, 'id' | 'accountId' | 'destination' | 'valueCents'>,
  known: KeyLookup | null,
  now: Instant,
): Change => {
  const told = { withdrawalId: of.id, startedAt: now, expiresAt: addSeconds(now, REPEAT_SECONDS) }
  if (known) return patch(keyLookups, known.id, { set: told, when: eq('withdrawalId', known.withdrawalId) })
  return insert(keyLookups, { id: sentId(of), accountId: of.accountId, ...told })
}

/** A key that was looked up: the withdrawal that awaits its confirmation, and what it may be of. */
export interface KeyLookupResult {
  readonly withdrawal: Withdrawal
  /** Whether it was there before, and nobody was asked. */
  readonly isReused: boolean
  readonly account: ShownAccount
  /** What the account has, in cents, with what is reserved of it. */
  readonly balanceCents: number
  readonly recipient: Recipient | null
}

/** What becomes of the same again within the hour: it is given once more, or refused. */
export type RepeatPolicy = 'reused' | 'refused'

interface Facts {
  readonly account: Account | null
  readonly book: LedgerAccount | null
  readonly sent: Sent | null
  readonly lookup: KeyLookup | null
  /** The withdrawal of that look-up. */
  readonly earlier: Withdrawal | null
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
  (payer: WithdrawalPayer, given: KeyLookupInput, repeats: RepeatPolicy = 'reused') =>
    withValidInput(ports, keyLookup, given, (asked) =>
      useCaseOf<KeyLookupResult>()(async (hooks) => {
        const read = (store: Store) => readFacts(store, payer, asked)
        const early = checkLookup(ports, await read(ports.store), asked, repeats, ports.clock.steady())
        if (isLeft(early)) return early
        // A look-up that is reused asks the bank nothing.
        const { account, current } = early.right
        const found = current ? right(null) : await findKeyOwner(ports, account, asked.key)()
        if (isLeft(found)) return found
        return useCase(ports, read, (facts, fresh) =>
          decideLookup(ports, facts, payer, { ...asked, found: found.right, repeats }, fresh),
        )(hooks)
      }),
    )

const readFacts = async (
  store: Store,
  { accountId }: WithdrawalPayer,
  { key, valueCents }: DecodedLookup,
): Promise<Facts> => {
  const same = sentId({ accountId, destination: key, valueCents })
  const found = await store.read({
    account: byId(accounts, accountId),
    book: byId(ledgerAccounts, ledgerAccountId(accountId, 'main')),
    sent: byId(sentWithdrawals.collection, same),
    lookup: byId(keyLookups, same),
    recipient: byKey(recipients, 'destination', recipientKey(accountId, key)),
  })
  return { ...found, earlier: found.lookup && (await store.find(byId(withdrawals, found.lookup.withdrawalId))) }
}

/**
 * Decides whether a key may be looked up, before the bank is asked; `current` is the look-up that is reused, if any. The balance is
 * checked afterwards: a key that does not exist is reported first. Source: decisions.md §11, Withdrawals.
 */
const checkLookup = (
  { bank }: Pick<PaymentsPorts, 'bank'>,
  { account, sent, lookup, earlier: looked }: Facts,
  { valueCents }: Pick<DecodedLookup, 'valueCents'>,
  repeats: RepeatPolicy,
  now: Instant,
) => {
  if (!account || account.removedAt !== null) return left(failure('not-found', 'account.unknown'))
  if (account.status !== 'ACTIVE') return left(failure('forbidden', 'organization.inactive'))
  if (!bank.payOuts) return left(BANK_UNSUPPORTED)
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
  asked: DecodedLookup & { readonly found: KeyOwner | null; readonly repeats: RepeatPolicy },
  fresh: Fresh,
) => {
  const again = checkLookup({ bank }, facts, asked, asked.repeats, fresh.steady)
  if (isLeft(again)) return again
  const { book, recipient, lookup } = facts
  const { account, current } = again.right
  const { found, key, valueCents } = asked
  if (valueCents !== null && (book?.availableCents ?? 0) < valueCents + account.taxes.pixOutCents)
    return wrongValue('balance.insufficient')
  const told = { account: shownAccount(account), recipient, balanceCents: book?.balanceCents ?? 0 }
  if (current) return accept<KeyLookupResult>({ ...told, withdrawal: current, isReused: true })
  // It was confirmed meanwhile: the next request gets another one.
  if (found === null) return left(failure('conflict', 'withdrawal.used'))
  const { holder, lookupSince } = found
  const withdrawal = newWithdrawal(bank, payer, { ...holder, key }, { ...asked, lookupSince }, fresh)
  return accept<KeyLookupResult>(
    { ...told, withdrawal, isReused: false },
    insert(withdrawals, withdrawal),
    storeLookup(withdrawal, lookup, fresh.steady),
  )
}

const NO_KEY = failure('not-found', 'key.unknown')

/** The id of the count of an account's look-ups that no withdrawal followed. */
export const lookupCountId = (accountId: number): string => `key-lookups|${accountId}`

/** The owner of a key, and the window in which the look-up counts. */
export interface KeyOwner {
  readonly holder: BankAccountHolder
  readonly lookupSince: Instant
}

const CPF_LENGTH = 11

const maxLookups = ({ document }: Pick<Account, 'document'>): number =>
  document.length <= CPF_LENGTH ? KEY_LOOKUPS_PER_HOUR.cpf : KEY_LOOKUPS_PER_HOUR.cnpj

/**
 * Asks the bank for the owner of a key. Each look-up is counted before the bank is asked: a confirmed withdrawal gives its place
 * back, and so does a bank that tells nothing.
 * Fails: `bank.unsupported`, `key.throttled`, `key.unknown`, `bank.refused`, `bank.unavailable`.
 */
export const findKeyOwner = (ports: PaymentsPorts, account: Pick<Account, 'id' | 'document'>, key: string) =>
  useCaseOf<KeyOwner>()(async () => {
    const { payOuts } = ports.bank
    if (!payOuts) return left(BANK_UNSUPPORTED)
    const id = lookupCountId(account.id)
    const read = (store: Store) => store.find(byId(boundedCounts, id))
    const counted = await useCase(ports, read, (known, { steady }) => {
      const bound = hourlyBound({ id, accountId: account.id, most: maxLookups(account) }, steady)
      const taken = takePlace('key.throttled', known, bound, steady)
      return isLeft(taken) ? taken : accept(taken.right.since, ...taken.right.changes)
    })()
    if (isLeft(counted)) return counted
    const lookupSince = counted.right
    const answer = await payOuts.findKey(key)
    if (answer.outcome === 'done') return answer.value ? right({ holder: answer.value, lookupSince }) : left(NO_KEY)
    await useCase(ports, read, (known, { steady }) => accept(null, ...givePlaceBack(known, lookupSince, steady)))()
    return left(answer.outcome === 'refused' ? notLeftBy(answer.reason) : BANK_AWAY)
  })

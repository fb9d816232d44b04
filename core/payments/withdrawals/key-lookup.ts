import { failure, invalid, isLeft, issue, left, right } from '../../failure.ts'
import { type DecodedOf, type InputOf, input, nullIfAbsent } from '../../kernel/input/mod.ts'
import { type Change, eq, expiringCollection, insert, orNull, patch, record, t } from '../../kernel/records/record.ts'
import { accept, type FactsOf, type Fresh, useCase, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant } from '../../kernel/values/day.ts'
import { KEY_LOOKUPS_PER_HOUR } from '../../limits.ts'
import type { BankAccountHolder } from '../../ports/bank.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { type Account, accounts, type ShownAccount, shownAccount } from '../accounts/account.ts'
import { BANK_UNAVAILABLE, payOutFailure } from '../bank/operation.ts'
import { boundedCounts, hourlyBound, releasePlace, takePlace } from '../bounded-count.ts'
import { bookOf } from '../ledger/ledger.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { REPEAT_SECONDS, sentId, sentWithdrawals } from './duplicates.ts'
import { payingAccount } from './limits.ts'
import { type Recipient, recipientKey, recipients } from './recipients.ts'
import {
  BANK_UNSUPPORTED,
  keyField,
  messageField,
  newWithdrawal,
  valueField,
  type Withdrawal,
  type WithdrawalPayer,
  withdrawals,
} from './withdrawal.ts'

/** The message of a look-up may be longer; it is truncated on confirmation. */
const MAX_LOOKUP_MESSAGE = 255

export const keyLookup = input('KeyLookup', {
  key: keyField,
  valueCents: nullIfAbsent(valueField),
  message: messageField({ max: MAX_LOOKUP_MESSAGE }),
})
export type KeyLookupInput = InputOf<typeof keyLookup>

type DecodedLookup = DecodedOf<typeof keyLookup>

const lookup = record({
  /** Account, value and destination: `sentId`. */
  id: t.string,
  accountId: t.number,
  /** The withdrawal that the look-up created. */
  withdrawalId: t.number,
  startedAt: t.string,
  expiresAt: orNull(t.string),
})

/** The last look-up of a key with a value, by which a repeated look-up is recognised. */
export type KeyLookup = t.TypeOf<typeof lookup>

export const keyLookups = expiringCollection('payments.key-lookups', lookup, 'accountId')

const isCurrent = ({ startedAt }: Pick<KeyLookup, 'startedAt'>, now: Instant): boolean =>
  now < addSeconds(startedAt, REPEAT_SECONDS)

/** Stores the look-up that created a withdrawal; replaces an earlier one. */
const storeLookup = (
  of: Pick<Withdrawal, 'id' | 'accountId' | 'destination' | 'valueCents'>,
  known: KeyLookup | null,
  now: Instant,
): Change => {
  const set = { withdrawalId: of.id, startedAt: now, expiresAt: addSeconds(now, REPEAT_SECONDS) }
  if (known) return patch(keyLookups, known.id, { set, when: eq('withdrawalId', known.withdrawalId) })
  return insert(keyLookups, { id: sentId(of), accountId: of.accountId, ...set })
}

/** The result of a look-up: the withdrawal that awaits confirmation, and the data of the paying account. */
export interface KeyLookupResult {
  readonly withdrawal: Withdrawal
  /** True if an earlier look-up is returned again, without a call of the bank. */
  readonly isReused: boolean
  readonly account: ShownAccount
  /** Includes the reserved amounts. */
  readonly balanceCents: number
  readonly recipient: Recipient | null
}

/** The reply to a repeated look-up within the hour: the earlier withdrawal, or a refusal. */
export type RepeatPolicy = 'reused' | 'refused'

export const lookUpKey =
  (ports: PaymentsPorts) =>
  (payer: WithdrawalPayer, input: KeyLookupInput, repeats: RepeatPolicy = 'reused') =>
    withValidInput(ports, keyLookup, input, (request) =>
      useCaseOf<KeyLookupResult>()(async (hooks) => {
        const read = (store: Store) => readFacts(store, payer, request)
        const first = checkLookup(ports, await read(ports.store), request, repeats, ports.clock.steady())
        if (isLeft(first)) return first
        const { account, current } = first.right
        const found = current ? right(null) : await findKeyOwner(ports, account, request.key)()
        if (isLeft(found)) return found
        return useCase(ports, read, (facts, fresh) =>
          decideLookup(ports, facts, payer, { ...request, found: found.right, repeats }, fresh),
        )(hooks)
      }),
    )

const readFacts = async (store: Store, { accountId }: WithdrawalPayer, { key, valueCents }: DecodedLookup) => {
  const same = sentId({ accountId, destination: key, valueCents })
  const found = await store.read({
    account: byId(accounts, accountId),
    book: bookOf(accountId),
    sent: byId(sentWithdrawals.collection, same),
    lookup: byId(keyLookups, same),
    recipient: byKey(recipients, 'destination', recipientKey(accountId, key)),
  })
  return { ...found, earlier: found.lookup && (await store.find(byId(withdrawals, found.lookup.withdrawalId))) }
}

type Facts = FactsOf<typeof readFacts>

/**
 * Checks whether a key may be looked up, before the bank is called; `current` is the earlier withdrawal to return
 * again, if any. The balance is checked after the call, so that an unknown key is reported first.
 */
const checkLookup = (
  { bank }: Pick<PaymentsPorts, 'bank'>,
  { account, sent, lookup, earlier }: Facts,
  { valueCents }: Pick<DecodedLookup, 'valueCents'>,
  repeats: RepeatPolicy,
  now: Instant,
) => {
  const active = payingAccount(account)
  if (isLeft(active)) return active
  if (!bank.payOuts) return left(BANK_UNSUPPORTED)
  const current = lookup && isCurrent(lookup, now) ? earlier : null
  const isStarted = (current !== null && current.status !== 'failed') || sentWithdrawals.isDuplicate(sent, now)
  // A look-up without a value is never refused as a repeat.
  if (repeats === 'refused' && valueCents !== null && isStarted) return wrongValue('withdrawal.started')
  return right({
    account: active.right,
    current: repeats === 'reused' && current?.status === 'awaiting' ? current : null,
  })
}

const wrongValue = <const C extends string>(code: C) => left(invalid([issue('valueCents', code)]))

const decideLookup = (
  { bank }: Pick<PaymentsPorts, 'bank'>,
  facts: Facts,
  payer: WithdrawalPayer,
  request: DecodedLookup & { readonly found: KeyOwner | null; readonly repeats: RepeatPolicy },
  fresh: Fresh,
) => {
  const again = checkLookup({ bank }, facts, request, request.repeats, fresh.steady)
  if (isLeft(again)) return again
  const { book, recipient, lookup } = facts
  const { account, current } = again.right
  const { found, key, valueCents } = request
  if (valueCents !== null && (book?.availableCents ?? 0) < valueCents + account.taxes.pixOutCents)
    return wrongValue('balance.insufficient')
  const shown = { account: shownAccount(account), recipient, balanceCents: book?.balanceCents ?? 0 }
  if (current) return accept<KeyLookupResult>({ ...shown, withdrawal: current, isReused: true })
  // The earlier withdrawal was confirmed meanwhile.
  if (found === null) return left(failure('conflict', 'withdrawal.used'))
  const { holder, lookupSince } = found
  const withdrawal = newWithdrawal(bank, payer, { ...holder, key }, { ...request, lookupSince }, fresh)
  return accept<KeyLookupResult>(
    { ...shown, withdrawal, isReused: false },
    insert(withdrawals, withdrawal),
    storeLookup(withdrawal, lookup, fresh.steady),
  )
}

const NO_KEY = failure('not-found', 'key.unknown')

/** The id of the count of an account's look-ups without a confirmed withdrawal. */
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
 * Requests the owner of a key from the bank. The look-up is counted before the call; it stops counting when its
 * withdrawal is confirmed, or if the bank refuses or does not answer.
 * Fails: `bank.unsupported`, `key.throttled`, `key.unknown`, `bank.refused`, `bank.unavailable`.
 */
export const findKeyOwner = (ports: PaymentsPorts, account: Pick<Account, 'id' | 'document'>, key: string) =>
  useCaseOf<KeyOwner>()(async () => {
    const { payOuts } = ports.bank
    if (!payOuts) return left(BANK_UNSUPPORTED)
    const id = lookupCountId(account.id)
    const read = (store: Store) => store.find(byId(boundedCounts, id))
    const counted = await useCase(ports, read, (known, { steady }) => {
      const bound = hourlyBound({ id, accountId: account.id, max: maxLookups(account) }, steady)
      const taken = takePlace('key.throttled', known, bound, steady)
      return isLeft(taken) ? taken : accept(taken.right.since, ...taken.right.changes)
    })()
    if (isLeft(counted)) return counted
    const lookupSince = counted.right
    const answer = await payOuts.findKey(key)
    if (answer.outcome === 'done') return answer.value ? right({ holder: answer.value, lookupSince }) : left(NO_KEY)
    await useCase(ports, read, (known, { steady }) => accept(null, ...releasePlace(known, lookupSince, steady)))()
    return left(answer.outcome === 'refused' ? payOutFailure(answer.reason) : BANK_UNAVAILABLE)
  })

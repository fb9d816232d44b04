import { failure } from '../../../failure.ts'
import { isLeft, left, right } from '../../../fp.ts'
import { accept, useCase, useCaseOf } from '../../../kernel/running/use-case.ts'
import type { Instant } from '../../../kernel/values/day.ts'
import { KEY_LOOKUPS_PER_HOUR } from '../../../limits.ts'
import type { BankAccountHolder } from '../../../ports/bank.ts'
import { byId, type Store } from '../../../ports/store.ts'
import type { Account } from '../../accounts/account.ts'
import { BANK_AWAY, notLeftBy } from '../../bank/bank-away.ts'
import { boundedCounts, givePlaceBack, hourlyBound, takePlace } from '../../bounded-count.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { UNSUPPORTED } from './begin-pay-out.ts'

const NO_KEY = failure('not-found', 'key.unknown')

/** The id of the count of an account's look-ups that no withdrawal followed. */
export const lookupCountId = (accountId: number): string => `key-lookups|${accountId}`

/** The owner of a key, and the window in which the look-up counts. */
export interface FoundHolder {
  readonly holder: BankAccountHolder
  readonly lookupSince: Instant
}

const CPF_LENGTH = 11

const mostLookups = ({ document }: Pick<Account, 'document'>): number =>
  document.length <= CPF_LENGTH ? KEY_LOOKUPS_PER_HOUR.cpf : KEY_LOOKUPS_PER_HOUR.cnpj

/**
 * Asks the bank for the owner of a key. Each look-up is counted before the bank is asked: a confirmed withdrawal gives its place
 * back, and so does a bank that tells nothing.
 * Fails: `bank.unsupported`, `key.throttled`, `key.unknown`, `bank.refused`, `bank.unavailable`.
 */
export const askKey = (ports: PaymentsPorts, account: Pick<Account, 'id' | 'document'>, key: string) =>
  useCaseOf<FoundHolder>()(async () => {
    const { payOuts } = ports.bank
    if (!payOuts) return left(UNSUPPORTED)
    const id = lookupCountId(account.id)
    const read = (store: Store) => store.find(byId(boundedCounts, id))
    const counted = await useCase(ports, read, (known, { steady }) => {
      const bound = hourlyBound({ id, accountId: account.id, most: mostLookups(account) }, steady)
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

import { failure, invalid, isLeft, issue, left, right } from '../../failure.ts'
import { all, type Change, eq, lte, not, patch } from '../../kernel/records/record.ts'
import {
  accept,
  countingUseCase,
  type FactsOf,
  type Fresh,
  unavailable,
  useCaseOf,
} from '../../kernel/running/use-case.ts'
import { byId, listOf, type Store } from '../../ports/store.ts'
import { UNKNOWN_ORGANIZATION } from '../access/authenticate.ts'
import { type Account, accounts, isExisting } from '../accounts/account.ts'
import { confirmInAccount, findConfirmation } from '../challenges/challenge.ts'
import { charges } from '../charges/charge.ts'
import { bookOf, checkEmptyBook, isEmptyBook } from '../ledger/ledger.ts'
import { auditAccount, changesOf } from '../office.ts'
import type { ConfirmedActor, PaymentsPorts } from '../payments-ports.ts'
import { incomingTransfers } from '../transfers/transfer.ts'

/** The most open charges, and the most incoming transfers, that the failure names. */
const MAX_NAMED = 100

/** Reads the account, its books, and what may still bring money in: open charges and incoming transfers. */
const readFacts = async (ports: Pick<PaymentsPorts, 'digest' | 'clock'>, store: Store, actor: ConfirmedActor) => {
  const { accountId } = actor
  const isLapsed = lte('lapsesAt', ports.clock.steady())
  const found = await store.read({
    account: byId(accounts, accountId),
    main: bookOf(accountId),
    card: bookOf(accountId, 'card'),
    open: listOf(charges, {
      where: all(eq('accountId', accountId), eq('status', 'pending'), not(isLapsed)),
      sort: { by: 'createdAt', dir: 'asc' },
      limit: MAX_NAMED,
    }),
    incoming: incomingTransfers(accountId, MAX_NAMED),
    ...findConfirmation(ports, actor),
  })
  return found.account && { ...found, account: found.account }
}

type Facts = FactsOf<typeof readFacts>

const booksOf = ({ main, card }: Facts) => [main, card].filter((book) => book !== null)

/** Returns the failure that names the money of the account and the money on its way to it; null without any. */
const moneyFailure = (facts: Facts) => {
  const hasFunds = !booksOf(facts).every(isEmptyBook)
  const pending = [
    ...facts.open.records.map(({ id }) => issue(`charges.${id}`, 'organization.charge')),
    ...facts.incoming.records.map(({ id }) => issue(`transfers.${id}`, 'organization.transfer')),
  ]
  if (pending.length === 0) return hasFunds ? HAS_FUNDS : null
  return invalid([...(hasFunds ? [issue('balance', 'organization.funds')] : []), ...pending], 'organization.pending')
}

const HAS_FUNDS = failure('conflict', 'organization.funds')

/**
 * Removes an organization: no list shows it, and its routes return 404. Its records stay, but money in it is out of
 * reach, so none may be left in it or on its way. The first commit closes the account: no transfer to it is committed
 * between the second read and the second commit, which fails if a payment was posted meanwhile.
 */
export const removeOrganization = (ports: PaymentsPorts) => (actor: ConfirmedActor) =>
  useCaseOf<null>()(async (hooks) => {
    const read = (store: Store) => readFacts(ports, store, actor)
    const closed = await countingUseCase(ports, read, (facts, fresh) => decideClosing(facts, actor, fresh))()
    if (isLeft(closed)) return closed
    const { right: before } = closed
    return countingUseCase(ports, read, (facts, fresh) => decideRemoval(facts, before, actor, fresh))(hooks)
  })

/**
 * Closes an account that may be removed. Returns it as it was. One that an interrupted removal has left closed is
 * opened again if money is in it or on its way; its former status is not known, so an operator activates it.
 */
const decideClosing = (facts: Facts | null, actor: ConfirmedActor, fresh: Fresh) => {
  if (!facts || !isExisting(facts.account)) return left(UNKNOWN_ORGANIZATION)
  const { account, confirmation } = facts
  const blocked = moneyFailure(facts)
  if (blocked) return accept(left(blocked), ...(account.status === 'DELETED' ? [setStatus(account, 'INACTIVE')] : []))
  const confirmed = confirmInAccount(account, confirmation, actor, fresh)
  if (isLeft(confirmed)) return confirmed
  return accept(right(account), setStatus(account, 'DELETED'))
}

/** Sets the status of an account that still has the status that was read. */
const setStatus = ({ id, status: before }: Pick<Account, 'id' | 'status'>, status: Account['status']): Change =>
  patch(accounts, id, { set: { status }, when: all(eq('removedAt', null), eq('status', before)) })

/** Removes a closed account, or reopens it if money has arrived or is on its way. */
const decideRemoval = (facts: Facts | null, before: Account, actor: ConfirmedActor, fresh: Fresh) => {
  if (!facts || !isExisting(facts.account)) return left(UNKNOWN_ORGANIZATION)
  const { account, confirmation } = facts
  // Another request has reopened the account.
  if (account.status !== 'DELETED') return left(unavailable('store.busy'))
  const reopened = setStatus(account, before.status)
  const blocked = moneyFailure(facts)
  if (blocked) return accept(left(blocked), reopened)
  const confirmed = confirmInAccount(account, confirmation, actor, fresh)
  if (isLeft(confirmed)) return accept(confirmed, reopened)
  const set = { status: 'DELETED', removedAt: fresh.now, updatedAt: fresh.now } as const
  return accept(
    right(null),
    patch(accounts, account.id, { set, when: all(eq('removedAt', null), eq('status', 'DELETED')) }),
    ...booksOf(facts).map(checkEmptyBook),
    ...confirmed.right,
    ...auditAccount(
      fresh,
      actor,
      account.id,
      'organization.removed',
      changesOf({ ...account, status: before.status }, set),
    ),
  )
}

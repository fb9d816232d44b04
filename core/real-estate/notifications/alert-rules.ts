import { type Change, patch } from '../../kernel/records/change.ts'
import { all, eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { addDays, type Day } from '../../kernel/values/day.ts'
import { uuidFromHash } from '../../kernel/values/encoding.ts'
import type { Digest } from '../../ports/runtime.ts'
import type { Told } from '../office/notifications.ts'
import type { Contract } from '../records/contract.ts'
import { type Payment, payments } from '../records/payment.ts'
import { contractExpiry, paymentDefault } from './texts.ts'

/** Days before its end from which on a contract is told of. Source: 03-real-estate.md, Limits. */
const EXPIRY_DAYS = 30
/** Changes of one commit of a check. */
const CHANGES_AT_ONCE = 600
const MAX_PAYMENTS_AT_ONCE = 100
/** Who is told of one thing at most: more than any agency employs. */
const MAX_PEOPLE = 250

type Person = Pick<Told, 'userId'>

/** The ends of contracts that expire now, both included. Source: decisions.md §10, Lists. */
export const expiringDays = (today: Day) => ({ from: today, to: addDays(today, EXPIRY_DAYS) })

/** Whom of a company its alerts are told. */
export const alerted = <U extends { readonly id: string }>(users: readonly U[]): readonly Person[] =>
  users.slice(0, MAX_PEOPLE).map(({ id }) => ({ userId: id }))

/** How many payments are moved in one commit, so many people being told of each. */
export const paymentsAtOnce = (people: number): number =>
  Math.min(MAX_PAYMENTS_AT_ONCE, Math.max(1, Math.floor(CHANGES_AT_ONCE / (1 + 2 * people))))

/** The id of what somebody is told of a cause once and never again: whoever tells it at the same time tells the same. */
const toldOnce = ({ sha256 }: Pick<Digest, 'sha256'>, { userId }: Person, ...cause: readonly string[]): string =>
  uuidFromHash(sha256([...cause, userId].join('|')), 'a')

/** What somebody is told of a contract that ends: once for each end date that it has. */
export const tellExpiry = (digest: Pick<Digest, 'sha256'>, person: Person, contract: Contract) => ({
  ...contractExpiry(contract),
  ...person,
  id: toldOnce(digest, person, 'contract-expiry', contract.id, contract.endDate),
  companyId: contract.companyId,
})

/**
 * The change by which a payment that is still pending becomes a defaulted one; one that meanwhile is due on another day is looked
 * at again. Source: decisions.md §6, Payments.
 */
export const defaulted = ({ id, dueDate }: Payment, { now }: Pick<Fresh, 'now'>): Change =>
  patch(payments, id, {
    set: { status: 'Defaulted', updatedAt: now },
    when: all<keyof Payment & string>(eq('removedAt', null), eq('status', 'Pending'), eq('dueDate', dueDate)),
  })

/** What people are told of a payment that was not made: once. */
export const tellDefault = (digest: Pick<Digest, 'sha256'>, people: readonly Person[], payment: Payment) =>
  people.map((person) => ({
    ...paymentDefault(payment),
    ...person,
    id: toldOnce(digest, person, 'payment-default', payment.id),
    companyId: payment.companyId,
  }))

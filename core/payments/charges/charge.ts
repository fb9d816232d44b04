import { t } from '../../fp.ts'
import { stored } from '../../kernel/input/stored.ts'
import { moves } from '../../kernel/moves.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { orNull, record, word } from '../../kernel/records/record.ts'
import { all, eq, not } from '../../kernel/records/where.ts'
import { addDays, type Day, type Instant, startOfDay } from '../../kernel/values/day.ts'
import { chargeFields } from './charge-fields.ts'
import { CHARGE_STATUSES } from './charge-status.ts'

const pix = record({
  txid: t.string,
  /** The account's key at the bank, for a static code. */
  key: t.string,
  payeeName: t.string,
  payeeCity: t.string,
  /** The bank's own text where it makes the code; null for a static one, made when it is shown. */
  dynamicCode: orNull(t.string),
})

const charge = record({
  accountId: t.number,
  /** Random, with a letter in it, so that it is never taken for an id. */
  code: t.string,
  status: word(...CHARGE_STATUSES),
  /** What arrived, all payments together; null before the first. */
  amountPaidCents: orNull(t.number),
  ...stored(chargeFields),
  txid: orNull(t.string),
  /** The account's key when it was issued: whoever asks the bank, and when, orders the same. */
  pixKey: orNull(t.string),
  pix: orNull(pix),
  /** What the bank is being asked of it, one thing at a time; null when nothing is. */
  operationId: orNull(t.string),
  /** The instant from which it counts as expired. */
  lapsesAt: orNull(t.string),
  /** Why there is no Pix: the bank's reason, or a word of our own. */
  failure: orNull(t.string),
  createdDay: t.string,
  updatedAt: t.string,
  /** Folded: code, txid, document and name. */
  search: t.string,
})

/** What an account asks a client to pay. Source: 02-billing.md, Charge; decisions.md §3. */
export type Charge = t.TypeOf<typeof charge>
export type ChargeStatus = Charge['status']

export const charges: Collection<Charge> = {
  name: 'payments.charges',
  ids: 'integer',
  codec: charge,
  owner: 'accountId',
  conditions: {
    listed: not(eq('status', 'DELETED')),
    lapsing: all(eq('status', 'pending'), not(eq('lapsesAt', null))),
  },
  keys: { code: ({ code }) => code, txid: ({ txid }) => txid },
  days: { createdDay: 'createdAt' },
  indexes: [
    { sort: 'createdAt', when: 'listed', search: 'search' },
    { sort: 'id', when: 'listed' },
    { eq: 'status', sort: 'createdAt' },
    { sort: 'dueDate', when: 'listed', carries: ['createdAt', 'status'] },
    { sort: 'paymentDate', when: 'listed', carries: ['createdAt'] },
    { eq: 'clientId', sort: 'createdAt', when: 'listed', carries: ['status', 'paymentMethod'] },
    { eq: 'paymentMethod', sort: 'createdAt', when: 'listed' },
    { sort: 'lapsesAt', when: 'lapsing', across: true },
  ],
  tallies: [
    { by: ['accountId', 'createdDay', 'status', 'paymentMethod'], sum: ['valueCents', 'amountPaidCents'] },
    { by: ['accountId', 'createdDay', 'status', 'paymentMethod'], sum: [], when: 'listed' },
    { by: ['accountId', 'status', 'paymentMethod'], sum: [], when: 'listed' },
    { by: ['accountId', 'dueDate', 'createdDay'], sum: [], when: 'listed' },
    { by: ['accountId', 'paymentDate', 'createdDay'], sum: [], when: 'listed' },
  ],
  // What the bank is asked is a record of its own since 0.4.0.
  retired: ['operation', 'dueAt', 'attempts'],
}

/** Who moves what: see the table of decisions.md §3. Money that reaches any other state leaves it as it is. */
export const chargeMoves = moves<ChargeStatus>({
  pending: ['paid', 'paidwithpix', 'cancelled', 'expired', 'failed', 'DELETED'],
  expired: ['paid', 'paidwithpix', 'DELETED'],
  paid: ['DELETED'],
  paidwithpix: ['DELETED'],
  cancelled: ['DELETED'],
  failed: ['DELETED'],
  DELETED: [],
})

/** A Pix lives to the end of its due day. */
export const pixLapsesAt = (dueDate: Day): Instant => startOfDay(addDays(dueDate, 1))

/** Where nobody is to pay any more, or ever was: a title is closed that the bank makes only then. */
const OVER: readonly ChargeStatus[] = ['cancelled', 'expired', 'failed', 'DELETED']

/** Whoever decides may have read the clock before somebody else wrote the charge: the later of both counts. */
export const isOver = ({ status, lapsesAt, updatedAt }: Charge, now: Instant): boolean =>
  OVER.includes(status) || (lapsesAt !== null && lapsesAt <= (updatedAt > now ? updatedAt : now))

/** Its status at this instant: a pending charge whose time is over is expired, whether or not it was told yet. */
export const statusAt = ({ status, lapsesAt }: Charge, now: Instant): ChargeStatus =>
  status === 'pending' && lapsesAt !== null && lapsesAt <= now ? 'expired' : status

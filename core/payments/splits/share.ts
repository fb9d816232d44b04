import { oneOf, output, pick, SNAKE_CASE, view } from '../../kernel/input/mod.ts'
import {
  all,
  any,
  type Change,
  type Collection,
  check,
  eq,
  insert,
  newRecord,
  not,
  orNull,
  patch,
  record,
  t,
} from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { sumBy } from '../../kernel/values/money.ts'
import { listAll, listByIds, listOf, type Store } from '../../ports/store.ts'
import { type Account, acceptsWrites, accountFields, accounts, entryPartyOf, isExisting } from '../accounts/account.ts'
import { NO_RECORD, recordEvent } from '../events.ts'
import {
  type EntryDetails,
  type EntrySides,
  entries,
  type Line,
  releaseBalance,
  type ShareLine,
  SPLIT_IN,
  SPLIT_OUT,
} from '../ledger/ledger.ts'
import { type SharedPayment, type Split, sharesOf } from './split.ts'

const share = record({
  id: t.number,
  /** The receiving account. */
  accountId: t.number,
  issuerId: t.number,
  chargeId: t.number,
  /** The journal of the payment, which credits the share. */
  journalId: t.string,
  /** The credited amount, without the receiver's part of the fees. */
  creditedCents: t.number,
  feeCents: t.number,
  /** The part that is reserved until the account accepts writes again. */
  heldCents: t.number,
  /**
   * The entry whose description says that the share is held. Null after its release, for a share that was never held,
   * and for shares that 0.18.0 held.
   */
  heldEntryId: orNull(t.number),
  /** The part that pending and settled refunds reverse, including amounts that the receiver could not pay. */
  calledCents: t.number,
  /** The part that pending refunds reserve. */
  reservedCents: t.number,
  /** The part of `calledCents` that was credited again because a refund failed; null if nothing was. */
  restoredCents: orNull(t.number),
  /** The held part that went back to the issuer because the account was removed; null if none did. */
  returnedCents: orNull(t.number),
  createdAt: t.string,
})

/** The share of a payment that an account received. */
export type SplitShare = t.TypeOf<typeof share>
export type ShareField = keyof SplitShare & string

export const splitShares: Collection<SplitShare> = {
  name: 'payments.split-shares',
  ids: 'integer',
  codec: share,
  owner: 'accountId',
  conditions: { held: any(not(eq('heldCents', 0)), not(eq('heldEntryId', null))) },
  indexes: [
    { eq: 'journalId', sort: 'id', acrossOwners: true },
    { eq: 'chargeId', sort: 'id', acrossOwners: true },
    { sort: 'createdAt', when: 'held', acrossOwners: true },
  ],
}

/** A charge whose payments are shared. */
export interface SharedCharge {
  readonly id: number
  readonly valueCents: number
  readonly splits: readonly Split[] | null
}

/** Reads the accounts that receive a share of a charge; none without splits. */
export const readReceivers = async (
  store: Store,
  { splits }: Pick<SharedCharge, 'splits'>,
): Promise<readonly Account[]> => {
  const ids = (splits ?? []).map(({ accountId }) => accountId)
  return [...(await listByIds(store, accounts, ids)).values()]
}

/** The postings of the shares of a payment. */
export interface SharedPosting {
  readonly journalId: string
  /** The debits of the issuer's main ledger account. */
  readonly lines: readonly Line[]
  /** The credits of the receivers. */
  readonly shares: readonly ShareLine[]
  /** The sum of the shares. */
  readonly cents: number
  /** The records of the shares, and their events. */
  readonly changes: readonly Change[]
}

const MAX_EVENT_NAME = 255

const shareIssuerView = view(
  'SplitIssuer',
  pick(accountFields, 'name', 'document'),
  ({ name, document }: Pick<Account, 'name' | 'document'>) => ({ name: name.slice(0, MAX_EVENT_NAME), document }),
)

export interface ReceivedShare {
  readonly share: SplitShare
  readonly issuer: Account
}

const SHARE_STATUSES = ['credited', 'held'] as const

/** A received share, as webhooks show it to its receiver. */
export const receivedShareView = view(
  'ReceivedSplit',
  {
    id: output.count({ about: 'Identificador da parte' }),
    creditedCents: output.money({ wire: 'value', about: 'Valor recebido' }),
    feeCents: output.money({ wire: 'fee', about: 'Tarifa de que a parte arcou' }),
    status: oneOf(SHARE_STATUSES, { about: 'Se está livre na conta, ou retida até a conta voltar a ficar ativa' }),
    issuer: output.view(shareIssuerView, { about: 'Quem emitiu a cobrança' }),
  },
  ({ share: { id, creditedCents, feeCents, heldCents }, issuer }: ReceivedShare) => ({
    ...{ id, creditedCents, feeCents, issuer },
    status: heldCents > 0 ? ('held' as const) : ('credited' as const),
  }),
)

/**
 * Divides a payment of a charge among its receivers: one journal debits the issuer and credits each of them. The share
 * of an account that accepts no writes is credited and held, that is, reserved. The issuer keeps the share of a removed
 * account.
 */
export const sharePayment = (
  fresh: Fresh,
  { charge, account: issuer, receivers }: { charge: SharedCharge; account: Account; receivers: readonly Account[] },
  payment: Omit<SharedPayment, 'valueCents'>,
): SharedPosting => {
  const journalId = fresh.uuid()
  const existing = new Map(receivers.filter(isExisting).map((receiver) => [receiver.id, receiver]))
  const toShare = { valueCents: charge.valueCents, ...payment }
  const shared = sharesOf(charge.splits ?? [], toShare, (accountId) => existing.has(accountId))
  const posted = shared.flatMap(({ split, creditedCents, feeCents }) => {
    const receiver = existing.get(split.accountId)
    if (!receiver) return []
    const isOpen = acceptsWrites(receiver)
    const received = newRecord(splitShares, {
      id: fresh.id(splitShares),
      accountId: receiver.id,
      issuerId: issuer.id,
      chargeId: charge.id,
      journalId,
      creditedCents,
      feeCents,
      heldCents: isOpen ? 0 : creditedCents,
      heldEntryId: isOpen ? null : fresh.id(entries),
      calledCents: 0,
      reservedCents: 0,
      createdAt: fresh.now,
    })
    return [{ received, receiver }]
  })
  return {
    journalId,
    cents: sumBy(posted, ({ received }) => received.creditedCents),
    lines: posted.map(({ received, receiver }) => ({
      type: SPLIT_OUT,
      valueCents: -received.creditedCents,
      against: 'shares',
      sides: sidesOf(issuer, receiver),
    })),
    shares: posted.map(({ received: { accountId, creditedCents, heldCents, heldEntryId } }) => ({
      accountId,
      type: SPLIT_IN,
      valueCents: creditedCents,
      heldCents,
      entryId: heldEntryId,
      details: shareDetails(issuer, heldCents > 0),
    })),
    changes: posted.flatMap(({ received }) => [
      // The account may have been removed since the read.
      check(accounts, received.accountId, eq('removedAt', null)),
      insert(splitShares, received),
      recordEvent(fresh, 'split.received', {
        accountId: received.accountId,
        subjectId: NO_RECORD,
        data: receivedShareView.on(SNAKE_CASE).encode({ share: received, issuer }),
        urls: [],
      }),
    ]),
  }
}

/** Returns the sides of an entry of a share in the statement of its issuer. */
export const sidesOf = (from: Account, to: Account): EntrySides => ({
  payer: entryPartyOf(from),
  receiver: entryPartyOf(to),
})

export const HELD = ' (retido até a conta ficar ativa)'

/** Describes an entry of a share in the statement of its receiver, without the payer of the charge. */
export const shareDetails = (issuer: Account, isHeld = false): EntryDetails => ({
  description: `Split de ${issuer.name}${isHeld ? HELD : ''}`,
  chargeId: null,
  txid: null,
  endToEnd: null,
  payer: entryPartyOf(issuer),
  receiver: null,
})

/** Reports whether a share is held until its account accepts writes again, also while refunds reserve all of it. */
export const isHeld = ({ heldCents, heldEntryId }: SplitShare): boolean => heldCents > 0 || heldEntryId !== null

/** Holds a released or credited amount of a held share. The commit is stale if the share was released meanwhile. */
export const holdShare = ({ id, accountId, heldCents, heldEntryId }: SplitShare, cents: number): readonly Change[] => [
  patch(splitShares, id, {
    add: { heldCents: cents },
    when: all<ShareField>(eq('heldCents', heldCents), eq('heldEntryId', heldEntryId)),
  }),
  // Unguarded, because the commit releases or credits the amount.
  releaseBalance(accountId, -cents),
]

/** Returns the cause under which a held share of a removed account is posted back to the issuer, once. */
export const returnCause = (id: number | string): string => `split-return:${id}`

const MAX_SHARES = 100

/** Reads the shares of a charge, or of one payment of it. */
export const readShares = async (
  store: Store,
  of: { readonly chargeId: number } | { readonly journalId: string },
): Promise<readonly SplitShare[]> => {
  const where = 'chargeId' in of ? eq<ShareField>('chargeId', of.chargeId) : eq<ShareField>('journalId', of.journalId)
  return listAll(store, listOf(splitShares, { where, sort: { by: 'id', dir: 'asc' }, limit: MAX_SHARES }))
}

import { type Issue, isLeft, issue, right } from '../../failure.ts'
import {
  type DecodedOf,
  exactlyOne,
  hundredths,
  input,
  line,
  list,
  money,
  nullable,
  nullIfAbsent,
  object,
  oneOf,
  optional,
  output,
  storedTypes,
  view,
  withDefault,
} from '../../kernel/input/mod.ts'
import {
  type Change,
  type Collection,
  check,
  ensure,
  eq,
  orNull,
  record,
  t,
  word,
} from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { splitByWeights, splitRemainderFirst, truncateRatio, WHOLE_PERCENT } from '../../kernel/values/money.ts'
import { byId, byKey, type Store } from '../../ports/store.ts'
import { type Account, acceptsWrites, accounts, checkAcceptsWrites, isExisting } from '../accounts/account.ts'
import { type Challenge, useConfirmation } from '../challenges/challenge.ts'
import type { Actor } from '../payments-ports.ts'

const MAX_SPLITS = 20
const MAX_KEY = 100
const FEE_BEARERS = ['ISSUER', 'RECEIVER'] as const

const newSplit = input(
  'NewSplit',
  {
    key: line({ max: MAX_KEY, wire: 'account', about: 'Chave de `POST /v1/split-receivers` da conta que recebe' }),
    percentHundredths: nullIfAbsent(
      hundredths({ wire: 'percent', min: 0.01, max: 100, about: 'Percentual do que for pago' }),
    ),
    amountCents: nullIfAbsent(
      money({ wire: 'amount', minCents: 1, about: 'Valor fixo; se pagam só uma parte, a parte correspondente dele' }),
    ),
    feeBearer: withDefault(
      oneOf(FEE_BEARERS, { about: 'Quem arca com a tarifa sobre esta parte: quem emite ou quem recebe a parte' }),
      'ISSUER',
    ),
  },
  exactlyOne('percentHundredths', 'amountCents'),
)

/** The accounts that receive a part of a charge. */
export const splitsField = nullIfAbsent(
  list(object(newSplit), { max: MAX_SPLITS, about: 'Contas que recebem uma parte do que for pago' }),
)

/** A requested split: the key of the receiver, and its percentage or amount. */
export type RequestedSplit = DecodedOf<typeof newSplit>

const split = record({
  /** The receiving account. */
  accountId: t.number,
  /** The key by which the issuer named it. */
  key: t.string,
  /** A percentage of each payment; null for an amount. */
  percentHundredths: orNull(t.number),
  /** An amount of the value of the charge; null for a percentage. */
  amountCents: orNull(t.number),
  feeBearer: word(...FEE_BEARERS),
})

/** The promised share of an account in a charge, as the charge stores it. It survives the revocation of the key. */
export type Split = t.TypeOf<typeof split>

/** A promised share with its receiver and the sum of its credits. */
export interface SplitDetail extends Split {
  /** The name of the receiving account. */
  readonly name: string
  readonly receivedCents: number
}

const promisedSplitView = view('PromisedSplit', {
  key: output.text({ wire: 'account', about: 'Chave da conta que recebe' }),
  percentHundredths: nullable(hundredths({ wire: 'percent', min: 0, max: 100, about: 'Percentual do que for pago' })),
  amountCents: nullable(output.money({ wire: 'amount', about: 'Valor fixo' })),
  feeBearer: oneOf(FEE_BEARERS, { about: 'Quem arca com a tarifa sobre esta parte' }),
})

/** The promised shares of a charge, plan or link, in its view. */
export const promisedSplitsField = optional(
  output.views(promisedSplitView, { about: 'As contas que recebem uma parte do que é pago; só onde há alguma' }),
)

export const splitView = view('Split', {
  ...promisedSplitView.table,
  name: output.text({ about: 'Nome da conta que recebe' }),
  receivedCents: output.money({
    wire: 'received',
    about: 'Quanto a conta já recebeu, antes de devoluções e sem a tarifa de que arca',
  }),
})

export const storedSplits = orNull(t.array(split))

const MAX_NAME = 60
const MAX_CODE = 100
const MAX_ISSUERS = 100

/** The fields of a key that its account chooses. */
export const receiverFields = {
  name: line({ max: MAX_NAME, about: 'Nome, para quem recebe' }),
  issuers: withDefault(
    list(line({ max: MAX_CODE }), {
      max: MAX_ISSUERS,
      about: 'Contas que podem usar a chave, por seus `code_account`; vazio para qualquer uma',
    }),
    [],
  ),
}

const splitReceiver = record({
  id: t.number,
  accountId: t.number,
  ...storedTypes(receiverFields),
  /** Random; it allows its holder to send money to the account and nothing else. */
  key: t.string,
  revokedAt: orNull(t.string),
  createdBy: t.number,
  createdAt: t.string,
})

/** The consent of an account to receive shares of other accounts' charges: the key that they name in their splits. */
export type SplitReceiver = t.TypeOf<typeof splitReceiver>

export const splitReceivers: Collection<SplitReceiver> = {
  name: 'payments.split-receivers',
  ids: 'integer',
  codec: splitReceiver,
  owner: 'accountId',
  keys: { key: ({ key }) => key },
  indexes: [{ sort: 'createdAt' }],
}

const promisedReceiver = record({
  /** The ids of both accounts: `<issuer>|<receiver>`. */
  id: t.string,
  /** The issuing account. */
  accountId: t.number,
})

/** The accounts to which an account promised a share. The first time may require a confirmation (`promiseShares`). */
export const promisedReceivers: Collection<t.TypeOf<typeof promisedReceiver>> = {
  name: 'payments.promised-receivers',
  ids: 'text',
  codec: promisedReceiver,
  owner: 'accountId',
}

/** Builds the record of the first promise of an account to a receiver. */
const promiseOf = (accountId: number, receiverId: number) => ({ id: `${accountId}|${receiverId}`, accountId })

/** The receiver of a requested split, with its account; null if no account has the key. */
interface FoundReceiver {
  readonly receiver: SplitReceiver
  readonly account: Account | null
  /** True if the issuer promised a share to the account before. */
  readonly isPromised: boolean
}

/** The receivers of the requested splits, in their order. */
export type SplitFacts = readonly (FoundReceiver | null)[]

export const readSplitFacts = async (
  store: Store,
  issuerId: number,
  splits: readonly RequestedSplit[] | null | undefined,
): Promise<SplitFacts> => {
  const found: (FoundReceiver | null)[] = []
  for (const { key } of splits ?? []) {
    const receiver = await store.find(byKey(splitReceivers, 'key', key))
    const { account, promised } = await store.read({
      account: byId(accounts, receiver?.accountId ?? 0),
      promised: byId(promisedReceivers, promiseOf(issuerId, receiver?.accountId ?? 0).id),
    })
    found.push(receiver && { receiver, account, isPromised: promised !== null })
  }
  return found
}

/** The failure codes of a split. */
export type SplitCode =
  | 'unknown'
  | 'split.self'
  | 'split.inactive'
  | 'split.repeated'
  | 'split.cent'
  | 'split.percent'
  | 'split.value'

type Issuer = Pick<Account, 'id' | 'codeAccount'>

/**
 * Returns the issues of requested splits of a value. A revoked key, a key limited to other issuers and the key of a
 * removed account are reported as unknown, so that the issuer does not learn that the key exists.
 */
export const splitIssues = (
  issuer: Issuer,
  facts: SplitFacts,
  splits: readonly RequestedSplit[] | null | undefined,
  valueCents: number,
): readonly Issue<SplitCode>[] => {
  const seen = new Set<number>()
  return [
    ...(splits ?? []).flatMap((_, index) => {
      const code = receiverIssue(issuer, facts[index] ?? null, seen)
      return code === null ? [] : [issue(`splits.${index}.key`, code)]
    }),
    ...amountIssues(splits ?? [], valueCents),
  ]
}

const receiverIssue = (issuer: Issuer, found: FoundReceiver | null, seen: Set<number>): SplitCode | null => {
  const account = found?.account ?? null
  if (!found || !isExisting(account) || found.receiver.revokedAt !== null) return 'unknown'
  const { issuers } = found.receiver
  if (issuers.length > 0 && !issuers.includes(issuer.codeAccount)) return 'unknown'
  if (account.id === issuer.id) return 'split.self'
  if (!acceptsWrites(account)) return 'split.inactive'
  if (seen.has(account.id)) return 'split.repeated'
  seen.add(account.id)
  return null
}

interface PromiseFacts {
  /** The issuing account; null only without splits. */
  readonly account: Pick<Account, 'secondFactorFromCents' | 'secondFactorDayFromCents'> | null
  readonly splits: SplitFacts
  /** The confirmation that the caller attached, if any. */
  readonly confirmation?: Challenge | null | undefined
}

const confirmsWithdrawals = (account: PromiseFacts['account']): boolean =>
  account !== null && (account.secondFactorFromCents !== null || account.secondFactorDayFromCents !== null)

/**
 * Returns the changes that promise shares to the receivers of valid splits, with the guards that they are still valid
 * at the commit; none without splits. If the account requires a second factor for withdrawals, the first promise to a
 * receiver uses a confirmation, because a split sends money to another account as a withdrawal does. Fails:
 * `second-factor.required`.
 */
export const promiseShares = (
  { account, splits, confirmation }: PromiseFacts,
  { userId, accountId: issuerId }: Pick<Actor, 'userId' | 'accountId'>,
  fresh: Fresh,
) => {
  const found = splits.filter((each) => each !== null)
  const added = found.filter(({ isPromised }) => !isPromised)
  const used =
    added.length > 0 && confirmsWithdrawals(account) ? useConfirmation(confirmation, userId, fresh) : right(null)
  if (isLeft(used)) return used
  const changes: readonly Change[] = [
    ...found.flatMap(({ receiver: { id, accountId } }) => [
      check(splitReceivers, id, eq('revokedAt', null)),
      checkAcceptsWrites(accountId),
    ]),
    ...added.map(({ receiver: { accountId } }) => ensure(promisedReceivers, promiseOf(issuerId, accountId))),
    ...(used.right ? [used.right] : []),
  ]
  return right(changes)
}

type Part = Pick<Split, 'percentHundredths' | 'amountCents'>

/** Returns the issues of the amounts: each share under a cent, and the first split whose sum exceeds the value. */
export const amountIssues = (splits: readonly Part[], valueCents: number): readonly Issue<SplitCode>[] => {
  let [percent, amount, isOver] = [0, 0, false]
  return splits.flatMap(({ percentHundredths, amountCents }, index): readonly Issue<SplitCode>[] => {
    percent += percentHundredths ?? 0
    amount += amountCents ?? 0
    const field = percentHundredths === null ? 'amountCents' : 'percentHundredths'
    const path = `splits.${index}.${field}`
    if (percentHundredths !== null && valueCents * percentHundredths < WHOLE_PERCENT) return [issue(path, 'split.cent')]
    if (amountCents === 0) return [issue(path, 'split.cent')]
    const exceeds =
      percent > WHOLE_PERCENT ||
      amount + truncateRatio(BigInt(percent) * BigInt(valueCents), WHOLE_PERCENT) > valueCents
    if (!exceeds || isOver) return []
    isOver = true
    return [issue(path, percent > WHOLE_PERCENT ? 'split.percent' : 'split.value')]
  })
}

/** Builds the promised shares of valid requested splits; null without any. */
export const promisedSplits = (
  facts: SplitFacts,
  splits: readonly RequestedSplit[] | null | undefined,
): readonly Split[] | null => {
  if (!splits || splits.length === 0) return null
  return splits.map((each, index) => ({ ...each, accountId: facts[index]?.receiver.accountId ?? 0 }))
}

/** Returns the splits of each of `count` installments: the same percentages, and amounts divided as the value. */
export const splitsOfParts = <S extends Part>(
  splits: readonly S[] | null,
  count: number,
): readonly (readonly S[] | null)[] => {
  const amounts = (splits ?? []).map(({ amountCents }) => amountCents && splitRemainderFirst(amountCents, count))
  return Array.from(
    { length: count },
    (_, part) =>
      splits?.map((each, index) => ({ ...each, amountCents: amounts[index] ? (amounts[index][part] ?? 0) : null })) ??
      null,
  )
}

/** A payment to share. */
export interface SharedPayment {
  /** The value of the charge. */
  readonly valueCents: number
  /**
   * The sum of the earlier payments less all refunds, pending ones too; negative if the bank returned more than paid.
   */
  readonly beforeCents: number
  readonly paidCents: number
  /** The fees of the payment, at most the payment. */
  readonly feeCents: number
}

/** The share of a payment that an account receives. */
export interface Share {
  readonly split: Split
  /** The amount that the account receives, after `feeCents`. */
  readonly creditedCents: number
  /** Its part of the fees. */
  readonly feeCents: number
}

/**
 * Divides a payment among the receivers; the issuer keeps the rest.
 * - A percentage is of the payment, by largest remainder.
 * - A fixed amount is paid in proportion to the part of the charge's value that the payment covers, so that payments of
 *   the whole value add up to it.
 * - A receiver that bears fees pays the fees of its share, rounded down.
 * - If the rest does not cover the fees, all shares are reduced in proportion.
 * - If refunds exceed the earlier payments, the payment covers the difference first, and percentages are of its rest.
 * - The issuer keeps the share of an account that no longer exists.
 */
export const sharesOf = (
  splits: readonly Split[],
  payment: SharedPayment,
  exists: (accountId: number) => boolean,
): readonly Share[] => {
  const { paidCents, feeCents } = payment
  const nominal = nominalShares(splits, payment).map((cents, index) =>
    exists(splits[index]?.accountId ?? 0) ? cents : 0,
  )
  const fees = nominal.map((cents, index) =>
    splits[index]?.feeBearer === 'RECEIVER' ? truncateRatio(BigInt(feeCents) * BigInt(cents), paidCents) : 0,
  )
  const net = nominal.map((cents, index) => cents - (fees[index] ?? 0))
  const mostCents = paidCents - feeCents
  const totalCents = net.reduce((sum, cents) => sum + cents, 0)
  const credited = totalCents > mostCents ? splitByWeights(mostCents, net) : net
  return splits.flatMap((each, index) => {
    const creditedCents = credited[index] ?? 0
    return creditedCents === 0 ? [] : [{ split: each, creditedCents, feeCents: (nominal[index] ?? 0) - creditedCents }]
  })
}

/** Returns the part of a payment by which payments exceed refunds: it covers the refunds that are ahead first. */
export const netGainCents = (beforeCents: number, paidCents: number): number =>
  Math.max(0, beforeCents + paidCents) - Math.max(0, beforeCents)

/** Returns the shares, before fees, of a charge of this value with these net payments. */
export const dueShares = (splits: readonly Split[], valueCents: number, netPaidCents: number): readonly number[] =>
  nominalShares(splits, { valueCents, beforeCents: 0, paidCents: netPaidCents })

const nominalShares = (splits: readonly Split[], payment: Omit<SharedPayment, 'feeCents'>): readonly number[] => {
  const { valueCents, beforeCents, paidCents } = payment
  const withinValue = (cents: number): number => Math.min(Math.max(0, cents), valueCents)
  const percents = splits.map(({ percentHundredths }) => percentHundredths ?? 0)
  const ofPercents = splitByWeights(netGainCents(beforeCents, paidCents), percents, WHOLE_PERCENT)
  return splits.map(({ amountCents }, index) => {
    if (amountCents === null) return ofPercents[index] ?? 0
    const upTo = (cents: number): number => truncateRatio(BigInt(amountCents) * BigInt(withinValue(cents)), valueCents)
    return upTo(beforeCents + paidCents) - upTo(beforeCents)
  })
}

import { seededRandom } from '../../../adapters/crypto/random.ts'
import { anyDocument } from '../../core/payments/world.ts'
import { SEED } from '../../size.ts'
import type { Merchant } from '../payments/given/merchants.ts'
import { inTurn, numbers } from '../processes/lanes.ts'
import type { Process } from '../processes/processes.ts'
import { type Answers, type Call, type CallOf, record, repeatLater, send } from './calls.ts'

const CLIENTS = 10
const MIN_PAID_CENTS = 100
const MAX_PAID_CENTS = 100_000
/** More than some balances, or than the rest of some payments. */
const MAX_WITHDRAWN_CENTS = 150_000
const MAX_REFUNDED_CENTS = 40_000
const MIN_CHARGED_CENTS = 1_000
const MAX_CHARGED_CENTS = 50_000
/** The tolerance of the last owner; the first accepts no parts, and the second has no tolerance. */
export const TOLERANCE_CENTS = 50
/** The number of newest charges that are chosen more often, so that they receive several payments. */
const NEWEST = 8

/** Returns a random number from 0 to below a bound. */
export type RandomBelow = (below: number) => number

export const seededNumbers = (): RandomBelow => {
  const { bytes } = seededRandom(SEED)
  return (below) => new DataView(bytes(4).buffer).getUint32(0, true) % below
}

interface Load {
  readonly owners: readonly [Merchant, ...Merchant[]]
  /** The keys by which the owners receive shares, in the same order. */
  readonly shareKeys: readonly string[]
  readonly webhook: string
  readonly answers: Answers
  readonly random: RandomBelow
}

/** Returns a function that makes the next call. */
const callsOf = ({ owners, shareKeys, webhook, answers, random }: Load): (() => Call) => {
  let count = 0
  const anyOwner = (): Merchant => inTurn(owners, random(owners.length))
  const anyIssued = () => {
    const issued = [...answers.issued.values()]
    const some = random(2) === 0 ? issued : issued.slice(-NEWEST)
    return some[random(some.length)]
  }
  const splitsOf = (at: number, valueCents: number) => {
    // An account that shares with itself is refused.
    const [one = '', other = ''] = [1, 2].map((next) => shareKeys[(at + next) % shareKeys.length])
    const [percent, amount] = [33.33, Math.floor(valueCents / 4) / 100]
    const kinds = [
      [],
      [{ account: one, percent }],
      [{ account: one, amount }],
      [
        { account: one, percent, fee_bearer: 'RECEIVER' },
        { account: other, amount },
      ],
    ] as const
    return kinds[random(kinds.length)] ?? []
  }
  const issue = (): Call => {
    const at = random(owners.length)
    const valueCents = MIN_CHARGED_CENTS + random(MAX_CHARGED_CENTS)
    const splits = splitsOf(at, valueCents)
    return { kind: 'issue', owner: inTurn(owners, at), key: `charge ${count}`, webhook, valueCents, splits }
  }
  /** Pays a part of a charge, nearly its value, or any amount, by one of its titles. */
  const pay = ({ key, valueCents: wholeCents }: CallOf<'issue'>): Call => {
    const titles = [...answers.titles].flatMap(([txid, of]) => (of === key ? [txid] : []))
    const txid = titles[random(titles.length)] ?? ''
    const amounts = [
      () => 1 + random(wholeCents),
      () => 1 + random(wholeCents),
      () => wholeCents - random(2 * TOLERANCE_CENTS),
      () => MIN_PAID_CENTS + random(MAX_PAID_CENTS),
    ]
    const valueCents = amounts[random(amounts.length)]?.() ?? wholeCents
    return { kind: 'pay', txid, endToEndId: `E01181521209912311200${`${count}`.padStart(11, '0')}`, valueCents }
  }
  const raiseLimit = (owner: Merchant): Call => {
    // Each call raises the limit of its account, so the stored one shows which calls took effect.
    const { answered = 0, sent = 0 } = answers.limits.get(owner.id) ?? {}
    answers.limits.set(owner.id, { answered, sent: sent + 1 })
    return { kind: 'limit', owner, limitCents: sent + 1 }
  }
  const withdraw = (): Call => {
    const account = `${count}-1`
    return {
      kind: 'withdraw',
      owner: anyOwner(),
      key: `withdrawal ${count}`,
      valueCents: 1 + random(MAX_WITHDRAWN_CENTS),
      account,
    }
  }
  const anyPaid = () => [...answers.paid.values()][random(answers.paid.size)]
  const refund = (): Call | null => {
    const paid = anyPaid()
    const issued = answers.issued.get(answers.titles.get(paid?.txid ?? '') ?? '')
    if (!paid || !issued) return null
    const { owner } = issued.call
    return {
      kind: 'refund',
      owner,
      key: `refund ${count}`,
      chargeId: issued.id,
      endToEndId: random(3) === 0 ? null : paid.endToEndId,
      valueCents: 1 + random(MAX_REFUNDED_CENTS),
    }
  }
  return () => {
    count += 1
    const chance = random(100)
    const issued = anyIssued()
    if (!issued || chance < 25) return issue()
    if (chance < 29) return issued.call
    if (chance < 36) return { kind: 'register', owner: anyOwner(), key: `client ${count}`, document: anyDocument() }
    if (chance < 40) return raiseLimit(anyOwner())
    if (chance < 47) return { kind: 'statement', owner: anyOwner() }
    const { id: chargeId, call } = issued
    if (chance < 57) return { kind: 'show', owner: call.owner, key: call.key, chargeId }
    if (chance < 59) return { kind: 'cancel', txid: issued.txid }
    if (chance < 67) return withdraw()
    if (chance < 77) return refund() ?? issue()
    return pay(call)
  }
}

interface Listener {
  isKilled(): boolean
  answered(): void
}

/** Returns a function that lets several clients send calls to a process until it is gone. */
export const clientsOf = (load: Load) => {
  const { answers } = load
  const next = callsOf(load)
  /** The accounts of which a limit is being raised: one call at a time. */
  const busy = new Set<number>()

  const nextFree = (): Call => {
    for (;;) {
      const call = next()
      if (call.kind !== 'limit' || !busy.has(call.owner.id)) return call
    }
  }
  const client = async (process: Process, { isKilled, answered }: Listener): Promise<void> => {
    for (;;) {
      const call = answers.unanswered.shift() ?? nextFree()
      if (call.kind === 'limit') busy.add(call.owner.id)
      try {
        record(answers, call, await send(process, call))
        answered()
      } catch (error) {
        if (!isKilled()) answers.faults.push(`${call.kind}: ${error}`)
        repeatLater(answers, call)
        return
      } finally {
        if (call.kind === 'limit') busy.delete(call.owner.id)
      }
    }
  }
  return async (process: Process, listener: Listener): Promise<void> => {
    await Promise.all(numbers(CLIENTS).map(() => client(process, listener)))
  }
}

import { seededRandom } from '../../../adapters/crypto/random.ts'
import { anyDocument } from '../../core/payments/world.ts'
import { SEED } from '../../size.ts'
import type { Merchant } from '../payments/given/merchants.ts'
import { inTurn, numbers } from '../processes/lanes.ts'
import type { Process } from '../processes/processes.ts'
import { ask, type Heard, leftOpen, note, type Order, type OrderOf } from './heard.ts'

const LANES = 10
const LEAST_PAID_CENTS = 100
const MOST_PAID_CENTS = 100_000
/** Some of it is more than there is, or than is left of the payment. */
const MOST_WITHDRAWN_CENTS = 150_000
const MOST_REFUNDED_CENTS = 40_000
const LEAST_CHARGED_CENTS = 1_000
const MOST_CHARGED_CENTS = 50_000
/** The rest at which the last of the owners closes a charge; of the owners before it, one receives no parts and one has no tolerance. */
export const TOLERANCE_CENTS = 50
/** Charges of which several payments are likely. */
const NEWEST = 8

/** Numbers from 0 to below a bound, by chance. */
export type Dice = (below: number) => number

export const dice = (): Dice => {
  const { bytes } = seededRandom(SEED)
  return (below) => new DataView(bytes(4).buffer).getUint32(0, true) % below
}

interface Load {
  readonly owners: readonly [Merchant, ...Merchant[]]
  /** The keys by which the owners receive shares, in their order. */
  readonly shareKeys: readonly string[]
  readonly webhook: string
  readonly heard: Heard
  readonly roll: Dice
}

/** A charge as it was issued. */
type OfCharge = { readonly order: OrderOf<'issue'> }

const orders = ({ owners, shareKeys, webhook, heard, roll }: Load): (() => Order) => {
  let count = 0
  const anyOwner = (): Merchant => inTurn(owners, roll(owners.length))
  const anyIssued = () => {
    const issued = [...heard.issued.values()]
    const some = roll(2) === 0 ? issued : issued.slice(-NEWEST)
    return some[roll(some.length)]
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
    return kinds[roll(kinds.length)] ?? []
  }
  const issue = (): Order => {
    const at = roll(owners.length)
    const valueCents = LEAST_CHARGED_CENTS + roll(MOST_CHARGED_CENTS)
    const splits = splitsOf(at, valueCents)
    return { kind: 'issue', owner: inTurn(owners, at), key: `charge ${count}`, webhook, valueCents, splits }
  }
  /** A part of the charge, the whole or nearly so, or any amount, by one of its titles. */
  const pay = ({ order: { key, valueCents: wholeCents } }: OfCharge): Order => {
    const titles = [...heard.titles].flatMap(([txid, of]) => (of === key ? [txid] : []))
    const txid = titles[roll(titles.length)] ?? ''
    const amounts = [
      () => 1 + roll(wholeCents),
      () => 1 + roll(wholeCents),
      () => wholeCents - roll(2 * TOLERANCE_CENTS),
      () => LEAST_PAID_CENTS + roll(MOST_PAID_CENTS),
    ]
    const valueCents = amounts[roll(amounts.length)]?.() ?? wholeCents
    return { kind: 'pay', txid, endToEndId: `E01181521209912311200${`${count}`.padStart(11, '0')}`, valueCents }
  }
  const edit = (owner: Merchant): Order => {
    // The bank's back office is one person: a limit is raised by the next call, and by no other.
    const { known = 0, asked = 0 } = heard.limits.get(owner.id) ?? {}
    heard.limits.set(owner.id, { known, asked: asked + 1 })
    return { kind: 'edit', owner, limitCents: asked + 1 }
  }
  const withdraw = (): Order => {
    const account = `${count}-1`
    return {
      kind: 'withdraw',
      owner: anyOwner(),
      key: `withdrawal ${count}`,
      valueCents: 1 + roll(MOST_WITHDRAWN_CENTS),
      account,
    }
  }
  const anyPaid = () => [...heard.paid.values()][roll(heard.paid.size)]
  const refund = (): Order | null => {
    const paid = anyPaid()
    const issued = heard.issued.get(heard.titles.get(paid?.txid ?? '') ?? '')
    if (!paid || !issued) return null
    const { owner } = issued.order
    return {
      kind: 'refund',
      owner,
      key: `refund ${count}`,
      chargeId: issued.id,
      endToEndId: roll(3) === 0 ? null : paid.endToEndId,
      valueCents: 1 + roll(MOST_REFUNDED_CENTS),
    }
  }
  return () => {
    count += 1
    const chance = roll(100)
    const issued = anyIssued()
    if (!issued || chance < 25) return issue()
    if (chance < 29) return issued.order
    if (chance < 36) return { kind: 'register', owner: anyOwner(), key: `client ${count}`, document: anyDocument() }
    if (chance < 40) return edit(anyOwner())
    if (chance < 47) return { kind: 'read', owner: anyOwner() }
    const { id: chargeId, order } = issued
    if (chance < 57) return { kind: 'look', owner: order.owner, key: order.key, chargeId }
    if (chance < 59) return { kind: 'cancel', txid: issued.txid }
    if (chance < 67) return withdraw()
    if (chance < 77) return refund() ?? issue()
    return pay(issued)
  }
}

interface Watch {
  isKilled(): boolean
  answered(): void
}

/** Starts clients that each send one order after another until the process is gone. */
export const people = (load: Load) => {
  const { heard } = load
  const next = orders(load)
  /** The edits of one account wait for each other. */
  const busy = new Set<number>()

  const free = (): Order => {
    for (;;) {
      const order = next()
      if (order.kind !== 'edit' || !busy.has(order.owner.id)) return order
    }
  }
  const lane = async (process: Process, { isKilled, answered }: Watch): Promise<void> => {
    for (;;) {
      const order = heard.doubtful.shift() ?? free()
      if (order.kind === 'edit') busy.add(order.owner.id)
      try {
        note(heard, order, await ask(process, order))
        answered()
      } catch (error) {
        if (!isKilled()) heard.odd.push(`${order.kind}: ${error}`)
        leftOpen(heard, order)
        return
      } finally {
        if (order.kind === 'edit') busy.delete(order.owner.id)
      }
    }
  }
  return {
    work: async (process: Process, watch: Watch): Promise<void> => {
      await Promise.all(numbers(LANES).map(() => lane(process, watch)))
    },
  }
}

import { seededRandom } from '../../../adapters/crypto/random.ts'
import { SEED } from '../../size.ts'
import { anyDocument } from '../given/basics.ts'
import { inTurn, type Merchant, numbers } from '../processes/merchants.ts'
import type { Process } from '../processes/processes.ts'
import { ask, type Heard, leftOpen, note, type Order } from './heard.ts'

const LANES = 10
const LEAST_PAID_CENTS = 100
const MOST_PAID_CENTS = 100_000
/** Some of it is more than there is, or than is left of the payment. */
const MOST_WITHDRAWN_CENTS = 150_000
const MOST_REFUNDED_CENTS = 40_000

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

const orders = ({ owners, shareKeys, webhook, heard, roll }: Load): (() => Order) => {
  let count = 0
  const anyOwner = (): Merchant => inTurn(owners, roll(owners.length))
  const anyIssued = () => [...heard.issued.values()][roll(heard.issued.size)]
  const issue = (): Order => {
    const at = roll(owners.length)
    // An account that shares with itself is refused.
    const sharedWith = roll(3) === 0 ? null : (shareKeys[(at + 1) % shareKeys.length] ?? null)
    return { kind: 'issue', owner: inTurn(owners, at), key: `charge ${count}`, webhook, sharedWith }
  }
  const edit = (owner: Merchant): Order => {
    // The bank's back office is one person: a limit is raised by the next call, and by no other.
    const { known = 0, asked = 0 } = heard.limits.get(owner.accountId) ?? {}
    heard.limits.set(owner.accountId, { known, asked: asked + 1 })
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
    const issued = [...heard.issued.values()].find(({ txid }) => txid === paid?.txid)
    if (!paid || !issued) return null
    const { owner } = issued.order
    return {
      kind: 'refund',
      owner,
      key: `refund ${count}`,
      chargeId: issued.id,
      endToEndId: paid.endToEndId,
      valueCents: 1 + roll(MOST_REFUNDED_CENTS),
    }
  }
  return () => {
    count += 1
    const chance = roll(100)
    const issued = anyIssued()
    if (!issued || chance < 30) return issue()
    if (chance < 34) return issued.order
    if (chance < 41) return { kind: 'register', owner: anyOwner(), key: `client ${count}`, document: anyDocument() }
    if (chance < 45) return edit(anyOwner())
    if (chance < 53) return { kind: 'read', owner: anyOwner() }
    if (chance < 58) return { kind: 'cancel', txid: issued.txid }
    if (chance < 70) return withdraw()
    if (chance < 78) return refund() ?? issue()
    const endToEndId = `E01181521209912311200${`${count}`.padStart(11, '0')}`
    const valueCents = LEAST_PAID_CENTS + roll(MOST_PAID_CENTS)
    return { kind: 'pay', txid: issued.txid, endToEndId, valueCents }
  }
}

interface Watch {
  /** Reports whether the process was killed. */
  isKilled(): boolean
  /** Called with every answer. */
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
      if (order.kind !== 'edit' || !busy.has(order.owner.accountId)) return order
    }
  }
  const lane = async (process: Process, { isKilled, answered }: Watch): Promise<void> => {
    for (;;) {
      const order = heard.doubtful.shift() ?? free()
      if (order.kind === 'edit') busy.add(order.owner.accountId)
      try {
        note(heard, order, await ask(process, order))
        answered()
      } catch (error) {
        if (!isKilled()) heard.odd.push(`${order.kind}: ${error}`)
        leftOpen(heard, order)
        return
      } finally {
        if (order.kind === 'edit') busy.delete(order.owner.accountId)
      }
    }
  }
  return {
    /** Works until the process is gone. */
    work: async (process: Process, watch: Watch): Promise<void> => {
      await Promise.all(numbers(LANES).map(() => lane(process, watch)))
    },
  }
}

import { fakeBank } from '../../../adapters/bank/fake/bank.ts'
import type { Host } from '../../../apps/host/host.ts'
import type { Bank, BankAnswer, Title } from '../../../core/ports/bank.ts'

/**
 * The result of one call. `lost` and `cut`: a time-out, a 500, a broken or garbled answer, before and after the bank
 * executed the call; the caller sees both as `unknown`. `held` and `late`: nothing comes until it is let go.
 */
export const CREATES = ['done', 'refused', 'away', 'lost', 'cut', 'held', 'late'] as const
export const FINDS = ['done', 'away', 'lost'] as const
export type Create = (typeof CREATES)[number]
export type Find = (typeof FINDS)[number]

/** The results of the calls about one order, in turn; later calls succeed. */
export interface Plan {
  readonly creates: readonly Create[]
  readonly finds: readonly Find[]
}

export interface Call {
  readonly operation: 'create' | 'find'
  readonly txid: string
  readonly mood: string
  /** Set if the bank knew the title at the time of the call. */
  readonly knew: boolean
  /** Set if the caller received the result. */
  readonly isTold: boolean
}

export interface BankDouble {
  readonly bank: Bank
  /** Every call, in the order in which they came. */
  readonly calls: readonly Call[]
  /** Lets what is held up go on. */
  letGo(): void
}

const MOODS: Readonly<Record<string, BankAnswer<never>>> = {
  refused: { outcome: 'refused', reason: 'Não.' },
  away: { outcome: 'unavailable' },
}

/** The embedded bank, in the moods that each order's plan says; orders are told apart by their value. */
export const bankDouble = ({ store, ids, clock, random }: Host, planOf: (valueCents: number) => Plan): BankDouble => {
  const bank = fakeBank({ store, ids, clock, random })
  const calls: Call[] = []
  const plans = new Map<string, { readonly creates: Create[]; readonly finds: Find[] }>()
  let held: (() => void)[] = []
  const hold = () => new Promise<void>((resolve) => held.push(resolve))
  const knows = async (txid: string): Promise<boolean> => {
    const known = await bank.findTitle(txid)
    return known.outcome === 'done' && known.value !== null
  }
  const note = async (operation: Call['operation'], txid: string, mood: string) => {
    const isTold = mood === 'done' || mood === 'refused' || mood === 'held' || mood === 'late'
    calls.push({ operation, txid, mood, knew: await knows(txid), isTold })
  }
  const createTitle: Bank['createTitle'] = async (order) => {
    const { txid, valueCents } = order
    const known = plans.get(txid)
    const { creates, finds } = known ?? planOf(valueCents)
    if (!known) plans.set(txid, { creates: [...creates], finds: [...finds] })
    const mood = plans.get(txid)?.creates.shift() ?? 'done'
    await note('create', txid, mood)
    const answer = MOODS[mood]
    if (answer) return answer
    if (mood === 'held') await hold()
    const done: BankAnswer<Title> = mood === 'lost' ? { outcome: 'unknown' } : await bank.createTitle(order)
    if (mood === 'late') await hold()
    return mood === 'cut' ? { outcome: 'unknown' } : done
  }
  const findTitle: Bank['findTitle'] = async (txid) => {
    const mood = plans.get(txid)?.finds.shift() ?? 'done'
    await note('find', txid, mood)
    if (mood === 'lost') return { outcome: 'unknown' }
    return MOODS[mood] ?? bank.findTitle(txid)
  }
  const letGo = () => {
    for (const go of held) go()
    held = []
  }
  return { bank: { ...bank, createTitle, findTitle }, calls, letGo }
}

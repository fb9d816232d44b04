import type { Act, KeyedOrder } from '../actors/cast.ts'
import { askFor } from '../actors/keyed.ts'
import { ask } from '../environment/process.ts'
import { DAY_MS, openAccounts, payOnce, pixDueTomorrow, type Story, until } from './story.ts'

const PAYMENTS = ['E99990000000000000000000000000001', 'E99990000000000000000000000000002'] as const

/** Somebody opens an account, asks for charges by key and for one without, and is paid one of them twice. */
export const charging: Story = {
  name: 'charging',
  banks: ['outside', 'embedded'],
  async tell(environment, cast) {
    const [merchant] = await openAccounts(environment, cast, ['11222333000181'])
    if (!merchant) throw new Error('nobody has an account')
    const input = pixDueTomorrow(environment)
    const firstMs = environment.agenda.nowMs()
    const orderOf = (key: string, over: KeyedOrder['over']): KeyedOrder => {
      const asked = { answers: [], last: null, asking: 0, isOld: false }
      return { key, over, merchant, input: { ...input, description: key }, firstMs, ...asked }
    }
    const order = orderOf('pedido-1', 'http')
    for (const each of [order, orderOf('pedido-2', 'program')]) {
      cast.orders.push(each)
      await until(environment, cast, askFor(each), () => each.answers.length > 0)
    }
    const forgotten: Act = async (_world, _cast, process) => {
      await ask(process, process.pay.charges.issue(merchant, input))
    }
    await until(environment, cast, forgotten, async () => (await environment.snapshot()).charges.length > 2)

    const { txid } = (await environment.snapshot()).charges.find(({ description }) => description === order.key) ?? {}
    for (const endToEndId of PAYMENTS)
      await payOnce(environment, cast, { txid: txid ?? '', valueCents: 700, endToEndId })
    environment.agenda.jump(3 * DAY_MS)
    await environment.agenda.run(1_000)
  },
  end: { postedCents: [700, 700], paid: 1, isExpired: true },
  endOf: ({ charges, entries }) => ({
    postedCents: entries.map(({ valueCents }) => valueCents),
    paid: charges.filter(({ status }) => status === 'paid').length,
    isExpired: charges.some(({ status }) => status === 'expired'),
  }),
}

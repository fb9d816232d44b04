import type { Failure } from '../../../core/failure.ts'
import type { Either } from '../../../core/fp.ts'
import { accounts } from '../../../core/payments/accounts/account.ts'
import { apiKeyOf } from '../../../core/payments/accounts/account-secrets.ts'
import { byId } from '../../../core/ports/store.ts'
import { VISA_CARD } from '../actors/cards.ts'
import type { Act, Cast } from '../actors/cast.ts'
import type { Environment } from '../environment/environment.ts'
import { ask, type Process } from '../environment/process.ts'
import type { Snapshot } from '../environment/snapshot.ts'
import { openAccounts, payOnce, pixDueTomorrow, type Story, until, untilAnswered } from './story.ts'

const PAID_CENTS = 50_000
const SOLD_CENTS = 9_000
const OUT_CENTS = { byKey: 1_000, byAccount: 2_000, moved: 700, back: 300, ofCards: 4_000 } as const
const TO = { name: 'Fulano', document: '12345678909', ispb: '341', branch: '1', account: '12345-6' }
const HOUR_MS = 3_600_000

/** Money that leaves, or is on its way: what it is of, and how far it has come. */
interface Leaving {
  readonly status: string
  readonly valueCents: number | null
}

/** Whoever sees that it failed, or that nothing of it is there, asks again; whoever sees that it is on its way waits. */
const untilOut = (
  environment: Environment,
  cast: Cast,
  of: (held: Snapshot) => readonly Leaving[],
  cents: number,
  does: (process: Process, tries: number) => () => Promise<Either<Failure, unknown>>,
): Promise<void> => {
  const ours = async () => of(await environment.snapshot()).filter(({ valueCents }) => valueCents === cents)
  const act: Act = async (_world, _cast, process) => {
    const all = await ours()
    if (all.every(({ status }) => status === 'failed')) await ask(process, does(process, all.length))
  }
  return until(environment, cast, act, async () => (await ours()).some(({ status }) => status === 'completed'))
}

/**
 * Somebody is paid by Pix and by card, and lets the money leave by every way that there is: to a key, to the data of an account,
 * to another account, back to the payer, and from what was sold by card to what can be spent.
 */
export const moneyOut: Story = {
  name: 'money out',
  // The bank outside pays nothing out.
  banks: ['embedded'],
  async tell(environment, cast) {
    const [merchant, other] = await openAccounts(environment, cast, ['11222333000181', '11444777000161'])
    if (!merchant || !other) throw new Error('nobody has two accounts')
    for (const each of [merchant, other])
      await untilAnswered(environment, cast, ({ pay }) => pay.organizations.update(each, { status: 'ACTIVE' }))

    const pix = { ...pixDueTomorrow(environment), valueCents: PAID_CENTS }
    const card = { ...pix, ...VISA_CARD, valueCents: SOLD_CENTS, paymentMethod: 'CREDIT_CARD' } as const
    for (const [index, input] of [pix, card].entries())
      await untilAnswered(environment, cast, ({ pay }) => {
        const issue = pay.charges.issue(merchant, input)
        return () => issue({ key: `pedido-${index}` })
      })
    const sold = (await environment.snapshot()).charges.find(({ paymentMethod }) => paymentMethod === 'PIX')
    if (!sold) throw new Error('nothing was sold')
    const endToEndId = 'E99990000000000000000000000000001'
    await payOnce(environment, cast, { txid: sold.txid ?? '', valueCents: PAID_CENTS, endToEndId })
    const isCredited = async () =>
      (await environment.snapshot()).entries.some(({ valueCents }) => valueCents === PAID_CENTS)
    await until(environment, cast, async () => {}, isCredited)

    const { byKey, byAccount, moved, back, ofCards } = OUT_CENTS
    const withdrawn = ({ withdrawals }: Snapshot) => withdrawals
    // Under a key the same request comes again to what it began; without one the window holds what is the same back.
    await untilOut(environment, cast, withdrawn, byKey, ({ pay }, tries) => {
      const paying = pay.withdrawals.payKey(merchant, { key: 'ana@cliente.test', valueCents: byKey })
      return () => paying({ key: `saque-${tries}` })
    })
    await untilOut(environment, cast, withdrawn, byAccount, ({ pay }) =>
      pay.withdrawals.payAccount(merchant, { ...TO, valueCents: byAccount }),
    )
    const receiver = await environment.store.find(byId(accounts, other.accountId))
    await untilOut(
      environment,
      cast,
      ({ transfers }) => transfers,
      moved,
      ({ ports, pay }) => {
        const apiKey = receiver ? apiKeyOf(ports.cipher, receiver) : ''
        return pay.transfers.send(merchant, { apiKey, valueCents: moved, description: null })
      },
    )
    await untilOut(
      environment,
      cast,
      ({ refunds }) => refunds,
      back,
      ({ pay }) => pay.charges.refund(merchant, sold.id, { valueCents: back }),
    )
    await untilAnswered(environment, cast, ({ pay }) => {
      const withdrawing = pay.cardSales.withdraw(merchant, { amountCents: ofCards })
      return () => withdrawing({ key: 'saque-do-cartao' })
    })
    environment.agenda.jump(2 * HOUR_MS)
    await environment.agenda.run(1_000)
  },
  end: [
    '1 card -4000',
    '1 card 9000',
    '1 main -1000',
    '1 main -2000',
    '1 main -300',
    '1 main -700',
    '1 main 4000',
    '1 main 50000',
    '2 main 700',
  ],
  endOf: ({ accounts: held, entries }) => {
    const ids = held.map(({ id }) => id).toSorted((a, b) => a - b)
    return entries
      .map(({ accountId, book, valueCents }) => `${ids.indexOf(accountId) + 1} ${book.split(':')[1]} ${valueCents}`)
      .toSorted()
  },
}

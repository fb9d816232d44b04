import { always, patch } from '../../core/kernel/records/record.ts'
import { accounts, type OrganizationStatus } from '../../core/payments/accounts/account.ts'
import type { Act, Cast, Merchant } from './actors/cast.ts'
import type { Environment } from './environment/environment.ts'
import { openAccounts, payOnce, pixDueTomorrow, type Story, until, untilAnswered, untilOut } from './stories.ts'

const PAID_CENTS = 5_000
const BACK_CENTS = 3_333
const SPLIT = { percentHundredths: 3_000 } as const

const setStatus = async (
  environment: Environment,
  cast: Cast,
  { accountId }: Merchant,
  status: OrganizationStatus,
): Promise<void> => {
  const isSet = async () =>
    (await environment.snapshot()).accounts.some((each) => each.id === accountId && each.status === status)
  const act: Act = async (_world, _cast, process) => {
    await process.ports.store.commit([patch(accounts, accountId, { set: { status }, when: always })]).catch(() => null)
  }
  await until(environment, cast, act, isSet)
}

/** Issues a charge that shares its payments, and pays it. */
const sell = async (environment: Environment, cast: Cast, merchant: Merchant, key: string, number: number) => {
  const input = { ...pixDueTomorrow(environment), valueCents: PAID_CENTS, splits: [{ key, ...SPLIT }] }
  await untilAnswered(environment, cast, ({ pay }) => {
    const issue = pay.charges.issue(merchant, { ...input, description: `venda ${number}` })
    return () => issue({ key: `venda-${number}` })
  })
  const charge = (await environment.snapshot()).charges.find(({ description }) => description === `venda ${number}`)
  if (!charge) throw new Error('no charge was issued')
  return charge
}

/**
 * An account consents, receives its share of a payment, is suspended while another payment arrives, and gives its part
 * of a refund back after it is restored.
 */
export const sharing: Story = {
  name: 'sharing',
  banks: ['embedded'],
  async tell(environment, cast) {
    const [merchant, other] = await openAccounts(environment, cast, ['11222333000181', '11444777000161'])
    if (!merchant || !other) throw new Error('no two accounts were opened')
    await setStatus(environment, cast, merchant, 'ACTIVE')
    const consent = { ...other, origin: null }
    await untilAnswered(environment, cast, ({ pay }) => {
      const create = pay.splitReceivers.create(consent, { name: 'Parte' })
      return () => create({ key: 'consentimento' })
    })
    const [receiver] = (await environment.snapshot()).splitReceivers
    if (!receiver) throw new Error('no account consented')
    for (const number of [1, 2]) {
      const charge = await sell(environment, cast, merchant, receiver.key, number)
      await setStatus(environment, cast, other, number === 1 ? 'ACTIVE' : 'SUSPENDED')
      const endToEndId = `E9999000000000000000000000000000${number}`
      await payOnce(environment, cast, { txid: charge.txid ?? '', valueCents: PAID_CENTS, endToEndId })
      const isShared = async () => (await environment.snapshot()).splitShares.length === number
      await until(environment, cast, async () => {}, isShared)
    }
    await setStatus(environment, cast, other, 'ACTIVE')
    const isReleased = async () => (await environment.snapshot()).splitShares.every(({ heldCents }) => heldCents === 0)
    await until(environment, cast, async () => {}, isReleased)
    const [first] = (await environment.snapshot()).charges.toSorted((a, b) => a.id - b.id)
    await untilOut(
      environment,
      cast,
      ({ refunds }) => refunds,
      BACK_CENTS,
      ({ pay }) => pay.charges.refund(merchant, first?.id ?? 0, { valueCents: BACK_CENTS }),
    )
  },
  end: {
    lines: [
      '1 main -1500',
      '1 main -1500',
      '1 main -3333',
      '1 main 1000',
      '1 main 5000',
      '1 main 5000',
      '2 main -1000',
      '2 main 1500',
      '2 main 1500',
    ],
    available: [4_667, 2_000],
  },
  endOf: ({ accounts: held, entries, books }) => {
    const ids = held.map(({ id }) => id).toSorted((a, b) => a - b)
    return {
      lines: entries
        .map(({ accountId, book, valueCents }) => `${ids.indexOf(accountId) + 1} ${book.split(':')[1]} ${valueCents}`)
        .toSorted(),
      available: books
        .filter(({ kind }) => kind === 'main')
        .toSorted((a, b) => a.accountId - b.accountId)
        .map(({ availableCents }) => availableCents),
    }
  },
}

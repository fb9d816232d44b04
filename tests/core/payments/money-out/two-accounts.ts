import { fakeBank } from '../../../../adapters/bank/fake/bank.ts'
import { fakeBankConsole } from '../../../../adapters/bank/fake/mod.ts'
import { type SetClock, setClock } from '../../../../adapters/clock/set-clock.ts'
import { seededRandom } from '../../../../adapters/crypto/random.ts'
import { memoryPorts } from '../../../../adapters/memory/memory-ports.ts'
import { always, type Collection, type Rec } from '../../../../core/kernel/records/record.ts'
import { type Entry, entries, ledgerAccountId, ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import { verifyLedger } from '../../../../core/payments/ledger/verify-ledger.ts'
import { type Payments, payments } from '../../../../core/payments/payments.ts'
import { verifyReserves } from '../../../../core/payments/reserves/verify-reserves.ts'
import type { PayOuts, Refunds } from '../../../../core/ports/bank.ts'
import { byId, listOf, type Store } from '../../../../core/ports/store.ts'
import { anyDocument, anyEmail } from '../../../apps/given/basics.ts'
import { cheapHasher, right } from '../access/test-ports.ts'

export const NOW = '2026-11-23T13:05:09.123Z'
const HOME = { address: '127.0.0.1', device: null }
const PASSWORD = 'segredo-123'

/** The behaviour of the embedded bank for payments. */
export interface MoneyOut {
  readonly payOuts: PayOuts
  readonly refunds: Refunds
}

interface Options {
  /** Stands in for some of it. */
  readonly instead?: (own: MoneyOut, clock: SetClock) => Partial<MoneyOut>
  readonly seed?: number
  /** A shared store; by default a new one. */
  readonly store?: Store
}

/** Two active accounts at the embedded bank, with nothing in them. */
export const twoEmptyAccounts = async ({ instead = () => ({}), seed = 7, store: among }: Options = {}) => {
  const clock = setClock(NOW)
  const own = { clock, random: seededRandom(seed), hasher: cheapHasher().hasher }
  const plain = memoryPorts({ ...own, ...(among && { store: among }) })
  const bank = fakeBank(plain)
  const { payOuts, refunds } = bank
  if (!payOuts || !refunds) throw new Error('the embedded bank has money leave')
  const pay = payments({ ...plain, bank: { ...bank, ...instead({ payOuts, refunds }, clock) } })
  const from = await anAccount(pay)
  const to = await anAccount(pay)
  const { store } = plain
  const worker = pay.worker()
  return {
    pay,
    store,
    clock,
    from,
    to,
    drain: () => worker.drain(),
    every: async <R extends Rec>(from: Collection<R>): Promise<readonly R[]> =>
      (await store.list(listOf(from, { where: always, limit: 1_000 }))).records,
    send: (valueCents: number) => pay.transfers.send(from.member, { apiKey: to.apiKey, valueCents }),
    /** The balances and available amounts of both accounts. */
    books: async () => {
      const both = [from, to].map(({ id }) => store.find(byId(ledgerAccounts, ledgerAccountId(id, 'main'))))
      return (await Promise.all(both)).map((book) => [book?.balanceCents, book?.availableCents])
    },
    /** All that was posted after the Pix. */
    lines: async (): Promise<readonly (readonly [number, number])[]> => {
      const sort = { by: 'id', dir: 'asc' } as const
      const { records } = await store.list(listOf(entries, { where: always, sort, limit: 100 }))
      return records.slice(1).map(({ typeId, valueCents }: Entry) => [typeId, valueCents] as const)
    },
    /** The errors of the ledger and of the reserves. */
    faults: async () => [...(await verifyLedger(store)).faults, ...(await verifyReserves(store)).faults],
  }
}

const PAYER = { name: 'Maria', email: 'maria@example.com', document: '12345678909' }

/** Pays a charge by Pix and returns it. */
export const paidByPix = async (
  pay: Payments,
  member: Parameters<Payments['charges']['issue']>[0],
  valueCents: number,
) => {
  const order = { valueCents, paymentMethod: 'PIX', dueDate: '2099-12-31', payer: PAYER } as const
  const { charge } = right(await pay.charges.issue(member, order)())
  right(await fakeBankConsole(pay.ports, pay.bank).pay({ txid: charge.txid ?? '' })())
  return charge
}

/** Two accounts, the first with a paid charge of 1,000 reais. */
export const twoAccounts = async (options: Options = {}) => {
  const business = await twoEmptyAccounts(options)
  return { ...business, charge: await paidByPix(business.pay, business.from.member, 100_000) }
}

export type TwoEmptyAccounts = Awaited<ReturnType<typeof twoEmptyAccounts>>
export type TwoAccounts = Awaited<ReturnType<typeof twoAccounts>>

const anAccount = async (pay: Payments) => {
  const [email, document] = [anyEmail(), anyDocument()]
  const { accessToken } = right(await pay.people.register({ name: 'Ana', email, password: PASSWORD }, HOME)())
  const before = right(await pay.sessions.authenticate(accessToken, HOME)())
  const { id } = right(await pay.openings.open(before, { name: 'Escola', email: null, document })())
  const caller = right(await pay.sessions.authenticate(accessToken, HOME)())
  const inAccount = async () =>
    right(await pay.access.resolveAccount(caller, { account: null, organization: null }, 'v1')())
  right(await pay.organizations.update(await inAccount(), { status: 'ACTIVE' })())
  const member = await inAccount()
  const { secrets } = right(await pay.access.readAccount(member)())
  return { id, member, apiKey: secrets?.apiKey ?? '', pixKey: member.account.pixKey ?? '' }
}

import { type SetClock, setClock } from '../../../../adapters/clock/set-clock.ts'
import { always } from '../../../../core/kernel/records/record.ts'
import { type Entry, entries, ledgerAccountId, ledgerAccounts } from '../../../../core/payments/ledger/ledger.ts'
import { verifyLedger } from '../../../../core/payments/ledger/verify-ledger.ts'
import { verifyReserves } from '../../../../core/payments/reserves/verify-reserves.ts'
import type { PayOuts, Refunds } from '../../../../core/ports/bank.ts'
import { byId, listOf, type Store } from '../../../../core/ports/store.ts'
import { NOW, openPayments } from '../world.ts'

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
export const twoEmptyAccounts = async ({ instead, ...options }: Options = {}) => {
  const clock = setClock(NOW)
  const world = openPayments({
    ...options,
    clock,
    instead: ({ bank }) => {
      const { payOuts, refunds } = bank
      if (!payOuts || !refunds) throw new Error('the embedded bank has money leave')
      return { bank: { ...bank, ...instead?.({ payOuts, refunds }, clock) } }
    },
  })
  const { pay, store } = world
  const [from, to] = [await world.activeMerchant(), await world.activeMerchant()]
  return {
    ...world,
    from,
    to,
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

/** Two accounts, the first with a paid charge of 1,000 reais. */
export const twoAccounts = async (options: Options = {}) => {
  const business = await twoEmptyAccounts(options)
  return { ...business, charge: await business.paid(business.from, 100_000) }
}

export type TwoEmptyAccounts = Awaited<ReturnType<typeof twoEmptyAccounts>>
export type TwoAccounts = Awaited<ReturnType<typeof twoAccounts>>

import { fakeBank } from '../../../adapters/bank/fake/bank.ts'
import { openings, payments, payOuts, refunds, titles } from '../../../adapters/bank/fake/books.ts'
import { type FakeBankConsole, fakeBankConsole } from '../../../adapters/bank/fake/console.ts'
import { fakeBankQueues } from '../../../adapters/bank/fake/notifications.ts'
import type { Failure } from '../../../core/failure.ts'
import type { Either } from '../../../core/fp.ts'
import { always } from '../../../core/kernel/records/where.ts'
import { listOf } from '../../../core/ports/store.ts'
import type { BankSide } from './bank-side.ts'
import type { Ground } from './environment.ts'
import { anyone, ask } from './process.ts'

const ALL = { where: always, limit: 1_000_000 } as const

/** The bank that every process carries with it: its books are in the same store, and its console is reached over a process. */
export const embeddedBank = (ground: Ground): BankSide => {
  const { store } = ground
  const atConsole = async (
    does: (bankConsole: FakeBankConsole) => Promise<Either<Failure, unknown>>,
  ): Promise<void> => {
    const process = anyone(ground)
    if (process) await ask(process, () => does(fakeBankConsole(process.ports, process.pay.bank)))
  }
  return {
    name: 'embedded',
    bankFor: fakeBank,
    queuesFor: fakeBankQueues,
    pay: (order) => atConsole((bankConsole) => bankConsole.pay(order)()),
    cancel: (txid) => atConsole((bankConsole) => bankConsole.cancel(txid)()),
    async books() {
      const { records: held } = await store.list(listOf(titles, ALL))
      const { records: paid } = await store.list(listOf(payments, ALL))
      const { records: opened } = await store.list(listOf(openings, ALL))
      const { records: out } = await store.list(listOf(payOuts, ALL))
      const { records: back } = await store.list(listOf(refunds, ALL))
      return {
        refunds: back,
        payOuts: out.map(({ id, endToEndId, valueCents }) => ({ txid: id, endToEndId, valueCents })),
        titles: held.map(({ id, status }) => ({ txid: id, cancelled: status === 'cancelled' })),
        payments: paid.map(({ id, txid, valueCents, dueAt }) => ({
          endToEndId: id,
          txid,
          valueCents,
          told: dueAt === null,
        })),
        accounts: opened.map(({ id }) => id),
        untold: [...held, ...paid].filter(({ dueAt }) => dueAt !== null).length,
      }
    },
  }
}

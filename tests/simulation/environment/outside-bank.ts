import { isLeft } from '../../../core/fp.ts'
import type { Bank, OpenedAccount, PaymentNotice } from '../../../core/ports/bank.ts'
import type { BankNotifications } from '../../../core/ports/bank-notifications.ts'
import type { BankSide, PaidAtBank } from './bank-side.ts'
import type { Ground } from './environment.ts'
import { anyone, ask } from './process.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const PAYER = { name: 'Fulano de Tal', document: '12345678909', bank: null, branch: null, account: null }

interface Title {
  readonly txid: string
  readonly dynamicCode: string | null
  cancelled: boolean
}

/** A bank outside: its books outlive every process, its notices come late, twice and in any order, until they are taken. */
export const outsideBank = (ground: Ground): BankSide => {
  const { agenda, dice, trace } = ground
  const titles = new Map<string, Title>()
  const accounts = new Map<string, OpenedAccount>()
  const payments: { readonly notice: PaymentNotice; told: boolean }[] = []
  let untold = 0

  const tell = async (
    what: string,
    notice: (notifications: BankNotifications) => ReturnType<BankNotifications['paid']>,
  ): Promise<void> => {
    untold += 1
    await agenda.wait(dice.pick([0, 0, 100, SECOND_MS, 60 * SECOND_MS, 3 * HOUR_MS]))
    for (;;) {
      const process = anyone(ground)
      const taken = process && (await ask(process, notice(process.pay.bank)))
      if (taken && !isLeft(taken)) break
      if (taken && taken.left.tag !== 'unavailable') ground.broken.push(`${what} was refused: ${taken.left.code}`)
      await agenda.wait(dice.between(SECOND_MS, 60 * SECOND_MS))
    }
    trace.note(`told ${what}`)
    untold -= 1
  }

  const askDue = async (txid: string): Promise<number | null> => {
    const process = anyone(ground)
    const due = process && (await ask(process, process.pay.bank.amountDue(txid)))
    return due && !isLeft(due) ? due.right : null
  }

  const titleOf = (txid: string) => {
    const title = titles.get(txid)
    const told = payments.filter(({ notice }) => notice.txid === txid).map(({ notice }) => notice)
    return title ? { txid, dynamicCode: title.dynamicCode, cancelled: title.cancelled, payments: told } : null
  }

  const bank: Bank = {
    compe: '999',
    async openAccount({ reference }) {
      const known = accounts.get(reference)
      const value = known ?? { agency: '0001', account: `${accounts.size + 1}-0`, pixKey: reference }
      accounts.set(reference, value)
      return { outcome: 'done', value }
    },
    async createPix({ txid }) {
      const dynamicCode = dice.chance(0.5) ? `00020126${txid}` : null
      if (!titles.has(txid)) titles.set(txid, { txid, dynamicCode, cancelled: false })
      const value = titleOf(txid)
      return value ? { outcome: 'done', value } : { outcome: 'unknown' }
    },
    findPix: async (txid) => ({ outcome: 'done', value: titleOf(txid) }),
    async cancelTitle(txid) {
      const title = titles.get(txid)
      if (title) title.cancelled = true
      return title ? { outcome: 'done', value: null } : { outcome: 'refused', reason: 'Título desconhecido.' }
    },
  }

  return {
    name: 'outside',
    bankFor: () => bank,
    queuesFor: () => [],
    async pay({ txid, valueCents, endToEndId }) {
      const due = valueCents ?? (await askDue(txid)) ?? 1
      const id = endToEndId ?? `E9999${String(payments.length + 1).padStart(27, '0')}`
      const paidAt = new Date(agenda.nowMs()).toISOString()
      const notice: PaymentNotice = { txid, endToEndId: id, method: 'pix', valueCents: due, paidAt, payer: PAYER }
      const payment = { notice, told: false }
      payments.push(payment)
      const taken = async (): Promise<void> => {
        await tell(`payment ${id}`, (notifications) => notifications.paid(notice))
        payment.told = true
      }
      await Promise.all(Array.from({ length: dice.pick([1, 1, 2, 3]) }, taken))
    },
    async cancel(txid) {
      const title = titles.get(txid)
      if (!title) return
      title.cancelled = true
      await Promise.all(
        Array.from({ length: dice.pick([1, 2]) }, () => tell(`end of ${txid}`, (to) => to.cancelled(txid))),
      )
    },
    books: async () => ({
      titles: [...titles.values()],
      payments: payments.map(({ notice, told }): PaidAtBank => ({ ...notice, told })),
      accounts: [...accounts.keys()],
      untold,
    }),
  }
}

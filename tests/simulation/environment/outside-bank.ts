import { isLeft } from '../../../core/fp.ts'
import { boletoOf } from '../../../core/payments/boleto/boleto.ts'
import type { Bank, OpenedAccount, PaymentNotice, Title, TitleOrder } from '../../../core/ports/bank.ts'
import type { BankSide, PaidAtBank } from './bank-side.ts'
import type { Ground } from './environment.ts'
import { anyone, ask } from './process.ts'
import { tellerOf } from './teller.ts'

const COMPE = '999'
const PAYER = { name: 'Fulano de Tal', document: '12345678909', bank: null, branch: null, account: null }

interface Opened {
  readonly txid: string
  readonly dynamicCode: string | null
  readonly boleto: Title['boleto']
  cancelled: boolean
}

/** A boleto of this bank; now and then its digits are those of another value, which nobody may be shown. */
const boletoAt = (place: number, isWrong: boolean, { valueCents, dueDate }: TitleOrder): Title['boleto'] => {
  const number = String(place + 1).padStart(25, '0')
  const value = isWrong ? valueCents + 1 : valueCents
  const boleto = boletoOf({ compe: COMPE, valueCents: value, dueDate, freeField: number, nossoNumero: number })
  return { ...boleto }
}

/** A bank outside: its books outlive every process, its notices come late, twice and in any order, until they are taken. */
export const outsideBank = (ground: Ground): BankSide => {
  const { agenda, dice } = ground
  const titles = new Map<string, Opened>()
  const accounts = new Map<string, OpenedAccount>()
  const payments: { readonly notice: PaymentNotice; told: boolean }[] = []
  const { tell, untold } = tellerOf(ground)

  const askDue = async (txid: string): Promise<number | null> => {
    const process = anyone(ground)
    const due = process && (await ask(process, process.pay.bank.amountDue(txid)))
    return due && !isLeft(due) ? due.right : null
  }

  const titleOf = (txid: string) => {
    const title = titles.get(txid)
    const told = payments.filter(({ notice }) => notice.txid === txid).map(({ notice }) => notice)
    return title
      ? { txid, dynamicCode: title.dynamicCode, boleto: title.boleto, cancelled: title.cancelled, payments: told }
      : null
  }

  const bank: Bank = {
    compe: COMPE,
    can: ['open-account', 'pix', 'boleto', 'bolepix'],
    txidLength: 25,
    async openAccount({ reference }) {
      const known = accounts.get(reference)
      const value = known ?? { agency: '0001', account: `${accounts.size + 1}-0`, pixKey: reference }
      accounts.set(reference, value)
      return { outcome: 'done', value }
    },
    async createTitle(order) {
      const { txid, method } = order
      const dynamicCode = dice.chance(0.5) ? `00020126${txid}` : null
      const boleto = method === 'PIX' ? null : boletoAt(titles.size, dice.chance(0.05), order)
      if (!titles.has(txid)) titles.set(txid, { txid, dynamicCode, boleto, cancelled: false })
      const value = titleOf(txid)
      return value ? { outcome: 'done', value } : { outcome: 'unknown' }
    },
    findTitle: async (txid) => ({ outcome: 'done', value: titleOf(txid) }),
    async cancelTitle(txid) {
      const title = titles.get(txid)
      if (!title) return { outcome: 'refused', reason: 'Título desconhecido.' }
      if (!title.cancelled && titleOf(txid)?.payments.length !== 0)
        return { outcome: 'refused', reason: 'Título pago.' }
      title.cancelled = true
      return { outcome: 'done', value: null }
    },
  }

  return {
    name: 'outside',
    bankFor: () => bank,
    queuesFor: () => [],
    async pay({ txid, valueCents, endToEndId }) {
      const due = valueCents ?? (await askDue(txid)) ?? 1
      const boleto = titles.get(txid)?.boleto ?? null
      const ofBoleto = boleto !== null && dice.chance(0.5) ? boleto.nossoNumero : null
      // A boleto is paid once.
      if (ofBoleto !== null && payments.some(({ notice }) => notice.endToEndId === ofBoleto)) return
      const id = ofBoleto ?? endToEndId ?? `E9999${String(payments.length + 1).padStart(27, '0')}`
      const paidAt = new Date(agenda.nowMs()).toISOString()
      const method = ofBoleto === null ? 'pix' : 'boleto'
      const notice: PaymentNotice = { txid, endToEndId: id, method, valueCents: due, paidAt, payer: PAYER }
      const payment = { notice, told: false }
      payments.push(payment)
      const taken = async (): Promise<void> => {
        await tell(`payment ${id}`, (pay) => pay.bank.paid(notice))
        payment.told = true
      }
      await Promise.all(Array.from({ length: dice.pick([1, 1, 2, 3]) }, taken))
    },
    async cancel(txid) {
      const title = titles.get(txid)
      if (!title) return
      title.cancelled = true
      await Promise.all(
        Array.from({ length: dice.pick([1, 2]) }, () => tell(`end of ${txid}`, (pay) => pay.bank.cancelled(txid))),
      )
    },
    books: async () => ({
      payOuts: [],
      refunds: [],
      titles: [...titles.values()],
      payments: payments.map(({ notice, told }): PaidAtBank => ({ ...notice, told })),
      accounts: [...accounts.keys()],
      untold: untold(),
    }),
  }
}

import { failure, isLeft, left, refusal, right } from '../../../core/failure.ts'
import { always, eq, insert, patch } from '../../../core/kernel/records/record.ts'
import {
  accept,
  decideAndCommit,
  type Fresh,
  type Runtime,
  type UseCase,
} from '../../../core/kernel/running/use-case.ts'
import { isCpf, taxIdKind } from '../../../core/kernel/values/tax-id.ts'
import { endToEndId } from '../../../core/payments/pix/pix-id.ts'
import type {
  BankAccountHolder,
  BankAnswer,
  BankRefund,
  CompletedPayOut,
  PayOutOrder,
  PayOuts,
  RefundOrder,
  Refunds,
} from '../../../core/ports/bank.ts'
import { byId, listOf, type Store } from '../../../core/ports/store.ts'
import { type Payment, type PayOut, payments, payOuts, type Refund, refunds } from './books.ts'
import { readBooks, UNKNOWN, withFaults } from './faults.ts'

export const FAKE_ISPB = '01181521'

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const NO_KEY = 'A chave Pix não existe.'
const MAX_PAY_OUTS = 500

/** Pays out at once, without a check of the balance, and once per id. */
export const fakePayOuts = (runtime: Runtime): PayOuts => ({
  findKey: (key) => withFaults(runtime, 'lookup_key', {}, async () => ({ outcome: 'done', value: findKeyOwner(key) })),
  payOut: (order) =>
    withFaults(runtime, 'pay_out', { known: byId(payOuts, order.id) }, (facts) => payOut(runtime, facts, order)),
  findPayOut: (id) =>
    readBooks(async () => {
      const known = await runtime.store.find(byId(payOuts, id))
      return known && completedPayOut(known)
    }),
})

const holderOf = ({ name, document, ispb, branch, account, accountType }: BankAccountHolder) =>
  ({ name, document, ispb, branch, account, accountType }) satisfies BankAccountHolder

const completedPayOut = (payOut: PayOut): CompletedPayOut => ({
  endToEndId: payOut.endToEndId,
  paidAt: payOut.paidAt,
  receiver: holderOf(payOut),
})

const payOut = async (
  runtime: Runtime,
  facts: (store: Store) => Promise<{ readonly known: PayOut | null }>,
  { id, to, valueCents }: PayOutOrder,
): Promise<BankAnswer<CompletedPayOut>> => {
  const receiver = 'key' in to ? findKeyOwner(to.key) : to.holder
  const answer = await decideAndCommit(runtime, facts, ({ known }, fresh) => {
    if (known) return accept(known)
    if (receiver === null) return left(failure('not-found', 'key.unknown'))
    const paid: PayOut = {
      id,
      endToEndId: endToEndId({ ispb: FAKE_ISPB, instant: fresh.now, random: fresh.text(ALPHANUMERIC, 11) }),
      valueCents,
      key: 'key' in to ? to.key : null,
      ...holderOf(receiver),
      paidAt: fresh.steady,
    }
    return accept(paid, insert(payOuts, paid))
  })
  if (!isLeft(answer)) return { outcome: 'done', value: completedPayOut(answer.right) }
  return answer.left.tag === 'not-found' ? { outcome: 'refused', reason: NO_KEY } : UNKNOWN
}

/** Lists pay-outs, newest first, or only the one with the platform's id. */
export const listPayOuts =
  (store: Store, id: string | null): UseCase<readonly PayOut[], never> =>
  async () => {
    if (id !== null) {
      const known = await store.find(byId(payOuts, id))
      return right(known ? [known] : [])
    }
    const { records } = await store.list(
      listOf(payOuts, { where: always, sort: { by: 'paidAt', dir: 'desc' }, limit: MAX_PAY_OUTS }),
    )
    return right(records)
  }

const UNKNOWN_PIX = 'Pix desconhecido.'
const TOO_MUCH = 'A soma das devoluções não pode passar do valor do Pix.'

/** Refunds a received Pix at once, once per id, and up to its amount. */
export const fakeRefunds = (runtime: Runtime): Refunds => ({
  refund: (order) =>
    withFaults(
      runtime,
      'refund',
      { known: byId(refunds, order.id), payment: byId(payments, order.endToEndId) },
      (facts) => refund(runtime, facts, order),
    ),
  findRefund: ({ id }) =>
    readBooks(async () => {
      const known = await runtime.store.find(byId(refunds, id))
      return known && bankRefundOf(known)
    }),
})

const bankRefundOf = ({ returnId }: Refund): BankRefund => ({ status: 'returned', reason: null, returnId })

interface RefundFacts {
  readonly known: Refund | null
  readonly payment: Payment | null
}

const refund = async (
  runtime: Runtime,
  facts: (store: Store) => Promise<RefundFacts>,
  order: RefundOrder,
): Promise<BankAnswer<BankRefund>> => {
  const answer = await decideAndCommit(runtime, facts, ({ known, payment }, fresh) => {
    if (known) return accept(bankRefundOf(known))
    // A boleto cannot be refunded.
    if (!payment || payment.method === 'boleto') return left(refusal('refund.refused', UNKNOWN_PIX))
    const refundedCents = (payment.refundedCents ?? 0) + order.valueCents
    if (refundedCents > payment.valueCents) return left(refusal('refund.refused', TOO_MUCH))
    return completeRefund(order, payment, refundedCents, fresh)
  })
  if (!isLeft(answer)) return { outcome: 'done', value: answer.right }
  return answer.left.tag === 'refused' ? { outcome: 'refused', reason: answer.left.reason ?? UNKNOWN_PIX } : UNKNOWN
}

const completeRefund = (order: RefundOrder, payment: Payment, refundedCents: number, fresh: Fresh) => {
  const minute = fresh.now.slice(0, 16).replace(/\D/g, '')
  const record: Refund = {
    ...order,
    paymentId: payment.id,
    returnId: `D${FAKE_ISPB}${minute}${fresh.text(ALPHANUMERIC, 11)}`,
    createdAt: fresh.steady,
  }
  return accept(
    bankRefundOf(record),
    patch(payments, payment.id, { set: { refundedCents }, when: eq('refundedCents', payment.refundedCents) }),
    insert(refunds, record),
  )
}

const NAMES = ['Ana Souza', 'Bruno Lima', 'Carla Mendes', 'Diego Rocha', 'Elisa Prado', 'Fábio Nunes'] as const
/** Banco do Brasil, Santander, Caixa, Bradesco, Itaú. */
const ISPBS = ['00000000', '90400888', '00360305', '60746948', '60701190'] as const
/** E-mails that are not registered as keys. */
const UNREGISTERED = /^inexistente.*@/

/** FNV-1a: a key has the same owner in every process. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let place = 0; place < text.length; place += 1) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193)
  return hash >>> 0
}

const digits = (of: number, length: number): string => `${of}`.padStart(length, '0').slice(-length)

const pick = <T>(from: readonly [T, ...T[]], by: number): T => from[by % from.length] ?? from[0]

const cpfWithBase = (base: string): string => {
  for (let check = 0; check < 100; check += 1) {
    const cpf = `${base}${digits(check, 2)}`
    if (isCpf(cpf)) return cpf
  }
  return '12345678909'
}

/** Returns the owner of a key, derived from the key itself; null if the key is not registered. */
const findKeyOwner = (key: string): BankAccountHolder | null => {
  if (UNREGISTERED.test(key)) return null
  const hash = hashOf(key)
  const kind = taxIdKind(key)
  const name = pick(NAMES, hash)
  return {
    name: kind === 'CNPJ' ? `${name} Comércio Ltda` : name,
    document: kind === null ? cpfWithBase(digits(hash, 9)) : key,
    ispb: pick(ISPBS, hash >>> 3),
    branch: digits(hash >>> 5, 4),
    account: `${digits(hash >>> 7, 5)}-${digits(hash >>> 11, 1)}`,
    accountType: 'CORRENTE',
  }
}

import { isLeft } from '../../../core/fp.ts'
import type { PaymentNotice } from '../../../core/ports/bank.ts'
import { ask } from '../environment/process.ts'
import { type Act, some } from './cast.ts'

/** Somebody pays a title, whatever became of its charge: what is due, or anything else. */
export const pay: Act = async ({ bank, dice, trace }) => {
  const { titles, payments } = await bank.books()
  // Mostly a new one, but some are paid again and again.
  const title = some({ dice }, dice.chance(0.7) ? titles.slice(-6) : titles)
  const again = dice.chance(0.2) ? some({ dice }, payments.slice(-6)) : null
  const txid = again?.txid ?? title?.txid
  if (txid === undefined) return
  trace.note(`pay ${txid}`)
  const valueCents = dice.pick([null, null, 1, dice.between(1, 100_000)])
  await bank.pay({ txid, valueCents, endToEndId: null, payer: null })
}

/** Two payers at once. */
export const payTwice: Act = async (environment, cast, process) => {
  const { titles } = await environment.bank.books()
  const title = some(environment, titles.slice(-6))
  if (!title) return
  const order = { txid: title.txid, endToEndId: null, payer: null }
  environment.trace.note(`pay-twice ${title.txid}`)
  await Promise.all([10, 20].map((valueCents) => environment.bank.pay({ ...order, valueCents })))
  if (environment.dice.chance(0.3)) await pay(environment, cast, process)
}

/** The bank closes a title. */
export const cancel: Act = async ({ bank, dice, trace }) => {
  const { titles } = await bank.books()
  const title = some(
    { dice },
    titles.slice(-8).filter(({ cancelled }) => !cancelled),
  )
  if (!title) return
  trace.note(`cancel ${title.txid}`)
  await bank.cancel(title.txid)
}

const NEW_ID = 'E8888'

/** A bank makes a mistake: it tells what cannot be, or gives the id of one payment to another. Nobody may believe it. */
export const tellNonsense: Act = async (environment, _cast, process) => {
  const { agenda, bank, dice, trace, broken } = environment
  const { titles, payments } = await bank.books()
  const title = some(environment, titles)
  const posted = some(
    environment,
    payments.filter(({ told }) => told),
  )
  if (!title) return
  const paidAt = new Date(agenda.nowMs()).toISOString()
  const right = { txid: title.txid, endToEndId: NEW_ID, method: 'pix', valueCents: 100, paidAt, payer: null } as const
  const wrong: readonly Readonly<Record<string, unknown>>[] = [
    { valueCents: dice.pick([0, -100, 0.5, Number.NaN]) },
    { method: 'card' },
    { paidAt: 'ontem' },
    { endToEndId: '' },
    ...(posted && posted.txid !== title.txid ? [{ endToEndId: posted.endToEndId }] : []),
    ...(posted ? [{ ...posted, valueCents: posted.valueCents + 1 }] : []),
  ]
  const notice = { ...right, ...dice.pick(wrong) }
  trace.note(`nonsense ${notice.txid}`)
  const told = await ask(process, process.pay.bank.paid(notice as PaymentNotice))
  if (told && !isLeft(told)) broken.push(`nonsense was believed: ${JSON.stringify(notice)}`)
}

import { addDays, dayOf } from '../../../core/kernel/values/day.ts'
import type { ChargeChange } from '../../../core/payments/charges/change.ts'
import type { Environment } from '../environment/environment.ts'
import { ask } from '../environment/process.ts'
import { type Act, some } from './cast.ts'

/** A charge, mostly one of which the bank is being asked something: then two things are wanted at once. */
const someHeld = async (environment: Environment) => {
  const { charges: held } = await environment.snapshot()
  const asked = held.filter(({ operationId }) => operationId !== null)
  const recent = held.slice(-6)
  return some(environment, environment.dice.chance(0.5) && asked.length > 0 ? asked : recent)
}

/** Somebody wants a charge no more. */
export const deleteCharge: Act = async (environment, _, process) => {
  const charge = await someHeld(environment)
  if (!charge) return
  const outcome = await ask(process, process.pay.charges.delete(charge, charge.id))
  environment.trace.note(`delete ${charge.id}: ${outcome?._tag}`)
}

const METHODS = ['PIX', 'BOLETO', 'BOLEPIX'] as const

/** Somebody wants a charge otherwise: with another title, or with the one that it has. */
export const changeCharge: Act = async (environment, _, process) => {
  const { agenda, dice, trace } = environment
  const charge = await someHeld(environment)
  if (!charge) return
  const today = dayOf(new Date(agenda.nowMs()).toISOString())
  const change: ChargeChange = dice.pick([
    { valueCents: dice.between(1, 50_000) },
    { dueDate: addDays(today, dice.pick([0, 1, 5])) },
    { paymentMethod: dice.pick(METHODS) },
    { details: 'outro' },
  ])
  const outcome = await ask(process, process.pay.charges.update(charge, charge.id, change))
  trace.note(`change ${charge.id}: ${outcome?._tag}`)
}

import { issue } from '../../failure.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { rule } from '../../kernel/input/rules.ts'
import { id, integer, oneOf, timestamp } from '../../kernel/input/scalars.ts'
import type { Decoded } from '../../kernel/input/table.ts'
import { line } from '../../kernel/input/texts.ts'
import { view } from '../../kernel/input/view.ts'
import { uncodedResource } from '../resource.ts'
import { INTERVAL_TYPES, longestInterval, MAX_PLAN_INSTALLMENTS, mostInstallments } from './installment-days.ts'

const given = {
  description: line({ max: 255, about: 'Descrição' }),
  interval: integer({ min: 1, about: 'De quantos em quantos meses, semanas ou dias vence uma parcela' }),
  intervalType: oneOf(INTERVAL_TYPES, { about: 'Em que se conta o intervalo' }),
  installmentsCount: integer({ min: 1, max: MAX_PLAN_INSTALLMENTS, about: 'Parcelas' }),
}

/** How an amount is asked for in parts. Source: 02-billing.md, Payment plan. */
const plan = uncodedResource({ one: 'payment-plan', many: 'payment-plans', input: given, internal: {} })

/** No part may be due so late that no first due day makes it possible: with one that is known, who generates them looks again. */
const withinReach = rule<Decoded<typeof given>, keyof typeof given, 'integer.max'>(
  ['interval', 'intervalType', 'installmentsCount'],
  (schedule) => {
    const longest = longestInterval[schedule.intervalType]
    if (schedule.interval > longest) return [issue('interval', 'integer.max', { max: longest })]
    const max = mostInstallments(schedule)
    return schedule.installmentsCount > max ? [issue('installmentsCount', 'integer.max', { max })] : []
  },
)

export const paymentPlan: typeof plan = { ...plan, createInput: input('NewPaymentPlan', given, withinReach) }

export type PaymentPlan = NonNullable<Awaited<ReturnType<typeof paymentPlan.find>>>

export type NewPaymentPlan = InputOf<typeof paymentPlan.createInput>

/** A plan as the API shows it. Source: 02-billing.md, Payment plan. */
export const paymentPlanView = view(
  'PaymentPlan',
  {
    id: id({ about: 'Identificador' }),
    ...given,
    createdAt: timestamp({ about: 'Criação' }),
    updatedAt: timestamp({ about: 'Última alteração' }),
  },
  (of: PaymentPlan) => of,
)

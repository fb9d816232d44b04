import { issue } from '../../failure.ts'
import { nullIfAbsent } from '../../kernel/input/field.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { jsonText } from '../../kernel/input/json.ts'
import { rule } from '../../kernel/input/rules.ts'
import { id, integer, oneOf, timestamp } from '../../kernel/input/scalars.ts'
import type { Decoded } from '../../kernel/input/table.ts'
import { line, text } from '../../kernel/input/texts.ts'
import { view } from '../../kernel/input/view.ts'
import { addDays, addMonths, type Day } from '../../kernel/values/day.ts'
import type { Store } from '../../ports/store.ts'
import { uncodedResource } from '../resource.ts'
import type { Charge } from './charge.ts'

const groupFields = {
  name: line({ max: 255, about: 'Nome' }),
  slug: nullIfAbsent(line({ max: 255, about: 'Nome curto, único entre os grupos da conta' })),
  description: nullIfAbsent(text({ max: 2_000, about: 'Descrição' })),
  json: nullIfAbsent(jsonText({ about: 'Dados livres: um objeto, ou um texto em JSON' })),
  code: nullIfAbsent(line({ max: 50, about: 'Código de quem cadastra, único entre os grupos da conta' })),
}

/** What charges are put together in; a charge keeps the id of a group that is removed. Source: 02-billing.md, Charge groups. */
export const chargeGroup = uncodedResource({
  one: 'charge-group',
  many: 'charge-groups',
  input: groupFields,
  internal: {},
  unique: ['slug', 'code'],
  search: ['name'],
})

export type ChargeGroup = NonNullable<Awaited<ReturnType<typeof chargeGroup.find>>>

export type NewChargeGroup = InputOf<typeof chargeGroup.createInput>
export type ChargeGroupChange = InputOf<typeof chargeGroup.updateInput>

/** A group as the API shows it. Source: 02-billing.md, Charge group. */
export const chargeGroupView = view(
  'ChargeGroup',
  {
    id: id({ about: 'Identificador' }),
    ...groupFields,
    createdAt: timestamp({ about: 'Criação' }),
    updatedAt: timestamp({ about: 'Última alteração' }),
  },
  (of: ChargeGroup) => of,
)

export const INTERVAL_TYPES = ['months', 'weeks', 'days'] as const
type IntervalType = (typeof INTERVAL_TYPES)[number]

/** When the parts of a plan are due, beside the first of them. */
export interface Schedule {
  readonly interval: number
  readonly intervalType: IntervalType
  readonly installmentsCount: number
}

const MAX_MONTHS = 360
/** Thirty years have as many, or one less. */
const MAX_DAYS = 10_958
const DAYS_A_WEEK = 7

/** The most that one plan makes. Source: decisions.md §9, Others. */
export const MAX_PLAN_INSTALLMENTS = 120

const later: Readonly<Record<IntervalType, (day: Day, n: number) => Day>> = {
  months: addMonths,
  weeks: (day, n) => addDays(day, n * DAYS_A_WEEK),
  days: addDays,
}

/**
 * The due days of a plan's parts, the first one given: months keep its day, or end on their last.
 * Source: decisions.md §9, Charges (with-plan).
 */
export const installmentDays = ({ interval, intervalType, installmentsCount }: Schedule, first: Day): readonly Day[] =>
  Array.from({ length: installmentsCount }, (_, index) => later[intervalType](first, index * interval))

/** The last day on which a part may be due. Source: decisions.md §9, Others. */
export const latestDueDay = (today: Day): Day => addMonths(today, MAX_MONTHS)

/** The longest interval: as far apart as the first and the last part may be. */
export const longestInterval: Readonly<Record<IntervalType, number>> = {
  months: MAX_MONTHS,
  weeks: Math.floor(MAX_DAYS / DAYS_A_WEEK),
  days: MAX_DAYS,
}

/** How many parts there may be at most, so far apart, whenever the first is due. */
export const mostInstallments = ({ interval, intervalType }: Omit<Schedule, 'installmentsCount'>): number =>
  Math.floor(longestInterval[intervalType] / interval) + 1

const planFields = {
  description: line({ max: 255, about: 'Descrição' }),
  interval: integer({ min: 1, about: 'De quantos em quantos meses, semanas ou dias vence uma parcela' }),
  intervalType: oneOf(INTERVAL_TYPES, { about: 'Em que se conta o intervalo' }),
  installmentsCount: integer({ min: 1, max: MAX_PLAN_INSTALLMENTS, about: 'Parcelas' }),
}

/** How an amount is asked for in parts. Source: 02-billing.md, Payment plan. */
const plan = uncodedResource({ one: 'payment-plan', many: 'payment-plans', input: planFields, internal: {} })

/** No part may be due so late that no first due day makes it possible: with one that is known, who generates them looks again. */
const withinReach = rule<Decoded<typeof planFields>, keyof typeof planFields, 'integer.max'>(
  ['interval', 'intervalType', 'installmentsCount'],
  (schedule) => {
    const longest = longestInterval[schedule.intervalType]
    if (schedule.interval > longest) return [issue('interval', 'integer.max', { max: longest })]
    const max = mostInstallments(schedule)
    return schedule.installmentsCount > max ? [issue('installmentsCount', 'integer.max', { max })] : []
  },
)

export const paymentPlan: typeof plan = { ...plan, createInput: input('NewPaymentPlan', planFields, withinReach) }

export type PaymentPlan = NonNullable<Awaited<ReturnType<typeof paymentPlan.find>>>

export type NewPaymentPlan = InputOf<typeof paymentPlan.createInput>

/** A plan as the API shows it. Source: 02-billing.md, Payment plan. */
export const paymentPlanView = view(
  'PaymentPlan',
  {
    id: id({ about: 'Identificador' }),
    ...planFields,
    createdAt: timestamp({ about: 'Criação' }),
    updatedAt: timestamp({ about: 'Última alteração' }),
  },
  (of: PaymentPlan) => of,
)

type Named = Pick<Charge, 'chargeGroupId' | 'paymentPlanId'>

/** What a charge names; null where it names none, and where the account has none of that id. */
export interface References {
  readonly group: ChargeGroup | null
  readonly plan: PaymentPlan | null
}

export const readReferences = async (
  store: Store,
  accountId: number,
  { chargeGroupId = null, paymentPlanId = null }: Partial<Named>,
): Promise<References> => ({
  group: chargeGroupId === null ? null : await chargeGroup.find(store, accountId, chargeGroupId),
  plan: paymentPlanId === null ? null : await paymentPlan.find(store, accountId, paymentPlanId),
})

/** Fails: `unknown` for what is named and not there. Source: decisions.md §9, Charges. */
export const referenceIssues = ({ group, plan }: References, { chargeGroupId, paymentPlanId }: Named) => [
  ...(chargeGroupId !== null && !group ? [issue('chargeGroupId', 'unknown')] : []),
  ...(paymentPlanId !== null && !plan ? [issue('paymentPlanId', 'unknown')] : []),
]

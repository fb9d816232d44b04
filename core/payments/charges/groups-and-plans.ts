import { issue } from '../../failure.ts'
import {
  type Decoded,
  type InputOf,
  input,
  integer,
  jsonText,
  line,
  nullIfAbsent,
  oneOf,
  rule,
  text,
} from '../../kernel/input/mod.ts'
import type { RecordOf } from '../../kernel/resources/resource.ts'
import { addDays, addMonths, type Day } from '../../kernel/values/day.ts'
import type { Store } from '../../ports/store.ts'
import { uncodedResource } from '../payments-ports.ts'
import type { Charge } from './charge.ts'

const groupFields = {
  name: line({ max: 255, about: 'Nome' }),
  slug: nullIfAbsent(line({ max: 255, about: 'Nome curto, único entre os grupos da conta' })),
  description: nullIfAbsent(text({ max: 2_000, about: 'Descrição' })),
  json: nullIfAbsent(jsonText({ about: 'Dados livres: um objeto, ou um texto em JSON' })),
  code: nullIfAbsent(line({ max: 50, about: 'Código de quem cadastra, único entre os grupos da conta' })),
}

/** A group of charges. A charge keeps the id of its group after the group is removed. */
export const chargeGroup = uncodedResource({
  one: 'charge-group',
  many: 'charge-groups',
  input: groupFields,
  internal: {},
  unique: ['slug', 'code'],
  search: ['name'],
})

export type ChargeGroup = RecordOf<typeof chargeGroup>
export type NewChargeGroup = InputOf<typeof chargeGroup.createInput>
export type ChargeGroupChange = InputOf<typeof chargeGroup.updateInput>

const INTERVAL_TYPES = ['months', 'weeks', 'days'] as const
type IntervalType = (typeof INTERVAL_TYPES)[number]

/** The due days of a plan's installments, relative to the first. */
export interface Schedule {
  readonly interval: number
  readonly intervalType: IntervalType
  readonly installmentsCount: number
}

const MAX_MONTHS = 360
/** The days of thirty years, at most. */
const MAX_DAYS = 10_958
const DAYS_A_WEEK = 7
const MAX_PLAN_INSTALLMENTS = 120

const later: Readonly<Record<IntervalType, (day: Day, n: number) => Day>> = {
  months: addMonths,
  weeks: (day, n) => addDays(day, n * DAYS_A_WEEK),
  days: addDays,
}

/** Returns the due days of a plan's installments: monthly ones on the day of the first, or the last of the month. */
export const installmentDays = ({ interval, intervalType, installmentsCount }: Schedule, first: Day): readonly Day[] =>
  Array.from({ length: installmentsCount }, (_, index) => later[intervalType](first, index * interval))

/** Returns the latest due day of an installment: thirty years from today. */
export const latestDueDay = (today: Day): Day => addMonths(today, MAX_MONTHS)

/** The longest interval, by its unit: thirty years. */
const longestInterval: Readonly<Record<IntervalType, number>> = {
  months: MAX_MONTHS,
  weeks: Math.floor(MAX_DAYS / DAYS_A_WEEK),
  days: MAX_DAYS,
}

/** Returns the maximum number of installments with an interval, for any first due day. */
export const mostInstallments = ({ interval, intervalType }: Omit<Schedule, 'installmentsCount'>): number =>
  Math.floor(longestInterval[intervalType] / interval) + 1

const planFields = {
  description: line({ max: 255, about: 'Descrição' }),
  interval: integer({ min: 1, about: 'De quantos em quantos meses, semanas ou dias vence uma parcela' }),
  intervalType: oneOf(INTERVAL_TYPES, { about: 'Em que se conta o intervalo' }),
  installmentsCount: integer({ min: 1, max: MAX_PLAN_INSTALLMENTS, about: 'Parcelas' }),
}

/** A plan that splits an amount into charges with regular due days. */
const plan = uncodedResource({ one: 'payment-plan', many: 'payment-plans', input: planFields, internal: {} })

/** Rejects plans longer than thirty years. The due days of one plan are checked again when its charges are issued. */
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

export type PaymentPlan = RecordOf<typeof paymentPlan>
export type NewPaymentPlan = InputOf<typeof paymentPlan.createInput>

type Named = Pick<Charge, 'chargeGroupId' | 'paymentPlanId'>

/** The records that a charge references; null without a reference, and if the account has no such record. */
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

/** Returns `unknown` for each reference without a record. */
export const referenceIssues = (
  { group, plan }: References,
  { chargeGroupId = null, paymentPlanId = null }: Partial<Named>,
) => [
  ...(chargeGroupId !== null && !group ? [issue('chargeGroupId', 'unknown')] : []),
  ...(paymentPlanId !== null && !plan ? [issue('paymentPlanId', 'unknown')] : []),
]

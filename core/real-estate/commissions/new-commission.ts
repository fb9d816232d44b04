import { optional } from '../../kernel/input/field.ts'
import { type DecodedOf, type InputOf, input } from '../../kernel/input/input.ts'
import { exactlyOne } from '../../kernel/input/rules.ts'
import { oneOf } from '../../kernel/input/scalars.ts'
import { percentOf } from '../percent.ts'
import { COMMISSION_STATUSES, commissionFields } from '../records/commission.ts'
import type { Contract } from '../records/contract.ts'
import { notes } from '../records/fields.ts'

/** What makes a commission, and what a PUT says: a value or a percentage. Source: 03-real-estate.md, POST /api/commissions. */
export const newCommission = input('NewCommission', commissionFields, exactlyOne('valueCents', 'percentage'))
export type NewCommission = InputOf<typeof newCommission>

/** To which state a commission is moved. Source: 03-real-estate.md, PATCH /api/commissions/{id}/status. */
export const commissionMove = input('CommissionMove', {
  status: oneOf(COMMISSION_STATUSES, { about: 'Situação' }),
  notes: optional(notes),
})
export type CommissionMove = InputOf<typeof commissionMove>

/** Cents that a commission is worth: as was said, or its percentage of the contract's value, half up. Source: decisions.md §10, Figures. */
export const worthOf = (
  { valueCents, percentage }: Pick<DecodedOf<typeof newCommission>, 'valueCents' | 'percentage'>,
  { valueCents: ofContract }: Pick<Contract, 'valueCents'>,
): number => valueCents ?? percentOf(ofContract, percentage ?? 0)

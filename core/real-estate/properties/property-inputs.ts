import { input } from '../../kernel/input/input.ts'
import { requiredWhen } from '../../kernel/input/rules.ts'
import { oneOf } from '../../kernel/input/scalars.ts'
import { reason } from '../records/fields.ts'
import { PROPERTY_STATUSES, propertyFields } from '../records/property.ts'

/** What makes a property, and what a PUT says: it has the price of whatever it is for. Source: 03-real-estate.md, Properties. */
export const newProperty = input(
  'NewProperty',
  propertyFields,
  requiredWhen(['rentPriceCents'], 'purpose', 'Lease', 'Both'),
  requiredWhen(['salePriceCents'], 'purpose', 'Sale', 'Both'),
)

/** Where a property is moved, and why. Source: 03-real-estate.md, Properties. */
export const propertyMove = input('PropertyMove', {
  status: oneOf(PROPERTY_STATUSES, { about: 'Situação' }),
  reason,
})

import { type Property, property } from '../../../core/real-estate/records/property.ts'
import { freshAt } from './fresh-at.ts'

const NO_PARTS = { complement: null, neighborhood: null }

/** A flat for lease and sale with the required fields. */
export const aProperty = (over: Partial<Property> = {}): Property => ({
  ...property.build(
    'company',
    {
      code: 'AP-1',
      type: 'Apartment',
      purpose: 'Both',
      description: null,
      address: { street: 'Rua A', number: '1', ...NO_PARTS, city: 'Santos', state: 'SP', zipCode: '11010000' },
      ...{ bedrooms: null, bathrooms: null, parkingSpots: null, privateArea: null, totalArea: null },
      ...{ rentPriceCents: 1, salePriceCents: 1, condoFeeCents: null, annualIptuCents: null },
      ...{ ownerId: 'owner', brokerId: null, condominiumId: null, idealFraction: null },
      ...{ images: [], floorPlanUrl: null },
    },
    freshAt('2026-11-23T13:05:09.123Z'),
  ).record,
  ...over,
})

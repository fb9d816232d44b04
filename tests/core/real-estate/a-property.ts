import { type Property, property } from '../../../core/real-estate/records/property.ts'
import { freshAt } from './fresh-at.ts'

/** A flat for lease and sale with the required fields. */
export const aProperty = (over: Partial<Property> = {}): Property => ({
  ...property.build(
    'company',
    {
      code: 'AP-1',
      type: 'Apartment',
      purpose: 'Both',
      description: null,
      address: {
        street: 'Rua A',
        number: '1',
        complement: null,
        neighborhood: null,
        city: 'Santos',
        state: 'SP',
        zipCode: '11010000',
      },
      bedrooms: null,
      bathrooms: null,
      parkingSpots: null,
      privateArea: null,
      totalArea: null,
      rentPriceCents: 1,
      salePriceCents: 1,
      condoFeeCents: null,
      annualIptuCents: null,
      brokerId: null,
      ownerId: 'owner',
      condominiumId: null,
      images: [],
      floorPlanUrl: null,
      idealFraction: null,
    },
    freshAt('2026-11-23T13:05:09.123Z'),
  ).record,
  ...over,
})

import { plainUseCases } from '../../kernel/resources/plain-use-cases.ts'
import type { PaymentsModule } from '../payments-ports.ts'
import { chargeGroup } from './charge-group.ts'

/** The groups of an account’s charges. */
export const groups = {
  collections: [chargeGroup.collection],
  useCases: plainUseCases(chargeGroup),
} satisfies PaymentsModule

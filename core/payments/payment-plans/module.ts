import { plainUseCases } from '../../kernel/resources/plain-use-cases.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { paymentPlan } from './payment-plan.ts'

/** How an account asks for an amount in parts. */
export const plans = {
  collections: [paymentPlan.collection],
  useCases: (ports: PaymentsPorts) => {
    // A plan is changed as a whole: how far it reaches, its fields say together.
    const { update: _, ...plans } = plainUseCases(paymentPlan)(ports)
    return plans
  },
} satisfies PaymentsModule

import type { AcquirerNotifications } from '../../../ports/acquirer.ts'
import type { PaymentsModule, PaymentsPorts } from '../../payments-ports.ts'
import { chargeCard } from './charge-card.ts'
import { takeDecision } from './take-decision.ts'

/** Where an acquirer tells what it has decided: `await pay.cards.decided(notice)()`. */
export const cards = {
  operations: (ports: PaymentsPorts) => [chargeCard(ports)],
  useCases: (ports: PaymentsPorts) =>
    ({
      /**
       * Takes what an acquirer has decided of a card that it had left pending, by our own id there: posted once, however often
       * it is told; what was approved for a charge that nobody is to pay any more is given back.
       * Fails: `fields` (by the notice's own names), `charge.unknown`.
       * Source: decisions.md §4, §9 and §11.
       */
      decided: takeDecision(ports),
    }) satisfies AcquirerNotifications,
} satisfies PaymentsModule

import { isLeft } from '../../fp.ts'
import {
  mapUseCase,
  operationUseCase,
  startOperation,
  useCaseOf,
  withValidInput,
} from '../../kernel/running/use-case.ts'
import { dayOf } from '../../kernel/values/day.ts'
import type { Store } from '../../ports/store.ts'
import { networkOfTry } from '../access/codes/code-tries.ts'
import { cardOf } from '../cards/card.ts'
import { waitingForCards } from '../cards/card-tries.ts'
import type { ChargeDetail } from '../charges/find-charge.ts'
import { askForCharge, resumeCharge } from '../charges/issue/ask-for-charge.ts'
import { readChargeFacts, withCardTries } from '../charges/issue/decide-charge.ts'
import { readLinkPlaces } from '../charges/link-places.ts'
import type { PaymentLink } from '../links/link/link.ts'
import type { LinkMethod } from '../links/link/link-fields.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { decidePayment, METHODS, type PaymentFacts } from './decide-payment.ts'
import { readPayer } from './link-payer.ts'
import { type CheckedPayment, type LinkPayment, linkPayment } from './link-payment.ts'
import { findOpenLink, type LinkKey, openedLink } from './link-state.ts'

/** What a payer has begun: the charge, with what it is paid by. */
export interface PaymentOfLink extends ChargeDetail {
  readonly method: LinkMethod
  /** Where the payer goes once it is paid; null where the link names no place. */
  readonly successUrl: string | null
}

/**
 * Pays by a link: makes a charge of its account and asks the bank, or the acquirer, at once. A payer with an open charge of the same
 * method and amount gets it again.
 * Fails: `link.throttled`, `card.throttled`, `card.waiting`, `link.unknown`, `link.token`, `link.over`, `link.paid`, `link.used-up`, `link.processing` and as issuing a charge does;
 * what is wrong with the value names the amount. Source: 02-billing.md, Public payer routes; decisions.md §9, Links.
 */
export const payLink = (ports: PaymentsPorts) => (by: LinkKey, given: LinkPayment) =>
  withValidInput(ports, linkPayment, given, (asked) =>
    useCaseOf<PaymentOfLink>()(async (hooks) => {
      const opened = openedLink(ports.cipher, await findOpenLink(ports.store, by.id), by, ports.clock.steady())
      if (isLeft(opened)) return opened
      return mapUseCase(paying(ports, by, asked, opened.right.link.accountId), (detail) => ({
        ...detail,
        method: asked.paymentMethod,
        successUrl: successUrlOf(opened.right.link, detail),
      }))(hooks)
    }),
  )

const paying = (ports: PaymentsPorts, by: LinkKey, asked: CheckedPayment, accountId: number) =>
  operationUseCase(
    waitingForCards(
      ports,
      accountId,
      startOperation(
        ports,
        (store) => readFacts(ports, store, by, asked),
        (facts, fresh) => decidePayment(ports, facts, by, asked, fresh),
      ),
    ),
    (begun) =>
      'isOpen' in begun
        ? resumeCharge(ports)(begun.intent)
        : askForCharge(ports, begun, asked.card && cardOf(asked.card)),
    resumeCharge(ports),
  )

const readFacts = async (
  ports: PaymentsPorts,
  store: Store,
  { id, origin }: LinkKey,
  { payer, paymentMethod, card }: CheckedPayment,
): Promise<PaymentFacts> => {
  const open = await findOpenLink(store, id)
  const issuer = { userId: open?.link.createdBy ?? 0, accountId: open?.link.accountId ?? 0 }
  const charge = await readChargeFacts(store, issuer, { payer, paymentMethod: METHODS[paymentMethod] })
  const network = networkOfTry(origin)
  const charged = paymentMethod === 'CARD' ? card : null
  return {
    open,
    charge: await withCardTries(ports, store, charge, { payer, card: charged }, network),
    payer: await readPayer(store, id, charge.client?.id ?? null),
    places: await readLinkPlaces(ports, store, id, network, dayOf(ports.clock.steady())),
  }
}

/** Source: decisions.md §9, Links: `client_id` is appended where the link says so. */
export const successUrlOf = (
  { successUrl, sendClientId }: Pick<PaymentLink, 'successUrl' | 'sendClientId'>,
  { client }: Pick<ChargeDetail, 'client'>,
): string | null => {
  if (successUrl === null || !sendClientId) return successUrl
  const [address = '', ...fragment] = successUrl.split('#')
  const separator = address.includes('?') ? '&' : '?'
  return [`${address}${separator}client_id=${client.id}`, ...fragment].join('#')
}

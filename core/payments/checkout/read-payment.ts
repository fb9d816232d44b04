import { isLeft, right } from '../../fp.ts'
import { useCaseOf } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import { type PublicCharge, readPublicCharge } from '../charges/read-charge.ts'
import { links } from '../links/link/link.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { successUrlOf } from './pay-link.ts'

/** A charge as its payer sees it, and where its link sends whoever has paid; null where none does. */
export interface PayableCharge extends PublicCharge {
  readonly successUrl: string | null
}

/** Fails: `fields`, `charge.unknown`. Source: 02-billing.md, Public payer routes; decisions.md §9, Links. */
export const readPayment = (ports: PaymentsPorts) => (code: string) =>
  useCaseOf<PayableCharge>()(async () => {
    const found = await readPublicCharge(ports)({ code })()
    if (isLeft(found)) return found
    const { linkId } = found.right.charge
    const link = linkId === null ? null : await ports.store.find(byId(links, linkId))
    return right({ ...found.right, successUrl: link && successUrlOf(link, found.right) })
  })

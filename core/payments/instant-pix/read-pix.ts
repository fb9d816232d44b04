import { failure } from '../../failure.ts'
import { left, right } from '../../fp.ts'
import { useCaseOf } from '../../kernel/running/use-case.ts'
import { parseId } from '../../kernel/values/text.ts'
import type { Actor } from '../actor.ts'
import { pixOf } from '../charges/charge-view.ts'
import { type ChargeDetail, findCharge } from '../charges/find-charge.ts'
import type { PaymentsPorts } from '../payments-ports.ts'

/** A Pix with its code drawn; null while the bank has not answered. */
export interface DrawnPix extends ChargeDetail {
  readonly qrPng: Uint8Array | null
}

export const drawn = async (
  { qrRenderer }: Pick<PaymentsPorts, 'qrRenderer'>,
  detail: ChargeDetail,
): Promise<DrawnPix> => {
  const code = pixOf(detail)?.qrcode ?? null
  return { ...detail, qrPng: code === null ? null : await qrRenderer.qrPng(code) }
}

/** A Pix charge of the account, by its txid or id. Fails: `instant-pix.unknown`. */
export const readPix =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, txidOrId: string) =>
    useCaseOf<DrawnPix>()(async () => {
      const id = parseId(txidOrId)
      const detail = await findCharge(ports, id === null ? { txid: txidOrId } : { id })
      const isShown =
        detail?.charge.accountId === accountId &&
        detail.charge.paymentMethod === 'PIX' &&
        detail.charge.status !== 'DELETED'
      return detail && isShown ? right(await drawn(ports, detail)) : left(failure('not-found', 'instant-pix.unknown'))
    })

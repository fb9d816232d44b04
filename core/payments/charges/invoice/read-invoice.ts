import { failure } from '../../../failure.ts'
import { left, right } from '../../../fp.ts'
import { type UseCase, useCaseOf } from '../../../kernel/running/use-case.ts'
import { byId } from '../../../ports/store.ts'
import { type Account, accounts } from '../../accounts/account.ts'
import { images } from '../../office.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type ChargeDetail, findCharge, isPayerVeiled } from '../find-charge.ts'
import { invoiceOf } from './invoice.ts'

/** The page of a charge, and of which. */
export interface InvoicePdf {
  readonly id: number
  readonly pdf: Uint8Array
}

const logoOf = async (ports: PaymentsPorts, { logoFileId }: Account): Promise<Uint8Array | null> => {
  const logo = logoFileId === null ? null : await images.open(ports, 'logo', logoFileId)
  if (!logo) return null
  const bytes = new Uint8Array(logo.sizeBytes)
  let at = 0
  for await (const chunk of logo.chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

const pdfOf = async (ports: PaymentsPorts, detail: ChargeDetail, account: Account): Promise<InvoicePdf> => ({
  id: detail.charge.id,
  pdf: await ports.invoiceRenderer.invoicePdf(invoiceOf(detail, account, await logoOf(ports, account))),
})

/** The page of a charge, whatever it is paid by. Source: 02-billing.md, Charges; decisions.md §9. */
export const readInvoice =
  (ports: PaymentsPorts) =>
  (detail: ChargeDetail): UseCase<InvoicePdf, 'account.unknown'> =>
  async () => {
    const account = await ports.store.find(byId(accounts, detail.charge.accountId))
    return account ? right(await pdfOf(ports, detail, account)) : left(failure('not-found', 'account.unknown'))
  }

/** The payer on the page of a boleto whose client a payment link's caller named. */
const HIDDEN = 'Não exibido: o beneficiário sabe quem paga.'

const veiled = (detail: ChargeDetail): ChargeDetail => {
  const { charge, client } = detail
  return {
    ...detail,
    charge: { ...charge, address: null },
    client: { ...client, name: HIDDEN, document: null, address: null },
  }
}

const TXID = /^[a-zA-Z0-9]+$/

/**
 * The page of a boleto that has this txid, for whoever has it. Fails: `boleto.name`, where it is no txid; `boleto.unknown`,
 * where it is of no boleto and where the charge, or its account, is deleted. Source: 02-billing.md, Public payer routes; decisions.md §9.
 */
export const readBoletoInvoice = (ports: PaymentsPorts) => (txid: string) =>
  useCaseOf<InvoicePdf>()(async () => {
    if (!TXID.test(txid)) return left(failure('refused', 'boleto.name'))
    const detail = await findCharge(ports, { txid })
    const account = detail?.charge.boleto && (await ports.store.find(byId(accounts, detail.charge.accountId)))
    const isThere = account && account.removedAt === null && detail?.charge.status !== 'DELETED'
    if (!detail || !isThere) return left(failure('not-found', 'boleto.unknown'))
    return right(await pdfOf(ports, isPayerVeiled(detail) ? veiled(detail) : detail, account))
  })

import { nullable } from '../../kernel/input/field.ts'
import { pick } from '../../kernel/input/table.ts'
import { output, view } from '../../kernel/input/view.ts'
import { encodeBase64 } from '../../kernel/values/encoding.ts'
import { payeeView, payeeWithLogoView } from '../accounts/views.ts'
import { type Client, payerFields } from '../customers/client.ts'
import { chargeFields } from './charge-fields.ts'
import { chargeView, pixFields, pixOf, pixStatus } from './charge-view.ts'
import { type ChargeDetail, isPayerVeiled } from './find-charge.ts'
import type { PublicCharge } from './read-charge.ts'

const imageOf = ({ qrPng }: Pick<PublicCharge, 'qrPng'>): string | null =>
  qrPng && `data:image/png;base64,${encodeBase64(qrPng)}`

const image = nullable(output.text({ about: 'QR code em PNG, como data URL' }))

const drawnPixView = view(
  'DrawnPix',
  { ...pixFields, image },
  (pix: NonNullable<ReturnType<typeof pixOf>> & { readonly image: string | null }) => pix,
)

const { pix: _, ...plainTable } = chargeView.table

/**
 * A charge as its payer sees it, its Pix drawn. The caller of a payment link may name any client of its account, by an id or a
 * document, and its answers show none. Source: 02-billing.md, Public payer routes; decisions.md §9, Exposure.
 */
export const publicChargeView = view(
  'PublicCharge',
  {
    ...plainTable,
    client: nullable(plainTable.client),
    pix: nullable(
      output.view(drawnPixView, {
        about: 'Pix; null onde a cobrança não se paga por Pix, e enquanto o banco não responde',
      }),
    ),
  },
  (found: PublicCharge) => {
    const { pix, ...rest } = chargeView.of(found)
    const known = found.charge.linkId === null ? rest.client : null
    return { ...rest, client: known, pix: pix && { ...pix, image: imageOf(found) } }
  },
)

/** The same with whom it pays. */
export const publicChargePayeeView = view(
  'PublicChargeWithPayee',
  { ...publicChargeView.table, payee: output.view(payeeWithLogoView, { wire: 'account', about: 'Quem recebe' }) },
  (found: PublicCharge) => ({ ...publicChargeView.of(found), payee: found }),
)

const { client: _client, ...unnamedTable } = chargeView.table

/** `m***@example.com`. */
const maskedEmail = (email: string): string => {
  const [first = ''] = email
  return `${first}***${email.slice(email.lastIndexOf('@'))}`
}

const debtorView = view(
  'Debtor',
  {
    name: payerFields.name,
    document: nullable(payerFields.document),
    email: nullable(output.text({ about: 'E-mail, só a primeira letra e o domínio' })),
  },
  ({ name, document, email }: Client) => ({ name, document, email: email && maskedEmail(email) }),
)

/** A charge in the list of a document's open charges. Source: 02-billing.md, Public payer routes. */
export const owedChargeView = view(
  'OwedCharge',
  { ...unnamedTable, client: output.view(debtorView, { about: 'Quem paga' }) },
  (found: ChargeDetail) => chargeView.of(found),
)

/** A charge that was found by its boleto; its payer is hidden if a payment link's caller named them. */
export const foundChargeView = view(
  'FoundCharge',
  { ...unnamedTable, client: nullable(chargeView.table.client) },
  (found: ChargeDetail) => ({ ...chargeView.of(found), client: isPayerVeiled(found) ? null : found.client }),
)

/** A Pix that is asked for by its txid. Source: 02-billing.md, Public payer routes. */
export const publicPixView = view(
  'PublicPix',
  {
    ...pick(pixFields, 'txid', 'qrcode'),
    image,
    status: pixFields.status,
    valueCents: chargeFields.valueCents,
    payee: output.view(payeeView, { wire: 'account', about: 'Quem recebe' }),
  },
  (found: PublicCharge) => ({
    // What was found by its txid has one.
    txid: found.charge.txid ?? '',
    qrcode: pixOf(found)?.qrcode ?? null,
    image: imageOf(found),
    status: pixStatus(found),
    valueCents: found.charge.valueCents,
    payee: found.account,
  }),
)

import { nullable } from '../../kernel/input/codec.ts'
import { shown } from '../../kernel/input/fields/shown.ts'
import { pick } from '../../kernel/input/table.ts'
import { view } from '../../kernel/input/view.ts'
import { base64OfBytes } from '../../kernel/values/base64.ts'
import { accountFields } from '../accounts/account-fields.ts'
import { chargeFields } from './charge-fields.ts'
import { chargeView, pixFields, pixOf, pixStatus } from './charge-view.ts'
import type { Payee, PublicCharge } from './read-charge.ts'

const imageOf = ({ qrPng }: Pick<PublicCharge, 'qrPng'>): string | null =>
  qrPng && `data:image/png;base64,${base64OfBytes(qrPng)}`

const image = nullable(shown.text({ about: 'QR code em PNG, como data URL' }))

const payeeView = view('Payee', pick(accountFields, 'name', 'email', 'document'), (payee: Payee) => payee)

const payeeWithLogoView = view(
  'PayeeWithLogo',
  { ...payeeView.table, pathLogo: nullable(shown.text({ about: 'Endereço do logotipo' })) },
  ({ account, logoUrl }: Pick<PublicCharge, 'account' | 'logoUrl'>) => ({ ...account, pathLogo: logoUrl }),
)

const drawnPixView = view(
  'DrawnPix',
  { ...pixFields, image },
  (pix: NonNullable<ReturnType<typeof pixOf>> & { readonly image: string | null }) => pix,
)

const { pix: _, ...plainTable } = chargeView.table

/** A charge as whoever is to pay it sees it, its Pix drawn. Source: 02-billing.md, Public payer routes. */
export const publicChargeView = view(
  'PublicCharge',
  { ...plainTable, pix: nullable(shown.view(drawnPixView, { about: 'Pix; null enquanto o banco não responde' })) },
  (found: PublicCharge) => {
    const { pix, ...rest } = chargeView.of(found)
    return { ...rest, pix: pix && { ...pix, image: imageOf(found) } }
  },
)

/** The same with whom it pays. */
export const publicChargePayeeView = view(
  'PublicChargeWithPayee',
  { ...publicChargeView.table, payee: shown.view(payeeWithLogoView, { wire: 'account', about: 'Quem recebe' }) },
  (found: PublicCharge) => ({ ...publicChargeView.of(found), payee: found }),
)

/** A Pix that is asked for by its txid. Source: 02-billing.md, Public payer routes. */
export const publicPixView = view(
  'PublicPix',
  {
    ...pick(pixFields, 'txid', 'qrcode'),
    image,
    status: pixFields.status,
    valueCents: chargeFields.valueCents,
    payee: shown.view(payeeView, { wire: 'account', about: 'Quem recebe' }),
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

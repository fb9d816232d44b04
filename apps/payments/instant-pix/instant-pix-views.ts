import { nullable, perSide } from '../../../core/kernel/input/field.ts'
import { id, timestamp } from '../../../core/kernel/input/scalars.ts'
import { type AnyView, output, view } from '../../../core/kernel/input/view.ts'
import { encodeBase64 } from '../../../core/kernel/values/encoding.ts'
import { type PageOf, pageMeta } from '../../../core/kernel/values/page.ts'
import { chargeFields } from '../../../core/payments/charges/charge.ts'
import { pixFields, pixOf, pixStatus } from '../../../core/payments/charges/views.ts'
import type { ListedPix, OpenCode, PaidPix, PixWithImage } from '../../../core/payments/instant-pix/instant-pix.ts'
import { UNNAMED_PAYER } from '../../../core/payments/instant-pix/instant-pix.ts'
import type { Entry } from '../../../core/payments/ledger/ledger.ts'

const fields = {
  id: id({ about: 'Identificador' }),
  txid: pixFields.txid,
  valueCents: chargeFields.valueCents,
  qrcode: pixFields.qrcode,
  status: pixFields.status,
  createdAt: timestamp({ about: 'Criação' }),
  updatedAt: timestamp({ about: 'Última alteração' }),
  image: nullable(output.text({ about: 'QR code em PNG, como data URL' })),
}

const of = (pix: PixWithImage) => ({
  id: pix.charge.id,
  txid: pix.charge.txid ?? '',
  valueCents: pix.charge.valueCents,
  qrcode: pixOf(pix)?.qrcode ?? null,
  status: pixStatus(pix),
  createdAt: pix.charge.createdAt,
  updatedAt: pix.charge.updatedAt,
  image: pix.qrPng && `data:image/png;base64,${encodeBase64(pix.qrPng)}`,
})

const { status, updatedAt, ...madeFields } = fields
const madeView = view('InstantPix', madeFields, of)

export const madeReply = view(
  'MadeInstantPix',
  { success: output.json({ about: 'Sempre verdadeiro' }), pix: output.view(madeView, { about: 'O Pix' }) },
  (pix: PixWithImage) => ({ success: true, pix }),
)

const { id: _, ...knownFields } = fields
const nobody = { name: null, email: null, document: null }
const payerOf = ({ client }: PixWithImage) => (client.document === UNNAMED_PAYER.document ? nobody : client)

export const knownView = view(
  'KnownInstantPix',
  {
    ...knownFields,
    name: nullable(output.text({ about: 'Nome de quem paga' })),
    email: nullable(output.text({ about: 'E-mail de quem paga' })),
    document: nullable(output.text({ about: 'Documento de quem paga' })),
  },
  (pix: PixWithImage) => {
    const { name, email, document } = payerOf(pix)
    return { ...of(pix), name, email, document }
  },
)

const { updatedAt: ___, ...listedFields } = fields
const listedView = view('ListedInstantPix', listedFields, of)

const pageView = view(
  'InstantPixPage',
  {
    data: output.views(listedView, { about: 'Os Pix' }),
    currentPage: output.count({ about: 'Esta página, a partir de 1' }),
    lastPage: output.count({ about: 'A última página' }),
    perPage: output.count({ about: 'Registros por página' }),
    total: output.count({ about: 'Registros ao todo' }),
  },
  ({ records, page, perPage, total }: PageOf<PixWithImage>) => ({
    data: records,
    currentPage: page,
    lastPage: pageMeta({ page, perPage, total }).last_page,
    perPage,
    total,
  }),
)

const paymentView = view(
  'InstantPixPayment',
  {
    id: id({ about: 'Identificador da transação' }),
    valueCents: output.money({ wire: 'value', about: 'Valor pago' }),
    datetime: timestamp({ about: 'Quando foi lançado' }),
  },
  (entry: Entry) => entry,
)

const paidView = view(
  'PaidInstantPix',
  { ...listedFields, transactions: output.views(paymentView, { about: 'O que foi pago dele' }) },
  (pix: PaidPix) => ({ ...of(pix), transactions: pix.transactions }),
)

/** Many or one: the same route answers both. */
export const eitherView: AnyView<ListedPix> = {
  name: null,
  on: perSide((side) => {
    const [many, one] = [pageView.on(side), paidView.on(side)]
    return {
      schema: { anyOf: [many.schema, one.schema] },
      encode: (found) => ('records' in found ? many.encode(found) : one.encode(found)),
    }
  }),
}

const payloadView = view(
  'OpenPixCode',
  { payload: output.text({ about: 'Pix copia e cola sem valor: quem paga o escolhe' }) },
  (code: OpenCode) => code,
)

export const openCodeReply = view(
  'OpenPixCodeReply',
  { success: output.json({ about: 'Sempre verdadeiro' }), data: output.view(payloadView, { about: 'O código' }) },
  (data: OpenCode) => ({ success: true, data }),
)

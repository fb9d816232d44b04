import { type AnyView, id, nullable, output, perSide, pick, timestamp, view } from '../../core/kernel/input/mod.ts'
import { encodeBase64 } from '../../core/kernel/values/encoding.ts'
import { chargeFields } from '../../core/payments/charges/charge.ts'
import { pixFields, pixOf, pixStatus } from '../../core/payments/charges/detail.ts'
import { UNNAMED_PAYER } from '../../core/payments/customers/client.ts'
import {
  instantPixFilter,
  type ListedPix,
  newInstantPix,
  type OpenCode,
  type PaidPix,
  type PixWithImage,
} from '../../core/payments/instant-pix.ts'
import type { Entry } from '../../core/payments/ledger/ledger.ts'
import type { PageOf } from '../../core/ports/store.ts'
import { json } from '../http/replies/json-reply.ts'
import { text } from '../http/replies/raw-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { pageFields, pagePosition, route, succeedWith } from './api.ts'

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

const valuesOf = (pix: PixWithImage) => ({
  id: pix.charge.id,
  txid: pix.charge.txid ?? '',
  valueCents: pix.charge.valueCents,
  qrcode: pixOf(pix)?.qrcode ?? null,
  status: pixStatus(pix),
  createdAt: pix.charge.createdAt,
  updatedAt: pix.charge.updatedAt,
  image: pix.qrPng && `data:image/png;base64,${encodeBase64(pix.qrPng)}`,
})

const issuedView = view(
  'InstantPix',
  pick(fields, 'id', 'txid', 'valueCents', 'qrcode', 'createdAt', 'image'),
  valuesOf,
)

const issuedReply = view(
  'MadeInstantPix',
  { success: output.json({ about: 'Sempre verdadeiro' }), pix: output.view(issuedView, { about: 'O Pix' }) },
  (pix: PixWithImage) => ({ success: true, pix }),
)

const UNKNOWN_PAYER = { name: null, email: null, document: null }
const payerOf = ({ client }: PixWithImage) => (client.document === UNNAMED_PAYER.document ? UNKNOWN_PAYER : client)

const readView = view(
  'KnownInstantPix',
  {
    ...pick(fields, 'txid', 'valueCents', 'qrcode', 'status', 'createdAt', 'updatedAt', 'image'),
    name: nullable(output.text({ about: 'Nome de quem paga' })),
    email: nullable(output.text({ about: 'E-mail de quem paga' })),
    document: nullable(output.text({ about: 'Documento de quem paga' })),
  },
  (pix: PixWithImage) => {
    const { name, email, document } = payerOf(pix)
    return { ...valuesOf(pix), name, email, document }
  },
)

const listedFields = pick(fields, 'id', 'txid', 'valueCents', 'qrcode', 'status', 'createdAt', 'image')
const listedView = view('ListedInstantPix', listedFields, valuesOf)

const pageView = view(
  'InstantPixPage',
  {
    data: output.views(listedView, { about: 'Os Pix' }),
    ...pick(pageFields, 'currentPage', 'lastPage', 'perPage', 'total'),
  },
  (page: PageOf<PixWithImage>) => ({ data: page.records, ...pagePosition(page) }),
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
  (pix: PaidPix) => ({ ...valuesOf(pix), transactions: pix.transactions }),
)

/** A page, or one paid Pix if the query has its txid or id. */
const listedOrPaidView: AnyView<ListedPix> = {
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

const openCodeReply = view(
  'OpenPixCodeReply',
  { success: output.json({ about: 'Sempre verdadeiro' }), data: output.view(payloadView, { about: 'O código' }) },
  (data: OpenCode) => ({ success: true, data }),
)

const instantPixRow = { area: 'Pagamento instantâneo (legado)', dialect: 'instant', auth: 'account' } as const

const example = {
  id: 1,
  txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M',
  value: 150.5,
  qrcode: '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000…',
  created_at: '2030-11-21T10:05:09-03:00',
  image: 'data:image/png;base64,iVBORw0KGgo…',
}
const { id: _, ...readExample } = example

export const instantPixRows: readonly AnyRow[] = [
  route({
    ...instantPixRow,
    name: 'instant-pix.ok',
    summary: 'Um texto que diz que o módulo responde',
    paths: ['/legacypay'],
    permission: 'charges:read',
    run: () => succeedWith(null),
    reply: text({ view: () => 'quickpay' }),
    example: { given: 'account', data: 'quickpay' },
  }),
  route({
    ...instantPixRow,
    name: 'instant-pix.create',
    summary: 'Cria um Pix que vence hoje',
    methods: ['POST'],
    paths: ['/legacypay/pix/create', '/legacypay/pix/qrcode', '/legacypay/pix/qrcode-fixo'],
    permission: 'charges:write',
    input: { body: newInstantPix },
    run: ({ core, actor }, { body }) => core.instantPix.issue(actor, body),
    resume: ({ core }, intent) => core.instantPix.resume(intent),
    reply: json({ status: 201, view: issuedReply }),
    errors: {
      'account.unknown': {},
      'organization.inactive': {},
      'charge.unknown': {},
      'bank.unsupported': {},
      'card.unsupported': {},
      'bank.unavailable': { status: 500 },
      'bank.refused': { status: 500 },
    },
    example: {
      given: 'account',
      request: {
        body: { amount: 150.5, name: 'Maria da Silva', email: 'maria@example.com', document: '123.456.789-09' },
      },
      data: { success: true, pix: example },
    },
  }),
  route({
    ...instantPixRow,
    name: 'instant-pix.list',
    summary: 'Lista os Pix da conta, do mais novo ao mais antigo; com txid ou id, mostra um só',
    paths: ['/legacypay/pix/list'],
    permission: 'charges:read',
    input: { query: instantPixFilter },
    run: ({ core, actor }, { query }) => core.instantPix.list(actor, query),
    reply: json({ view: listedOrPaidView }),
    errors: { 'instant-pix.unknown': {} },
    example: {
      given: 'pendingCharge',
      data: { data: [{ ...example, status: 'pending' }], current_page: 1, last_page: 1, per_page: 15, total: 1 },
    },
  }),
  route({
    ...instantPixRow,
    name: 'instant-pix.open-code',
    summary: 'Dá o código Pix da conta em que quem paga escolhe o valor',
    paths: ['/legacypay/pix/image'],
    permission: 'charges:read',
    run: ({ core, actor }) => core.instantPix.openCode(actor),
    reply: json({ view: openCodeReply }),
    errors: { 'account.unknown': {}, 'bank.unsupported': {} },
    example: { given: 'account', data: { success: true, data: { payload: example.qrcode } } },
  }),
  route({
    ...instantPixRow,
    name: 'instant-pix.show',
    summary: 'Mostra um Pix, pelo seu txid',
    paths: ['/legacypay/pix/:txid'],
    permission: 'charges:read',
    run: ({ core, actor, request }) => core.instantPix.read(actor, request.params.txid ?? ''),
    reply: json({ view: readView }),
    errors: { 'instant-pix.unknown': {} },
    example: {
      given: 'pendingCharge',
      request: { params: { txid: example.txid } },
      data: {
        ...readExample,
        status: 'pending',
        updated_at: example.created_at,
        name: 'Maria da Silva',
        email: 'maria@example.com',
        document: '12345678909',
      },
    },
  }),
]

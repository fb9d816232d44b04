import { output, view } from '../../../core/kernel/input/view.ts'
import { type PageOf, pageMeta } from '../../../core/kernel/values/page.ts'
import type { ChargeDetail } from '../../../core/payments/charges/detail.ts'
import { publicChargeFilter } from '../../../core/payments/charges/payer-charges.ts'
import {
  owedChargeView,
  publicChargePayeeView,
  publicChargeView,
  publicCode,
  publicPixView,
} from '../../../core/payments/charges/read.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { originOf, publicPaths, route } from '../api.ts'
import { chargeExample } from './charges.ts'

const examplePix = { ...chargeExample.pix, image: 'data:image/png;base64,iVBORw0KGgo…' }
const exampleAccount = { name: 'Escola Aurora', email: 'financeiro@aurora.example', document: '11222333000181' }
const publicExample = { ...chargeExample, pix: examplePix }

/** Source: 02-billing.md, Public payer routes; decisions.md §9, Exposure. */
export const publicRows: readonly AnyRow[] = [
  route({
    name: 'public.charge',
    area: 'Pagador',
    summary: 'Mostra uma cobrança a quem vai pagá-la',
    methods: ['GET'],
    paths: publicPaths('/charge'),
    dialect: 'envelope',
    auth: 'public',
    input: { query: publicCode },
    run: ({ core }, { query: by }) => core.charges.readPublic(by),
    reply: json({ key: 'charge', view: publicChargePayeeView, message: 'Cobrança recuperada com sucesso.' }),
    errors: { 'charge.unknown': {} },
    example: {
      given: 'publicCharge',
      request: { query: { code: chargeExample.code } },
      reply: {
        code: 200,
        success: true,
        charge: { ...publicExample, account: { ...exampleAccount, path_logo: null } },
        message: 'Cobrança recuperada com sucesso.',
      },
    },
  }),
  route({
    name: 'public.charge-pix',
    area: 'Pagador',
    summary: 'Mostra o Pix de uma cobrança',
    methods: ['GET'],
    paths: publicPaths('/charge/pix'),
    dialect: 'envelope',
    auth: 'public',
    input: { query: publicCode },
    run: ({ core }, { query: by }) => core.charges.readPublic(by),
    reply: json({ view: publicChargeView, message: 'Pix da cobrança recuperado com sucesso.' }),
    errors: { 'charge.unknown': {} },
    example: {
      given: 'publicCharge',
      request: { query: { code: chargeExample.code } },
      reply: { code: 200, success: true, data: publicExample, message: 'Pix da cobrança recuperado com sucesso.' },
    },
  }),
  route({
    name: 'public.pix',
    area: 'Pagador',
    summary: 'Mostra um Pix pelo seu txid',
    methods: ['GET'],
    paths: publicPaths('/pix/:txid'),
    dialect: 'bare',
    auth: 'public',
    input: {},
    run: ({ core, request }) => core.charges.readPublic({ txid: request.params.txid ?? '' }),
    reply: json({ view: publicPixView }),
    errors: { 'charge.unknown': {} },
    example: {
      given: 'publicCharge',
      request: { params: { txid: examplePix.txid } },
      reply: { ...examplePix, value: chargeExample.value, account: exampleAccount },
    },
  }),
]

const MESSAGE = 'Cobranças listadas com sucesso.'

const metaView = view(
  'PageMeta',
  {
    currentPage: output.count({ about: 'Esta página, a partir de 1' }),
    perPage: output.count({ about: 'Registros por página' }),
    total: output.count({ about: 'Registros ao todo' }),
    lastPage: output.count({ about: 'A última página' }),
  },
  (of: PageOf<unknown>) => {
    const { current_page: currentPage, per_page: perPage, total, last_page: lastPage } = pageMeta(of)
    return { currentPage, perPage, total, lastPage }
  },
)

const owedView = view(
  'PublicChargePage',
  {
    data: output.views(owedChargeView, { about: 'As cobranças' }),
    meta: output.view(metaView, { about: 'Que página da lista é esta' }),
  },
  (of: PageOf<ChargeDetail>) => ({ data: of.records, meta: of }),
)

const { name, document } = chargeExample.client
const owedExample = { ...chargeExample, client: { name, document, email: 'm***@example.com' } }

/** Source: 02-billing.md, Public payer routes; decisions.md §9, Exposure. */
export const publicChargesRow = route({
  name: 'public.charges',
  area: 'Pagador',
  summary: 'Lista o que alguém deve, pendente ou expirado, pelo seu CPF ou CNPJ',
  methods: ['GET'],
  paths: publicPaths('/charges'),
  dialect: 'envelope',
  auth: 'public',
  input: { query: publicChargeFilter },
  run: ({ core, request }, { query }) => core.charges.listPublic(query, originOf(request)),
  reply: json({ key: 'charges', view: owedView, message: MESSAGE }),
  errors: { 'document.throttled': {} },
  example: {
    given: 'debtor',
    request: { query: { client: '12345678909' } },
    reply: {
      code: 200,
      success: true,
      charges: { data: [owedExample], meta: { current_page: 1, per_page: 15, total: 1, last_page: 1 } },
      message: MESSAGE,
    },
  },
})

import { output, view } from '../../../core/kernel/input/mod.ts'
import type { ChargeDetail } from '../../../core/payments/charges/detail.ts'
import { publicChargeFilter } from '../../../core/payments/charges/queries/payer-charges.ts'
import {
  owedChargeView,
  publicChargePayeeView,
  publicChargeView,
  publicCode,
  publicPixView,
} from '../../../core/payments/charges/queries/read.ts'
import type { PageOf } from '../../../core/ports/store.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { originOf, pageFields, pagePosition, publicPaths, route } from '../api.ts'
import { chargeExample } from './charges.ts'

const examplePix = { ...chargeExample.pix, image: 'data:image/png;base64,iVBORw0KGgo…' }
const exampleAccount = { name: 'Escola Aurora', email: 'financeiro@aurora.example', document: '11222333000181' }
const publicExample = { ...chargeExample, pix: examplePix }

const publicRow = { area: 'Pagador', auth: 'public' } as const

/** The rows of payers without an account: a charge by its code or txid. */
export const publicRows: readonly AnyRow[] = [
  route({
    ...publicRow,
    name: 'public.charge',
    summary: 'Mostra uma cobrança a quem vai pagá-la',
    paths: publicPaths('/charge'),
    dialect: 'envelope',
    input: { query: publicCode },
    run: ({ core }, { query }) => core.charges.readPublic(query),
    reply: json({ key: 'charge', view: publicChargePayeeView, message: 'Cobrança recuperada com sucesso.' }),
    errors: { 'charge.unknown': {} },
    example: {
      given: 'publicCharge',
      request: { query: { code: chargeExample.code } },
      data: { ...publicExample, account: { ...exampleAccount, path_logo: null } },
    },
  }),
  route({
    ...publicRow,
    name: 'public.charge-pix',
    summary: 'Mostra o Pix de uma cobrança',
    paths: publicPaths('/charge/pix'),
    dialect: 'envelope',
    input: { query: publicCode },
    run: ({ core }, { query }) => core.charges.readPublic(query),
    reply: json({ view: publicChargeView, message: 'Pix da cobrança recuperado com sucesso.' }),
    errors: { 'charge.unknown': {} },
    example: { given: 'publicCharge', request: { query: { code: chargeExample.code } }, data: publicExample },
  }),
  route({
    ...publicRow,
    name: 'public.pix',
    summary: 'Mostra um Pix pelo seu txid',
    paths: publicPaths('/pix/:txid'),
    dialect: 'bare',
    run: ({ core, request }) => core.charges.readPublic({ txid: request.params.txid ?? '' }),
    reply: json({ view: publicPixView }),
    errors: { 'charge.unknown': {} },
    example: {
      given: 'publicCharge',
      request: { params: { txid: examplePix.txid } },
      data: { ...examplePix, value: chargeExample.value, account: exampleAccount },
    },
  }),
]

const metaView = view('PageMeta', pageFields, pagePosition)

const owedView = view(
  'PublicChargePage',
  {
    data: output.views(owedChargeView, { about: 'As cobranças' }),
    meta: output.view(metaView, { about: 'Que página da lista é esta' }),
  },
  (page: PageOf<ChargeDetail>) => ({ data: page.records, meta: page }),
)

const { name, document } = chargeExample.client
const owedExample = { ...chargeExample, client: { name, document, email: 'm***@example.com' } }

/** Lists the charges of a payer by CPF or CNPJ, with a masked e-mail. */
export const publicChargesRow = route({
  ...publicRow,
  name: 'public.charges',
  summary: 'Lista o que alguém deve, pendente ou expirado, pelo seu CPF ou CNPJ',
  paths: publicPaths('/charges'),
  dialect: 'envelope',
  input: { query: publicChargeFilter },
  run: ({ core, request }, { query }) => core.charges.listPublic(query, originOf(request)),
  reply: json({ key: 'charges', view: owedView, message: 'Cobranças listadas com sucesso.' }),
  errors: { 'document.throttled': {} },
  example: {
    given: 'debtor',
    request: { query: { client: '12345678909' } },
    data: { data: [owedExample], meta: { current_page: 1, per_page: 15, total: 1, last_page: 1 } },
  },
})
